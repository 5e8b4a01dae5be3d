import { sql } from 'drizzle-orm'
import { index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import type { PassageField } from '#shared/contract/passages.ts'
import { isoTime } from '../columns.ts'
import { user } from './auth.ts'
import { documents } from './documents.ts'
import { runs } from './runs.ts'

/** The edits of values that an analysis filled, with the value before the edit. A trigger of `documents` writes them. */
export const documentEdits = pgTable(
  'document_edits',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    document_id: uuid('document_id')
      .notNull()
      .references(() => documents.id, { onDelete: 'cascade' }),
    field: text('field').$type<PassageField>().notNull(),
    former: jsonb('former').$type<string | string[] | null>(),
    /** The analysis run (a recorded analysis) that filled the former value; null if a user had edited it before. */
    run_id: uuid('run_id').references(() => runs.id, { onDelete: 'set null' }),
    edited_by: text('edited_by').references(() => user.id, { onDelete: 'set null' }),
    edited_at: isoTime('edited_at')
      .notNull()
      .default(sql`now()`),
  },
  (table) => [
    index('document_edits_document').on(table.document_id, table.edited_at),
    index('document_edits_edited_by').on(table.edited_by),
    index('document_edits_run').on(table.run_id),
  ],
)
