import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  real,
  text,
  uuid,
} from 'drizzle-orm/pg-core'
import { COMPARED_FIELDS } from '#shared/contract/duplicates.ts'
import { isoTime } from '../columns.ts'
import type { StoredComparison, StoredJoin } from '../stored-duplicates.ts'
import { user } from './auth.ts'
import { documents } from './documents.ts'
import { projects } from './projects.ts'

/**
 * The state of the duplicate check of each document of a project. Triggers write the row when the document is added, moved or
 * deleted, or when its reference changes. Only the server reads the table.
 */
export const duplicateChecks = pgTable(
  'duplicate_checks',
  {
    document_id: uuid('document_id')
      .primaryKey()
      .references(() => documents.id, { onDelete: 'cascade' }),
    /** Null after the document was deleted or left the project. The next check then removes the row. */
    project_id: uuid('project_id').references(() => projects.id, { onDelete: 'set null' }),
    /** The values of the document at its last comparison. */
    compared: jsonb('compared').$type<StoredComparison>(),
    /** True if the document has changed since its last comparison, or was never compared. */
    is_waiting: boolean('is_waiting').notNull().default(true),
    /** Counts the changes of the document, so that the result of a comparison of older values is not stored. */
    changes: integer('changes').notNull().default(0),
    claimed_at: isoTime('claimed_at'),
    /** The end of the last comparison; null before the first one. */
    compared_at: isoTime('compared_at'),
  },
  (table) => [
    index('duplicate_checks_project').on(table.project_id),
    index('duplicate_checks_waiting')
      .on(table.project_id, table.claimed_at)
      .where(sql`is_waiting`),
  ],
)

/** Hashes of the project id and a value of the document. Documents with the same hash are candidates for the same paper. */
export const duplicateKeys = pgTable(
  'duplicate_keys',
  {
    key: bigint('key', { mode: 'bigint' }).notNull(),
    document_id: uuid('document_id')
      .notNull()
      .references(() => duplicateChecks.document_id, { onDelete: 'cascade' }),
  },
  (table) => [
    primaryKey({ columns: [table.key, table.document_id] }),
    index('duplicate_keys_document').on(table.document_id),
  ],
)

/** Pairs of documents that are suspected to be the same paper. Pairs with a common document have the same group. */
export const duplicatePairs = pgTable(
  'duplicate_pairs',
  {
    project_id: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    /** The smaller one of the ids of the two documents. */
    first_id: uuid('first_id')
      .notNull()
      .references(() => duplicateChecks.document_id, { onDelete: 'cascade' }),
    second_id: uuid('second_id')
      .notNull()
      .references(() => duplicateChecks.document_id, { onDelete: 'cascade' }),
    group_id: uuid('group_id').notNull(),
    likeness: text('likeness', { enum: ['certain', 'suspected', 'preprint and article'] }).notNull(),
    title_likeness: real('title_likeness').notNull(),
    title_begins: boolean('title_begins').notNull(),
    equal: text('equal', { enum: COMPARED_FIELDS }).array().notNull(),
    years_apart: integer('years_apart'),
  },
  (table) => [
    primaryKey({ columns: [table.first_id, table.second_id] }),
    index('duplicate_pairs_second').on(table.second_id),
    index('duplicate_pairs_group').on(table.project_id, table.group_id),
    check('duplicate_pairs_order', sql`first_id < second_id`),
  ],
)

/** The answers of members about pairs: 'refused' pairs are no duplicates, 'later' pairs are shown after the others. */
export const duplicateAnswers = pgTable(
  'duplicate_answers',
  {
    project_id: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    first_id: uuid('first_id')
      .notNull()
      .references(() => documents.id, { onDelete: 'cascade' }),
    second_id: uuid('second_id')
      .notNull()
      .references(() => documents.id, { onDelete: 'cascade' }),
    answer: text('answer', { enum: ['refused', 'later'] }).notNull(),
    answered_by: text('answered_by').references(() => user.id, { onDelete: 'set null' }),
    answered_at: isoTime('answered_at')
      .notNull()
      .default(sql`now()`),
  },
  (table) => [
    primaryKey({ columns: [table.first_id, table.second_id] }),
    index('duplicate_answers_second').on(table.second_id),
    index('duplicate_answers_project').on(table.project_id),
    check('duplicate_answers_order', sql`first_id < second_id`),
  ],
)

/**
 * Papers that were joined with another paper: merged into it as duplicates and moved to the trash. `undo` contains the values
 * that restore both papers if a user undoes the join.
 */
export const joinedPapers = pgTable(
  'joined_papers',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    /** The project of the paper that stayed; null while that paper has no project. */
    project_id: uuid('project_id').references(() => projects.id, { onDelete: 'cascade' }),
    kept_id: uuid('kept_id')
      .notNull()
      .references(() => documents.id, { onDelete: 'cascade' }),
    /** The joined paper (the duplicate), which is in the trash; null after it was deleted permanently. */
    joined_id: uuid('joined_id').references(() => documents.id, { onDelete: 'set null' }),
    /** The title of the joined paper (the duplicate), or its file name. */
    title: text('title').notNull(),
    joined_by: text('joined_by').references(() => user.id, { onDelete: 'set null' }),
    joined_at: isoTime('joined_at')
      .notNull()
      .default(sql`now()`),
    undo: jsonb('undo').$type<StoredJoin>().notNull(),
    undone_at: isoTime('undone_at'),
  },
  (table) => [
    index('joined_papers_kept').on(table.kept_id, table.joined_at),
    index('joined_papers_joined').on(table.joined_id),
    index('joined_papers_project').on(table.project_id),
  ],
)
