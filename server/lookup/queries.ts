import { and, eq, isNull, or, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { storedColumns, type StoredDocument } from '#server/documents/index.ts'
import { documents } from '#server/db/tables/documents.ts'
import { LONG_TITLE, titleMatch } from '#shared/references/title-match.ts'

/**
 * Returns the oldest document of a paper in the project: the document with the same DOI, or, for a paper without a DOI, a
 * document that has no DOI and the same title, ignoring case. With a short title such as 'Editorial', a document with another
 * link is another paper.
 */
export async function findPaper(
  tx: Tx,
  projectId: string,
  { doi, title, link }: { doi: string | null; title: string; link: string | null },
): Promise<StoredDocument | undefined> {
  const isShort = titleMatch(title).length < LONG_TITLE
  const sameLink = isShort && link ? or(isNull(documents.link), eq(documents.link, link)) : undefined
  const same = doi
    ? eq(documents.doi_key, doi)
    : and(isNull(documents.doi_key), sql`lower(${documents.title}) = lower(${title})`, sameLink)
  const [row] = await tx
    .select(storedColumns)
    .from(documents)
    .where(and(eq(documents.project_id, projectId), same))
    .orderBy(documents.created_at)
    .limit(1)
  return row
}
