import { searchTerms } from '#server/language/search-terms.ts'
import { splitSentences, type Span } from '#shared/passages/sentences.ts'

/**
 * The words of a search in a passage. `marks`: their start and end (exclusive) in the text. `best`: the sentence with most marks,
 * or the whole text if it has no sentence.
 */
export interface MarkedPassage {
  marks: [number, number][]
  best: Span
}

/**
 * Marks the words of a text that have one of the search terms. Marked words that only a space, a line break or a hyphen separates
 * have one mark.
 */
export function markTerms(text: string, terms: ReadonlySet<string>): MarkedPassage {
  const marks: [number, number][] = []
  for (const match of text.matchAll(/[\p{L}\p{N}]+(?:[.,'’]\p{L}*\p{N}*)*[\p{L}\p{N}]|[\p{L}\p{N}]/gu)) {
    if (!searchTerms(match[0]).some((term) => terms.has(term))) continue
    const end = match.index + match[0].length
    const last = marks.at(-1)
    if (last && /^[ \n-]$/.test(text.slice(last[1], match.index))) last[1] = end
    else marks.push([match.index, end])
  }
  const within = ({ start, end }: Span) => marks.filter((mark) => mark[0] >= start && mark[1] <= end).length
  const best = splitSentences(text).reduce<Span | null>(
    (most, span) => (most === null || within(span) > within(most) ? span : most),
    null,
  )
  return { marks, best: best ?? { start: 0, end: text.length } }
}
