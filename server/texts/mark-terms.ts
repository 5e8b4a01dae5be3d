import { searchTerms } from '#server/language/search-terms.ts'
import { splitUnspaced } from '#server/language/unspaced-words.ts'
import { splitSentences, type Span } from '#shared/passages/sentences.ts'

/**
 * A passage with marked words of a search. `marks` are the start and end (exclusive) offsets of the marked words. `best` is the
 * sentence with most marks, or the whole text if it has no sentence.
 */
export interface MarkedPassage {
  marks: [number, number][]
  best: Span
}

/**
 * Marks the words of a text that match a term of a search: one of the terms that `searchTerms` returns for the word (in lower
 * case, without accents, stemmed) is in `terms`. Adjacent marked words get one mark if nothing, or only a space, a line break
 * or a hyphen, is between them.
 */
export function markTerms(text: string, terms: ReadonlySet<string>): MarkedPassage {
  const marks: [number, number][] = []
  for (const { word, start } of wordsOf(text)) {
    if (!searchTerms(word).some((term) => terms.has(term))) continue
    const end = start + word.length
    const last = marks.at(-1)
    if (last && /^[ \n-]?$/.test(text.slice(last[1], start))) last[1] = end
    else marks.push([start, end])
  }
  return { marks, best: bestSentence(splitSentences(text), marks) ?? { start: 0, end: text.length } }
}

/** Returns the first sentence with most marks. Reads each list once, because both are sorted and a text can have thousands. */
function bestSentence(sentences: readonly Span[], marks: readonly [number, number][]): Span | undefined {
  let best: Span | undefined
  let most = -1
  let next = 0
  for (const sentence of sentences) {
    while (next < marks.length && marks[next]![0] < sentence.start) next += 1
    const first = next
    while (next < marks.length && marks[next]![1] <= sentence.end) next += 1
    if (next - first <= most) continue
    best = sentence
    most = next - first
  }
  return best
}

const WORD = /[\p{L}\p{N}]+(?:[.,'’]\p{L}*\p{N}*)*[\p{L}\p{N}]|[\p{L}\p{N}]/gu

const wordsOf = (text: string) =>
  splitUnspaced(text).flatMap((part) =>
    part.isWord
      ? [{ word: part.text, start: part.start }]
      : [...part.text.matchAll(WORD)].map(({ 0: word, index }) => ({ word, start: part.start + index })),
  )
