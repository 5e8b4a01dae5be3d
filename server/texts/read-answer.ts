import { splitSentences } from '#shared/sentences.ts'

/** One sentence of an answer as its model wrote it. */
export interface WrittenSentence {
  /** The sentence without its citation markers. */
  text: string
  /** The pages that its markers name, in order, without repeats. */
  pages: number[]
  /** What it puts in quotation marks: words that it says are the paper's own. */
  quotes: string[]
}

const NUMBERS = String.raw`\d{1,5}(?:\s{0,9}[,;–-]\s{0,9}(?:p\.\s{0,9})?\d{1,5})*`
/**
 * `[p. 4]`, `[pp. 4–7]`, `[p. 4, 9]`, also as `(p. 4)`, with the space before it. Runs have an end here and below: of
 * thousands of blanks or dots, which a paper can make a model write, each would be a beginning.
 */
const MARKER = new RegExp(String.raw`\s{0,9}[[(]pp?\.\s{0,9}(${NUMBERS})[\])]`, 'gi')
const AFTER_STOP = new RegExp(String.raw`([.!?]{1,9}["'”’»)]{0,9})((?:\s{0,9}[[(]pp?\.\s{0,9}${NUMBERS}[\])])+)`, 'gi')
/** Fewer words between quotation marks are a term, not a quotation. */
const LEAST_QUOTED_WORDS = 3

/** Cuts an answer into its sentences and reads their citation markers, which may stand before or after the full stop. */
export function readSentences(answer: string): WrittenSentence[] {
  // "It rose. [p. 4] It fell.": the marker belongs to the sentence before it, and is put where the cut comes after it.
  const inside = answer.replace(AFTER_STOP, '$2$1')
  return splitSentences(inside)
    .map(({ start, end }) => inside.slice(start, end))
    .map((piece) => ({ text: withoutMarkers(piece), pages: pagesOf(piece), quotes: quotesOf(withoutMarkers(piece)) }))
    .filter(({ text }) => /[\p{L}\p{N}]/u.test(text))
}

const withoutMarkers = (piece: string) => piece.replace(MARKER, '').trim()

function pagesOf(piece: string): number[] {
  const numbers = [...piece.matchAll(MARKER)].flatMap((found) => found[1]!.match(/\d+/g)!.map(Number))
  return [...new Set(numbers)]
}

function quotesOf(text: string): string[] {
  // A sentence that is one quotation may hold quotation marks of the paper's own.
  const whole = /^[“"](.+)[”"][.!?]?$/su.exec(text)?.[1]
  if (whole && !/[”"][^“"]*[“"]/u.test(whole)) return [whole]
  const quoted = [...text.matchAll(/“([^”]+)”|"([^"]+)"|«([^»]+)»/g)].map((found) =>
    (found[1] ?? found[2] ?? found[3]!).trim(),
  )
  return quoted.filter((words) => words.split(/\s+/).length >= LEAST_QUOTED_WORDS)
}
