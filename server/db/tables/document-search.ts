import { customType, foreignKey, index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { isoTime, ownerId } from '../columns.ts'
import { documents } from './documents.ts'

const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' })

/**
 * What the search looks through, one row for each document. Triggers write it: no code does. It is a table of its own
 * because a tsvector may have a megabyte, which every reading of a document would carry along.
 */
export const documentSearch = pgTable(
  'document_search',
  {
    document_id: uuid('document_id').primaryKey(),
    owner_id: ownerId(),
    project_id: uuid('project_id'),
    created_at: isoTime('created_at').notNull(),
    /** That of the document: what is deleted is not found. */
    deleted_at: isoTime('deleted_at'),
    /** Title, filename, journal, DOI and keywords in small letters, for parts of words. */
    words: text('words').notNull(),
    /** The words of the same, weighted; short, so that ranking many documents is quick. */
    head: tsvector('head').notNull(),
    /** The same with the words of the text. */
    whole: tsvector('whole').notNull(),
  },
  (table) => [
    foreignKey({
      name: 'document_search_document_of_owner',
      columns: [table.document_id, table.owner_id],
      foreignColumns: [documents.id, documents.owner_id],
    }).onDelete('cascade'),
    index('document_search_owner').on(table.owner_id),
    index('document_search_newest').on(table.owner_id, table.project_id, table.created_at.desc().nullsFirst()),
    index('document_search_words').using('gin', table.words.op('gin_trgm_ops')),
    index('document_search_whole').using('gin', table.whole),
  ],
)
