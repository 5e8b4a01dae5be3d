import { sql } from 'drizzle-orm'
import { bigint, index, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { isoTime } from '../columns.ts'

/**
 * Actions of administrators. A database rule prevents updates and deletions, so rows name people by id only: deleting
 * an account removes the name here too.
 */
export const auditLog = pgTable(
  'audit_log',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    /** Null: the operator, on the command line. */
    actor_id: text('actor_id'),
    action: text('action').notNull(),
    subject_id: text('subject_id'),
    /** The name of the object at that time; null for people. */
    subject: text('subject'),
    details: jsonb('details').$type<Record<string, unknown>>().notNull().default({}),
    created_at: isoTime('created_at')
      .notNull()
      .default(sql`now()`),
  },
  (table) => [index('audit_log_actor').on(table.actor_id), index('audit_log_action').on(table.action)],
)
