import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, real, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { JOB_KINDS } from '#shared/contract/jobs.ts'
import { isoTime, ownerId } from '../columns.ts'
import { documents } from './documents.ts'
import { user } from './auth.ts'
import { apiKeys } from './keys.ts'
import { projects } from './projects.ts'

/** Jobs as users see them; the queue's own tables are in the schema `pgboss`. */
export const jobs = pgTable(
  'jobs',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    owner_id: ownerId().references(() => user.id, { onDelete: 'set null' }),
    kind: text('kind', {
      enum: JOB_KINDS,
    }).notNull(),
    status: text('status', { enum: ['queued', 'running', 'completed', 'failed'] })
      .notNull()
      .default('queued'),
    progress: real('progress').notNull().default(0),
    progress_text: text('progress_text'),
    error: text('error'),
    error_code: text('error_code'),
    result: jsonb('result').$type<Record<string, unknown>>(),
    document_id: uuid('document_id').references(() => documents.id, { onDelete: 'cascade' }),
    project_id: uuid('project_id').references(() => projects.id, { onDelete: 'set null' }),
    /** The API key of the request that started the job. The costs of the job count for the key. */
    key_id: uuid('key_id').references(() => apiKeys.id, { onDelete: 'set null' }),
    input: jsonb('input').$type<Record<string, unknown>>().notNull().default({}),
    /** Data that an attempt stores for the next attempt. Users do not see it. */
    state: jsonb('state').$type<Record<string, unknown>>(),
    attempt: integer('attempt').notNull().default(0),
    created_at: isoTime('created_at')
      .notNull()
      .default(sql`now()`),
    updated_at: isoTime('updated_at')
      .notNull()
      .default(sql`now()`),
    started_at: isoTime('started_at'),
    finished_at: isoTime('finished_at'),
  },
  (table) => [
    index('jobs_owner_created').on(table.owner_id, table.created_at),
    index('jobs_project').on(table.project_id, table.created_at),
    index('jobs_document').on(table.document_id),
    // For the foreign key: deleting a key finds its jobs.
    index('jobs_key')
      .on(table.key_id)
      .where(sql`key_id is not null`),
    index('jobs_queued')
      .on(table.owner_id, table.kind)
      .where(sql`status = 'queued'`),
    // At most one active job of a kind for each document: a second click gets the job of the first.
    uniqueIndex('jobs_one_active')
      .on(table.document_id, table.kind)
      .where(sql`status in ('queued', 'running')`),
  ],
)
