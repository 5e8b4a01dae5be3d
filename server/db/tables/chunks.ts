import { boolean, customType, foreignKey, index, integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { ownerId } from '../columns.ts'
import { documents } from './documents.ts'

/**
 * A vector of length 1 in half precision (pgvector). It needs half the storage of `vector`, and similarities differ in the
 * fourth decimal at most. The column has no fixed dimension, because the model is a setting.
 */
export const halfVector = customType<{ data: Float32Array; driverData: string }>({
  dataType: () => 'halfvec',
  // Components are below 1. Five decimals are more exact than half precision, and need two fifths of the bytes of all digits.
  toDriver: (vector) => `[${Array.from(vector, (value) => Math.round(value * 1e5) / 1e5).join(',')}]`,
  fromDriver: (value) => Float32Array.from(JSON.parse(value) as number[]),
})

/** A column of bytes. */
const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' })

/**
 * The chunks of a paper's text for retrieval. `page_offset` counts from the start of the page's text. A paper without a text
 * has one chunk with its title and abstract, at position -1 and page 0.
 */
export const chunks = pgTable(
  'chunks',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    document_id: uuid('document_id')
      .notNull()
      .references(() => documents.id, { onDelete: 'cascade' }),
    /** `owner_id` and `project_id` are copies of the document's columns. Triggers write them. */
    owner_id: ownerId(),
    project_id: uuid('project_id'),
    position: integer('position').notNull(),
    content: text('content').notNull(),
    page_number: integer('page_number').notNull(),
    page_offset: integer('page_offset').notNull(),
    /** True if the chunk is in the list of references: it is excluded from answers and therefore not embedded. */
    is_reference: boolean('is_reference').notNull(),
    model: text('model').notNull(),
    dimension: integer('dimension').notNull(),
    /** The mean direction of the vectors of the chunk's sentences; null for a chunk of the list of references. */
    embedding: halfVector('embedding'),
    /** The `embedding` with eight bits for each component (see server/search/vector-code.ts). Only in the embedded database. */
    code: bytes('code'),
    /** The heading of the section that contains most of the chunk; null if it is unknown. */
    section: text('section'),
  },
  (table) => [
    unique('chunks_id_document').on(table.id, table.document_id),
    unique('chunks_document_position').on(table.document_id, table.position),
  ],
)

/**
 * The sentences of the chunks (parts of a paper's text that are retrieved for a question), with their vectors. `start_offset`
 * and `end_offset` are numbers of characters from the start of the page's text.
 */
export const chunkSentences = pgTable(
  'chunk_sentences',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    chunk_id: uuid('chunk_id').notNull(),
    document_id: uuid('document_id').notNull(),
    /** `owner_id` and `project_id` are copies of the document's columns. Triggers write them. */
    owner_id: ownerId(),
    project_id: uuid('project_id'),
    start_offset: integer('start_offset').notNull(),
    end_offset: integer('end_offset').notNull(),
    embedding: halfVector('embedding').notNull(),
  },
  (table) => [
    foreignKey({
      name: 'chunk_sentences_chunk_of_document',
      columns: [table.chunk_id, table.document_id],
      foreignColumns: [chunks.id, chunks.document_id],
    }).onDelete('cascade'),
    index('chunk_sentences_document').on(table.document_id),
    index('chunk_sentences_chunk').on(table.chunk_id),
  ],
)
