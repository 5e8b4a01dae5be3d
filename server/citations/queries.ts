import { sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { documents } from '#server/db/tables/documents.ts'

/** A document with its reference. */
export type CitedRow = Pick<typeof documents.$inferSelect, 'id' | 'filename' | 'title' | 'reference'>

/** Returns the documents with these ids that the caller may read, in any order. */
export function findCitedRows(tx: Tx, ids: readonly string[]): Promise<CitedRow[]> {
  const { id, filename, title, reference } = documents
  return tx
    .select({ id, filename, title, reference })
    .from(documents)
    .where(sql`${documents.id} = any(${sql.param([...ids])}::uuid[])`)
}
