import { sql } from 'drizzle-orm'
import { bigint, boolean, check, index, integer, pgTable, primaryKey, smallint, text, uuid } from 'drizzle-orm/pg-core'
import { ownerId } from '../columns.ts'
import { documents } from './documents.ts'

/**
 * The state of each document in the search over passages. Triggers insert a row with each document, mark it stale when its
 * text, title or abstract changes, and move it with its document.
 */
export const indexedDocuments = pgTable(
  'indexed_documents',
  {
    document_id: uuid('document_id')
      .primaryKey()
      .references(() => documents.id, { onDelete: 'cascade' }),
    /** `owner_id` and `project_id` are copies of the document's columns. Triggers write them. */
    owner_id: ownerId(),
    project_id: uuid('project_id'),
    /** True if the terms of its chunks do not exist yet, or belong to an older text. */
    is_stale: boolean('is_stale').notNull().default(true),
    /**
     * The number of chunks with terms. `term_count` is the number of their terms, with repetitions: BM25 compares the length of a
     * chunk with the mean length.
     */
    chunk_count: integer('chunk_count').notNull().default(0),
    term_count: integer('term_count').notNull().default(0),
    /**
     * A trigger sets it to the next number of a sequence with each change of the row: a worker reads the vectors of the documents
     * whose number is larger than the last one it has read.
     */
    change: bigint('change', { mode: 'number' }).notNull().default(0),
  },
  (table) => [
    index('indexed_documents_project').on(table.project_id, table.owner_id),
    index('indexed_documents_stale')
      .on(table.change)
      .where(sql`${table.is_stale}`),
    index('indexed_documents_change').on(table.change),
  ],
)

/**
 * The inverted index: the chunks of a document that contain a term (see server/language/search-terms.ts). A row for each term of
 * a document needs a third of the rows of an index with a row for each term of a chunk. The three arrays have one element for
 * each chunk.
 */
export const chunkTerms = pgTable(
  'chunk_terms',
  {
    document_id: uuid('document_id')
      .notNull()
      .references(() => documents.id, { onDelete: 'cascade' }),
    term: text('term').notNull(),
    /** `owner_id` and `project_id` are copies of the document's columns. */
    owner_id: ownerId(),
    project_id: uuid('project_id'),
    /** Positions of the chunks. */
    positions: integer('positions').array().notNull(),
    /** How often each chunk contains the term. */
    counts: smallint('counts').array().notNull(),
    /** The number of all terms of each chunk. */
    lengths: smallint('lengths').array().notNull(),
  },
  // Migration 0116 creates the indexes chunk_terms_short and chunk_terms_long. drizzle-kit knows no columns with INCLUDE.
  (table) => [primaryKey({ columns: [table.document_id, table.term] })],
)

/** Whether building the index of existing documents is paused; at most one row. Only the server reads it. */
export const indexPause = pgTable(
  'index_pause',
  { id: integer('id').primaryKey().default(1), is_paused: boolean('is_paused').notNull() },
  () => [check('index_pause_one_row', sql`id = 1`)],
)
