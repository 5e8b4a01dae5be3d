import type { CrossrefWork, Work } from '#server/external/index.ts'
import { doiKey } from '#shared/contract/doi.ts'
import { type FoundPaper, lookedUpFields, type MetadataSource, type PaperFacts } from '#shared/contract/lookup.ts'
import { columnsOf } from '#shared/references/columns.ts'

const PAPERS_MAX = 5

/** The query of a metadata look-up: a DOI or a title. */
export interface LookupQuery {
  by: 'doi' | 'title'
  query: string
}

/**
 * Merges the works that OpenAlex and Crossref found into at most five papers, best match first. Two works of different services
 * are one paper if they have the same DOI, or the same title and one of them has no DOI.
 */
export function joinWorks(
  asked: LookupQuery,
  openAlex: readonly Work[],
  crossref: readonly CrossrefWork[],
): FoundPaper[] {
  const papers: FoundPaper[] = []
  const put = (source: MetadataSource, facts: PaperFacts, retracted: boolean, id: string | null) => {
    const same = papers.find(
      (paper) => paper.said.every((one) => one.source !== source) && isSame(paper.said[0]!.facts, facts),
    )
    if (!same)
      return papers.push({
        said: [{ source, facts }],
        semantic_paperid: id,
        retracted,
        likeness: likenessOf(asked, facts),
      })
    same.said.push({ source, facts })
    same.semantic_paperid ??= id
    same.retracted ||= retracted
    same.likeness = Math.max(same.likeness, likenessOf(asked, facts))
    return undefined
  }
  for (const work of openAlex) {
    const publicationDate = columnsOf(work.reference).publication_date
    put('OpenAlex', factsOf({ ...work, publicationDate }), work.isRetracted, work.id)
  }
  for (const work of crossref) put('Crossref', factsOf(work), work.isRetracted, null)
  return papers.toSorted((a, b) => b.likeness - a.likeness || b.said.length - a.said.length).slice(0, PAPERS_MAX)
}

const factsOf = ({
  title,
  doi,
  publicationDate,
  journal,
  authors,
  abstract,
  reference,
}: Work | CrossrefWork): PaperFacts => ({
  title,
  doi_link: doi,
  publication_date: publicationDate,
  journal_name: journal,
  authors,
  abstract,
  reference: {
    ...lookedUpFields(reference),
    ...(publicationDate === null && reference.issued && { issued: reference.issued }),
  },
})

const wordsOf = (text: string) =>
  new Set(
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu),
  )
const isSame = (one: PaperFacts, other: PaperFacts) =>
  one.doi_link && other.doi_link
    ? one.doi_link === other.doi_link
    : [...wordsOf(one.title)].join(' ') === [...wordsOf(other.title)].join(' ')

/**
 * Returns how similar a paper is to the query, 0..1: for a title the Jaccard similarity of the words, for a DOI 1 if it is the
 * same and else 0.
 */
function likenessOf({ by, query }: LookupQuery, { title, doi_link }: PaperFacts): number {
  if (by === 'doi') return doi_link === doiKey(query) ? 1 : 0
  const [asked, found] = [wordsOf(query), wordsOf(title)]
  const both = [...asked].filter((word) => found.has(word)).length
  return both === 0 ? 0 : both / (asked.size + found.size - both)
}
