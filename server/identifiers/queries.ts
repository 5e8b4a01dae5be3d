import { and, eq, inArray, or, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { documents } from '#server/db/tables/documents.ts'
import { doiKey } from '#shared/contract/doi.ts'
import type { LookedUpLine } from '#shared/contract/identifiers.ts'
import type { Identifier } from '#shared/references/identifiers.ts'

export type KnownDocument = NonNullable<LookedUpLine['document']>

const { id, title, authors, journal_name, ref_year, filename } = documents
const shown = { id, title, authors, journal_name, ref_year, filename }

/**
 * Returns a document that the caller may see, with the fields that the result of a look-up shows. Returns undefined if there is
 * none with this id.
 */
export async function findKnown(tx: Tx, documentId: string): Promise<KnownDocument | undefined> {
  const [row] = await tx.select(shown).from(documents).where(eq(documents.id, documentId))
  return row
}

/**
 * Returns the documents of a project that have one of the identifiers, oldest first. Each has a function `has`, which returns
 * whether the document has a given identifier.
 */
export async function findByIdentifiers(tx: Tx, projectId: string, identifiers: readonly Identifier[]) {
  const values = (kind: Identifier['kind']) => identifiers.filter((one) => one.kind === kind).map(({ value }) => value)
  const [dois, pmids, pmcids] = [values('doi').map(doiKey), values('pmid'), values('pmcid')]
  const [arxivs, isbns, urls] = [values('arxiv'), values('isbn'), values('url')]
  const pmcid = sql<string | null>`upper(${documents.reference} ->> 'PMCID')`
  const isSame = or(
    dois.length > 0 ? inArray(documents.doi_key, dois) : undefined,
    pmids.length > 0 ? inArray(documents.pmid, pmids) : undefined,
    arxivs.length > 0 ? inArray(documents.arxiv_id, arxivs) : undefined,
    isbns.length > 0 ? and(inArray(documents.isbn13, isbns), eq(documents.ref_type, 'book')) : undefined,
    pmcids.length > 0 ? inArray(pmcid, pmcids) : undefined,
    urls.length > 0 ? inArray(documents.link, urls) : undefined,
  )
  if (!isSame) return []
  const { doi_key, pmid, arxiv_id, isbn13, link } = documents
  const rows = await tx
    .select({ ...shown, doi_key, pmid, pmcid, arxiv_id, isbn13, link })
    .from(documents)
    .where(and(eq(documents.project_id, projectId), isSame))
    .orderBy(documents.created_at)
  return rows.map(({ doi_key, pmid, pmcid, arxiv_id, isbn13, link, ...document }) => {
    const own: Record<Identifier['kind'], string | null> = {
      doi: doi_key,
      pmid,
      pmcid,
      arxiv: arxiv_id,
      isbn: isbn13,
      url: link,
    }
    const has = ({ kind, value }: Identifier) => own[kind] === (kind === 'doi' ? doiKey(value) : value)
    return { document, has }
  })
}
