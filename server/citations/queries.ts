import { sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { documents } from '#server/db/tables/documents.ts'

/** The columns of a document that its reference is built from. */
export type CitedRow = Pick<
  typeof documents.$inferSelect,
  'id' | 'filename' | 'title' | 'authors' | 'doi_link' | 'publication_date' | 'journal_name' | 'link'
>

/** Returns the documents with these ids that the caller may read, in any order. */
export function findCitedRows(tx: Tx, ids: readonly string[]): Promise<CitedRow[]> {
  const { id, filename, title, authors, doi_link, publication_date, journal_name, link } = documents
  return tx
    .select({ id, filename, title, authors, doi_link, publication_date, journal_name, link })
    .from(documents)
    .where(sql`${documents.id} = any(${sql.param([...ids])}::uuid[])`)
}
