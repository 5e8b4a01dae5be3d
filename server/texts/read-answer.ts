import { type PageRange, pageRanges } from '#shared/passages/page-ranges.ts'
import { splitSentences } from '#shared/passages/sentences.ts'

/** One sentence of an answer, as the model wrote it. */
export interface WrittenSentence {
  /** The sentence without its citation markers. */
  text: string
  /** The pages of the sentence's citation markers, in order, without repetitions. */
  cited: PageRange[]
  /**
   * The texts in quotation marks, which the sentence presents as the paper's own words. If the sentence is one quotation, this
   * is the whole sentence, else the quoted texts of at least three words.
   */
  quotes: string[]
}

const NUMBERS = String.raw`\d{1,5}(?:\s{0,9}[,;–-]\s{0,9}(?:p\.\s{0,9})?\d{1,5})*`
/**
 * Matches a citation marker with the space before it: `[p. 4]`, `[pp. 4–7]`, `[p. 4, 9]`, also in round brackets. The number of
 * repeated characters is limited, because a hostile paper can make a model write thousands of spaces or dots, for which the
 * time would be quadratic.
 */
const MARKER = new RegExp(String.raw`\s{0,9}[[(]pp?\.\s{0,9}(${NUMBERS})[\])]`, 'gi')
const AFTER_STOP = new RegExp(String.raw`([.!?]{1,9}["'”’»)]{0,9})((?:\s{0,9}[[(]pp?\.\s{0,9}${NUMBERS}[\])])+)`, 'gi')
/** Minimum number of words in quotation marks that count as a quotation. Fewer words are a term. */
const LEAST_QUOTED_WORDS = 3
/** The quotation marks that close a quotation, by the marks that open it. */
const CLOSING: ReadonlyMap<string, string> = new Map([
  ['“', '”'],
  ['"', '"'],
  ['«', '»'],
])

/** Splits an answer into sentences and reads their citation markers, before or after the full stop. */
export function readSentences(answer: string): WrittenSentence[] {
  // "It rose. [p. 4] It fell.": moves the marker into the sentence before it.
  const inside = answer.replace(AFTER_STOP, '$2$1')
  return splitSentences(inside)
    .map(({ start, end }) => inside.slice(start, end))
    .map((piece) => ({ text: withoutMarkers(piece), cited: citedIn(piece), quotes: quotesOf(withoutMarkers(piece)) }))
    .filter(({ text }) => /[\p{L}\p{N}]/u.test(text))
}

const withoutMarkers = (piece: string) => piece.replace(MARKER, '').trim()

const citedIn = (piece: string) => pageRanges([...piece.matchAll(MARKER)].map((found) => found[1]).join())

function quotesOf(text: string): string[] {
  // A sentence that is one quotation can contain quotation marks of the paper.
  const whole = /^[“"](.+)[”"][.!?]?$/su.exec(text)?.[1]
  if (whole && !reopens(whole)) return [whole]
  const quoted = quotedIn(text).map((words) => words.trim())
  return quoted.filter((words) => words.split(/\s+/).length >= LEAST_QUOTED_WORDS)
}

/** Returns whether a text has a closing quotation mark and an opening one after it. */
function reopens(text: string): boolean {
  const closed = text.search(/[”"]/u)
  return closed >= 0 && Math.max(text.lastIndexOf('“'), text.lastIndexOf('"')) > closed
}

/** Returns the texts in quotation marks. Linear time, also with thousands of opening marks and no closing one. */
function quotedIn(text: string): string[] {
  const quoted: string[] = []
  const lastOf = new Map([...CLOSING.values()].map((mark) => [mark, text.lastIndexOf(mark)]))
  for (let at = 0; at < text.length; at++) {
    const mark = CLOSING.get(text[at]!)
    if (mark === undefined || lastOf.get(mark)! <= at) continue
    const end = text.indexOf(mark, at + 1)
    if (end === at + 1) continue
    quoted.push(text.slice(at + 1, end))
    at = end
  }
  return quoted
}
