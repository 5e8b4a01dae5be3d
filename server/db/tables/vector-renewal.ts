import { sql } from 'drizzle-orm'
import { boolean, check, integer, pgTable } from 'drizzle-orm/pg-core'

/**
 * Whether the renewal of vectors is paused; at most one row. The renewal vectorizes documents again in the background if their
 * vectors are from another model than the current one. Without a row, it is paused if the current model is a model of a
 * provider, and not paused if the model runs in the server and therefore costs nothing. Only the server reads the table.
 */
export const vectorRenewal = pgTable(
  'vector_renewal',
  { id: integer('id').primaryKey().default(1), is_paused: boolean('is_paused').notNull() },
  () => [check('vector_renewal_one_row', sql`id = 1`)],
)
