import { sql } from 'drizzle-orm'
import { boolean, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { isoTime, versions } from '../columns.ts'
import { user } from './auth.ts'

/**
 * The journal catalog, which all users share, and personal journals that users added with a feed (`owner_id`). `user_added`
 * is true for a journal that a user added, false for a journal of an admin or of OpenAlex.
 */
export const journals = pgTable(
  'journals',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    name: text('name').notNull(),
    /** Sort key of lists. */
    name_key: text('name_key')
      .notNull()
      .generatedAlwaysAs(sql`lower(name)`),
    publisher: text('publisher'),
    issn_l: text('issn_l'),
    works_count: integer('works_count'),
    citations_count: integer('citations_count'),
    is_open_access: boolean('is_open_access'),
    rss_feed_url: text('rss_feed_url'),
    homepage_url: text('homepage_url'),
    description: text('description'),
    h_index: integer('h_index'),
    i10_index: integer('i10_index'),
    /** The address at OpenAlex, as in https://openalex.org/S137773608. */
    openalex_id: text('openalex_id'),
    /** The last part of `openalex_id`, such as S137773608. The import and the exclusion list identify journals by it. */
    openalex_key: text('openalex_key').generatedAlwaysAs(
      sql`upper(regexp_replace(rtrim(openalex_id, '/'), '^.*/', ''))`,
    ),
    works_api_url: text('works_api_url'),
    /** Columns that an admin changed (OPENALEX_FIELDS): updates from OpenAlex preserve them. */
    edited_fields: text('edited_fields')
      .array()
      .notNull()
      .default(sql`'{}'`),
    last_updated: isoTime('last_updated'),
    added_by: text('added_by').references(() => user.id, { onDelete: 'set null' }),
    user_added: boolean('user_added').notNull().default(false),
    /** The only user who sees this journal and its feed; null for a journal of the catalog. */
    owner_id: text('owner_id').references(() => user.id, { onDelete: 'cascade' }),
    created_at: isoTime('created_at')
      .notNull()
      .default(sql`now()`),
    updated_at: isoTime('updated_at')
      .notNull()
      .default(sql`now()`),
    ...versions(),
  },
  (table) => [
    // Includes all columns of the list's filter, so that a page far down needs no scan of the rows before it.
    index('journals_name').on(table.name_key, table.id, table.openalex_key, table.owner_id),
    uniqueIndex('journals_openalex').on(table.openalex_key),
    // The import searches here for journals that users added before OpenAlex listed them.
    index('journals_issn_l_alone')
      .on(table.issn_l)
      .where(sql`openalex_id is null`),
    index('journals_last_updated').on(table.last_updated),
    index('journals_owner')
      .on(table.owner_id)
      .where(sql`owner_id is not null`),
    // Counts the journals that a user has added recently, to limit them.
    index('journals_user_added')
      .on(table.added_by, table.created_at)
      .where(sql`user_added`),
  ],
)

/**
 * Excluded journals: no list shows them and no import changes them. `openalex_id` is the bare key, as in S137773608.
 */
export const excludedJournals = pgTable('excluded_journals', {
  id: uuid('id').primaryKey().defaultRandom(),
  openalex_id: text('openalex_id').notNull().unique(),
  journal_name: text('journal_name').notNull(),
  reason: text('reason'),
  excluded_at: isoTime('excluded_at')
    .notNull()
    .default(sql`now()`),
})

/**
 * The updates of the journal catalog from OpenAlex, one row for each update. Only the server reads the table. The transaction
 * that stores a page of journals also changes the counters and the cursor, the position in the list of OpenAlex.
 */
export const journalImports = pgTable(
  'journal_imports',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    status: text('status', { enum: ['running', 'completed', 'error'] })
      .notNull()
      .default('running'),
    job_id: uuid('job_id'),
    started_by: text('started_by').references(() => user.id, { onDelete: 'set null' }),
    /** Cursor of the next page at OpenAlex. */
    cursor: text('cursor').notNull().default('*'),
    /** The total number of journals according to OpenAlex. */
    expected: integer('expected'),
    processed: integer('processed').notNull().default(0),
    added: integer('added').notNull().default(0),
    updated: integer('updated').notNull().default(0),
    skipped: integer('skipped').notNull().default(0),
    excluded: integer('excluded').notNull().default(0),
    errors: integer('errors').notNull().default(0),
    pages: integer('pages').notNull().default(0),
    message: text('message'),
    /** Incremented with every change; part of the ids of the event stream. */
    revision: integer('revision').notNull().default(0),
    started_at: isoTime('started_at')
      .notNull()
      .default(sql`now()`),
    finished_at: isoTime('finished_at'),
  },
  (table) => [
    // At most one at a time, across processes.
    uniqueIndex('journal_imports_one_running')
      .on(table.status)
      .where(sql`status = 'running'`),
    index('journal_imports_started').on(table.started_at.desc()),
  ],
)
