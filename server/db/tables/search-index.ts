import { sql } from 'drizzle-orm'
import { bigint, boolean, check, index, integer, pgTable, primaryKey, smallint, text, uuid } from 'drizzle-orm/pg-core'
import { ownerId } from '../columns.ts'
import { documents } from './documents.ts'

/**
 * The state of each document in the index of passages. Triggers insert a row with each document, set `is_stale` when the text,
 * title or abstract of the document changes, and copy a change of the document's project.
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
    /** True if the terms of the document's chunks are not stored yet, or belong to an older text. */
    is_stale: boolean('is_stale').notNull().default(true),
    /**
     * The number of chunks whose terms are stored. `term_count` is the number of all terms in these chunks, with repetitions.
     * BM25 needs both numbers for the mean length of a chunk.
     */
    chunk_count: integer('chunk_count').notNull().default(0),
    term_count: integer('term_count').notNull().default(0),
    /**
     * A number that a trigger takes from a sequence at each change of the row. A worker reads the vectors of all documents with
     * a larger number than the last number that it has read.
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
 * The inverted index of passages. A row is for one term (see server/language/search-terms.ts) and one document, and contains
 * the chunks (parts of the document's text) with this term. This needs a third of the rows that one row for each term and chunk
 * would need. The three arrays have one element for each chunk.
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
    /** The positions of the chunks in the document. */
    positions: integer('positions').array().notNull(),
    /** The number of occurrences of the term in each chunk. */
    counts: smallint('counts').array().notNull(),
    /** The number of all terms in each chunk. */
    lengths: smallint('lengths').array().notNull(),
  },
  // Migration 0116 creates the indexes chunk_terms_short and chunk_terms_long. drizzle-kit knows no columns with INCLUDE.
  (table) => [primaryKey({ columns: [table.document_id, table.term] })],
)

/** Whether the background indexing of existing documents is paused; at most one row. Only the server reads the table. */
export const indexPause = pgTable(
  'index_pause',
  { id: integer('id').primaryKey().default(1), is_paused: boolean('is_paused').notNull() },
  () => [check('index_pause_one_row', sql`id = 1`)],
)
