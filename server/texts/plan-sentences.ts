import { splitSentences, type Span } from '#shared/passages/sentences.ts'
import type { TextChunk } from './chunk-text.ts'

/**
 * Minimum number of words of a sentence that gets a vector. Shorter sentences, such as a heading, a table cell or 'See above.',
 * match questions without answering them.
 */
const LEAST_WORDS = 4

/**
 * Returns the sentences of a chunk that get a vector, as offsets in the text of the page: its statements of at least four
 * words. If there are none, returns its questions; if there are no questions, returns the whole chunk (a table, a list of
 * names).
 */
export function planSentences({ content, pageOffset }: TextChunk): Span[] {
  const spans = splitSentences(content).filter(
    ({ start, end }) => (content.slice(start, end).match(/\p{L}{2,}|\p{Script=Han}/gu)?.length ?? 0) >= LEAST_WORDS,
  )
  // A question of the paper would be the best match of every reader's question.
  const statements = spans.filter(({ start, end }) => !/\?["'”’»)\]]*$/.test(content.slice(start, end)))
  const chosen = statements.length > 0 ? statements : spans.length > 0 ? spans : [{ start: 0, end: content.length }]
  return chosen.map(({ start, end }) => ({ start: start + pageOffset, end: end + pageOffset }))
}
