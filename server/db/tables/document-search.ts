import { customType, index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { isoTime, ownerId } from '../columns.ts'
import { documents } from './documents.ts'

const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' })

/**
 * The search index, with one row per document. Only triggers write it. It is a separate table because a tsvector can have a
 * megabyte, which every read of a document would load.
 */
export const documentSearch = pgTable(
  'document_search',
  {
    document_id: uuid('document_id')
      .primaryKey()
      .references(() => documents.id, { onDelete: 'cascade' }),
    owner_id: ownerId(),
    project_id: uuid('project_id'),
    created_at: isoTime('created_at').notNull(),
    /** A copy of `documents.deleted_at`. The search excludes deleted documents. */
    deleted_at: isoTime('deleted_at'),
    /** Title, filename, journal, DOI, keywords and authors in lower case, for substring search. */
    words: text('words').notNull(),
    /**
     * The words of title, filename, journal, DOI, keywords and authors, with weights. It does not contain the words of the
     * text, so that ranking many documents is fast.
     */
    head: tsvector('head').notNull(),
    /** The words of `head` and of the text; for a document without a text, the words of `head` and of the abstract. */
    whole: tsvector('whole').notNull(),
  },
  (table) => [
    index('document_search_newest').on(table.project_id, table.created_at.desc().nullsFirst()),
    index('document_search_words').using('gin', table.words.op('gin_trgm_ops')),
    index('document_search_whole').using('gin', table.whole),
  ],
)
