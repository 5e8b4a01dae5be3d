import { and, eq, inArray, or, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { documents } from '#server/db/tables/documents.ts'
import { doiKey } from '#shared/contract/doi.ts'
import type { LookedUpLine } from '#shared/contract/identifiers.ts'
import type { Reference } from '#shared/contract/references.ts'
import { arxivId, type Identifier, isbn13 } from '#shared/references/identifiers.ts'

export type KnownDocument = NonNullable<LookedUpLine['document']>

/** Returns the identifiers that a reference has. The ISBN of a chapter is that of its book. */
export function identifiersOf({ type, DOI, PMID, PMCID, ISBN, URL, number }: Partial<Reference>): Identifier[] {
  const arxiv = [DOI, number, URL].map((text) => arxivId(text ?? '')).find(Boolean)
  const isbn = type === 'book' ? ISBN?.split(', ').map(isbn13).find(Boolean) : undefined
  const values: Record<Identifier['kind'], string | undefined> = {
    doi: DOI,
    pmid: PMID,
    pmcid: PMCID,
    arxiv,
    isbn,
    url: DOI ? undefined : URL,
  }
  return Object.entries(values).flatMap(([kind, value]) => (value ? [{ kind: kind as Identifier['kind'], value }] : []))
}

/**
 * Returns the documents of a project with one of the identifiers, oldest first, and for each document the function `has`,
 * which compares its identifiers.
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
  const { id, title, authors, journal_name, ref_year, filename, doi_key, pmid, arxiv_id, isbn13, link } = documents
  const rows = await tx
    .select({ id, title, authors, journal_name, ref_year, filename, doi_key, pmid, pmcid, arxiv_id, isbn13, link })
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
