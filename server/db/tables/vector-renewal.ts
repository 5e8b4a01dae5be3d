import { sql } from 'drizzle-orm'
import { boolean, check, integer, pgTable } from 'drizzle-orm/pg-core'

/**
 * Whether documents with vectors of another model than the current one are vectorized again in the background, in at most
 * one row. Without a row, a model that costs nothing does so and a provider's model does not. Only the server reads it.
 */
export const vectorRenewal = pgTable(
  'vector_renewal',
  { id: integer('id').primaryKey().default(1), is_paused: boolean('is_paused').notNull() },
  () => [check('vector_renewal_one_row', sql`id = 1`)],
)
