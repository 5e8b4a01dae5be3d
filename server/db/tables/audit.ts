import { sql } from 'drizzle-orm'
import { bigint, index, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { isoTime } from '../columns.ts'

/**
 * Actions of administrators. A trigger prevents updates and deletions. A row has only the id of a user, so that the deletion of
 * an account also removes the name from the log.
 */
export const auditLog = pgTable(
  'audit_log',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    /** The administrator; null for an action of the operator on the command line. */
    actor_id: text('actor_id'),
    action: text('action').notNull(),
    subject_id: text('subject_id'),
    /** The name of the object at the time of the action; null if the object is a user. */
    subject: text('subject'),
    details: jsonb('details').$type<Record<string, unknown>>().notNull().default({}),
    created_at: isoTime('created_at')
      .notNull()
      .default(sql`now()`),
  },
  (table) => [index('audit_log_actor').on(table.actor_id), index('audit_log_action').on(table.action)],
)
