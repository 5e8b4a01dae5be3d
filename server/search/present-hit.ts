import type { MarkedPassage } from '#server/texts/index.ts'
import type { SearchHit } from '#shared/contract/library-search.ts'
import type { Listed } from './list-results.ts'
import type { PassageRow } from './passage-queries.ts'

/** Returns a row of the response. A passage without a page is the title and the abstract. */
export function presentHit(
  { score, matched, best, more }: Listed,
  passage: PassageRow,
  marked: MarkedPassage,
): SearchHit {
  const { position: _, page_number, page_offset, content, ...paper } = passage
  const { start, end } = best ?? marked.best
  const isInText = page_number > 0
  return {
    ...paper,
    content,
    page: isInText ? page_number : null,
    start: isInText ? page_offset : null,
    marks: marked.marks,
    best: [start, end],
    best_sentence: content.slice(start, end),
    score,
    matched,
    more,
  }
}
