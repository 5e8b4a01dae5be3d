import { splitSentences, type Span } from '#shared/sentences.ts'
import type { TextChunk } from './chunk-text.ts'

/** A shorter one (a heading, a cell of a table, "See above.") draws questions to itself without answering them. */
const LEAST_WORDS = 4

/**
 * The sentences of a chunk that get a vector, as offsets in the page's text: those of at least four words
 * that are no questions, else its questions; of a chunk that has none (a table, a list of names) the whole chunk.
 */
export function planSentences({ content, pageOffset }: TextChunk): Span[] {
  const spans = splitSentences(content).filter(
    ({ start, end }) => (content.slice(start, end).match(/\p{L}{2,}|\p{Script=Han}/gu)?.length ?? 0) >= LEAST_WORDS,
  )
  // The paper's own questions would be nearest to every reader's question.
  const statements = spans.filter(({ start, end }) => !/\?["'”’»)\]]*$/.test(content.slice(start, end)))
  const kept = statements.length > 0 ? statements : spans.length > 0 ? spans : [{ start: 0, end: content.length }]
  return kept.map(({ start, end }) => ({ start: start + pageOffset, end: end + pageOffset }))
}
