import { sql } from 'drizzle-orm'
import { date, foreignKey, index, integer, jsonb, pgTable, text, unique, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { StoredReference } from '#shared/references/columns.ts'
import { isoTime } from '../columns.ts'
import { user } from './auth.ts'
import { documents } from './documents.ts'
import { projects } from './projects.ts'

/** Additions of papers to a project: a reference file, an upload, papers of a feed, and other ways. */
export const imports = pgTable(
  'imports',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    project_id: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    created_by: text('created_by').references(() => user.id, { onDelete: 'set null' }),
    kind: text('kind', {
      enum: ['file', 'zotero', 'identifiers', 'feed', 'recommendation', 'drive', 'upload', 'api'],
    }).notNull(),
    source_name: text('source_name'),
    source_kind: text('source_kind', {
      enum: ['database', 'register', 'website', 'organisation', 'citation_searching', 'previous_review', 'other'],
    }),
    search_text: text('search_text'),
    searched_on: date('searched_on', { mode: 'string' }),
    filename: text('filename'),
    format: text('format'),
    file_hash: text('file_hash'),
    read_count: integer('read_count').notNull().default(0),
    created_count: integer('created_count').notNull().default(0),
    joined_count: integer('joined_count').notNull().default(0),
    skipped_count: integer('skipped_count').notNull().default(0),
    failed_count: integer('failed_count').notNull().default(0),
    /**
     * The number of records that are duplicates of another record of the same file and created no document. `joined_count`
     * includes them.
     */
    joined_within_count: integer('joined_within_count').notNull().default(0),
    /** The number of records in the file. It is known before the records are imported. */
    total_count: integer('total_count'),
    state: text('state', { enum: ['waiting', 'running', 'done', 'failed', 'cancelled'] })
      .notNull()
      .default('done'),
    /** Why the import failed. */
    error: text('error'),
    /** The job that imports the records. Jobs are deleted a week after their end. */
    job_id: uuid('job_id'),
    /** The storage key of the import file. When the row is deleted, a trigger adds the key to `removed_files`. */
    file_key: text('file_key'),
    created_at: isoTime('created_at')
      .notNull()
      .default(sql`now()`),
    undone_at: isoTime('undone_at'),
  },
  (table) => [
    index('imports_project').on(table.project_id, table.created_at),
    // For the foreign key of the records, which are in the project of their import.
    unique('imports_id_project').on(table.id, table.project_id),
  ],
)

/**
 * References as they were in the source of an import. A record stays when its document is deleted or merged into a duplicate.
 */
export const importRecords = pgTable(
  'import_records',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    import_id: uuid('import_id').notNull(),
    project_id: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    /** The position in the import, counted from 1. */
    position: integer('position').notNull(),
    /** The first line of the record in its file, from 1. */
    line: integer('line'),
    /** The text of the record in its source, at most 64 kB. */
    raw: text('raw'),
    reference: jsonb('reference').$type<StoredReference>().notNull().default({}),
    outcome: text('outcome', { enum: ['created', 'joined', 'skipped', 'failed'] }).notNull(),
    document_id: uuid('document_id').references(() => documents.id, { onDelete: 'set null' }),
    reason: text('reason'),
  },
  (table) => [
    foreignKey({
      name: 'import_records_import_of_project',
      columns: [table.import_id, table.project_id],
      foreignColumns: [imports.id, imports.project_id],
    }).onDelete('cascade'),
    // Unique, so that no record is written twice after a restart.
    uniqueIndex('import_records_import').on(table.import_id, table.position),
    index('import_records_outcome').on(table.import_id, table.outcome, table.position),
    index('import_records_project').on(table.project_id, table.outcome),
    index('import_records_document').on(table.document_id),
  ],
)
