import { and, eq, or, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { documents } from '#server/db/tables/documents.ts'
import { comparedReference, compareReferences } from '#server/matching/index.ts'
import { doiKey } from '#shared/contract/doi.ts'
import type { Reference } from '#shared/contract/references.ts'

/** Returns the id of a document of the project that certainly is the same paper (FMT-41), or undefined. */
export async function findCertain(tx: Tx, projectId: string, reference: Reference): Promise<string | undefined> {
  const compared = comparedReference(reference)
  const { doi, pmid, arxiv, isbn, title } = compared
  const rows = await tx
    .select({ id: documents.id, reference: documents.reference })
    .from(documents)
    .where(
      and(
        eq(documents.project_id, projectId),
        or(
          doi ? eq(documents.doi_key, doiKey(doi)) : undefined,
          pmid ? eq(documents.pmid, pmid) : undefined,
          arxiv ? eq(documents.arxiv_id, arxiv) : undefined,
          isbn ? eq(documents.isbn13, isbn) : undefined,
          title ? eq(documents.title_match, title) : sql`false`,
        ),
      ),
    )
    .orderBy(documents.created_at, documents.id)
    .limit(50)
  const isSame = (other: Reference) => compareReferences(compared, comparedReference(other)) === 'certain'
  return rows.find((row) => isSame({ type: 'document', ...row.reference }))?.id
}
