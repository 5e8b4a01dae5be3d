import { sql } from 'drizzle-orm'
import { boolean, check, integer, pgTable } from 'drizzle-orm/pg-core'

/**
 * Whether it is paused that documents with vectors of another model than the current one are vectorized again in the background;
 * at most one row. Without a row, it is paused for a model of a provider, and not for a model that costs nothing. Only the server
 * reads it.
 */
export const vectorRenewal = pgTable(
  'vector_renewal',
  { id: integer('id').primaryKey().default(1), is_paused: boolean('is_paused').notNull() },
  () => [check('vector_renewal_one_row', sql`id = 1`)],
)
