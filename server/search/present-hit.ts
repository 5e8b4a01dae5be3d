import type { MarkedPassage } from '#server/texts/index.ts'
import type { SearchHit } from '#shared/contract/library-search.ts'
import { placeOf } from '#shared/passages/place-of.ts'
import { shortAuthorsOf } from '#shared/references/short-authors.ts'
import type { Listed } from './list-results.ts'
import type { PassageRow } from './passage-queries.ts'

/**
 * Converts a found passage to a hit of the response. A passage with the title and the abstract (page 0) has no page in the hit.
 */
export function presentHit(
  { score, matched, best, more }: Listed,
  passage: PassageRow,
  marked: MarkedPassage,
): SearchHit {
  const { position: _, page_number, page_offset, content, author_names, ...paper } = passage
  const { start, end } = best ?? marked.best
  const isInText = page_number > 0
  return {
    ...paper,
    authors_short: shortAuthorsOf({ author: author_names ?? [] }, paper.authors),
    content,
    page: isInText ? page_number : null,
    start: isInText ? page_offset : null,
    marks: marked.marks,
    best: [start, end],
    best_sentence: content.slice(start, end),
    evidence: isInText ? evidenceOf(passage, content.slice(start, end)) : null,
    score,
    matched,
    more,
  }
}

/** Returns the place of a sentence of a passage in the text of its page, with the text of the passage around it. */
function evidenceOf({ document_id, text_version, page_number, page_offset, content }: PassageRow, sentence: string) {
  const { start, end, ...found } = placeOf([{ page: page_number, start: 0, text: content }], sentence)
  const inPage = (at: number | null) => (at === null ? null : at + page_offset)
  return { document_id, text_version, ...found, start: inPage(start), end: inPage(end) }
}
