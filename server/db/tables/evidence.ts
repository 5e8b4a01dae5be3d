import { sql } from 'drizzle-orm'
import { boolean, check, doublePrecision, index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import type { PassageMatch } from '#shared/contract/passages.ts'
import { isoTime, ownerId, stringList } from '../columns.ts'
import type { FormerPlace } from '../stored-evidence.ts'
import { user } from './auth.ts'
import { documents } from './documents.ts'
import { projects } from './projects.ts'
import { runs } from './runs.ts'

/**
 * The kinds of rows to which evidence (a quote that supports a statement) can belong. The only kind is a message of a
 * conversation.
 */
export const EVIDENCE_SUBJECTS = ['message'] as const

/**
 * Passages of documents that support a statement. The server has found each passage in the text. Triggers set `is_stale` when
 * the text of the document changes, and when a row for an older version of the text is inserted.
 */
export const evidence = pgTable(
  'evidence',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    /** The project of the conversation. It can differ from the project of the document, because documents can be moved. */
    project_id: uuid('project_id').references(() => projects.id, { onDelete: 'cascade' }),
    owner_id: ownerId().references(() => user.id, { onDelete: 'set null' }),
    document_id: uuid('document_id')
      .notNull()
      .references(() => documents.id, { onDelete: 'cascade' }),
    subject_kind: text('subject_kind', { enum: EVIDENCE_SUBJECTS }).notNull(),
    subject_id: uuid('subject_id').notNull(),
    /** The visibility of the conversation. 'me': only its author sees the evidence. */
    visibility: text('visibility', { enum: ['me', 'project'] }).notNull(),
    run_id: uuid('run_id').references(() => runs.id, { onDelete: 'set null' }),
    text_version: integer('text_version').notNull(),
    page: integer('page'),
    start: integer('start_offset'),
    end: integer('end_offset'),
    quote: text('quote').notNull(),
    prefix: text('prefix').notNull(),
    suffix: text('suffix').notNull(),
    match: text('match').$type<PassageMatch>().notNull(),
    score: doublePrecision('score').notNull(),
    /** True if the newest text does not contain the quote. Page and offsets are then null. */
    lost: boolean('lost').notNull().default(false),
    /** True until the server has searched the newest text for the quote. */
    is_stale: boolean('is_stale').notNull().default(false),
    /** Former places of the quote in the text, oldest first. */
    history: jsonb('history').$type<FormerPlace[]>().notNull().default([]),
    created_at: isoTime('created_at')
      .notNull()
      .default(sql`now()`),
  },
  (table) => [
    index('evidence_subject').on(table.subject_kind, table.subject_id),
    index('evidence_document').on(table.document_id),
    index('evidence_created_by').on(table.owner_id),
    index('evidence_run').on(table.run_id),
    index('evidence_project_lost').on(table.project_id, table.lost, table.created_at),
    index('evidence_stale')
      .on(table.document_id)
      .where(sql`${table.is_stale}`),
    check('evidence_subject_kind', sql`${table.subject_kind} in (${stringList(EVIDENCE_SUBJECTS)})`),
    check('evidence_visibility', sql`${table.visibility} in ('me', 'project')`),
  ],
)
