import { sql } from 'drizzle-orm'
import { bigint, index, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { isoTime } from '../columns.ts'

/**
 * What administrators did. A rule of the database lets nobody change or delete a row, so people stand here by their id
 * alone: who deletes an account takes its name away from here too.
 */
export const auditLog = pgTable(
  'audit_log',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    /** Null: the operator, by the command line. */
    actor_id: text('actor_id'),
    action: text('action').notNull(),
    subject_id: text('subject_id'),
    /** What the thing was called then; null for people. */
    subject: text('subject'),
    details: jsonb('details').$type<Record<string, unknown>>().notNull().default({}),
    created_at: isoTime('created_at')
      .notNull()
      .default(sql`now()`),
  },
  (table) => [index('audit_log_actor').on(table.actor_id), index('audit_log_action').on(table.action)],
)
