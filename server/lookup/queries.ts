import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { storedColumns, type StoredDocument } from '#server/documents/index.ts'
import { documents } from '#server/db/tables/documents.ts'

/**
 * Returns the oldest document of a paper in the project: the document with the same DOI, or, for a paper without a DOI, a
 * document that has no DOI and the same title, ignoring case.
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
