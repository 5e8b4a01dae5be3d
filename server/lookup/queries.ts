import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { storedColumns, type StoredDocument } from '#server/documents/index.ts'
import { documents } from '#server/db/tables/documents.ts'

/**
 * Returns the project's oldest document of this paper: with the same DOI; for a paper without a DOI, a document without a DOI and
 * with the same title, in any letter case.
 */
export async function findPaper(
  tx: Tx,
  projectId: string,
  { doi, title }: { doi: string | null; title: string },
): Promise<StoredDocument | undefined> {
  const same = doi
    ? eq(documents.doi_key, doi)
    : and(isNull(documents.doi_key), sql`lower(${documents.title}) = lower(${title})`)
  const [row] = await tx
    .select(storedColumns)
    .from(documents)
    .where(and(eq(documents.project_id, projectId), same))
    .orderBy(documents.created_at)
    .limit(1)
  return row
}
