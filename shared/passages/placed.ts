import type { PassageMatch } from '../contract/passages.ts'
import type { PageText } from '../pdf-text/page-text.ts'
import { endOfCharacter, normalizeWithMap, type NormalizedText } from './letters-and-digits.ts'

/** A place of a quote in a text: UTF-16 offsets, the kind of match, and the similarity (1 unless the match is approximate). */
export interface Located {
  start: number
  end: number
  match: Exclude<PassageMatch, 'none'>
  score: number
}
/** A place in the text of a page. */
export type Placed = Located & { page: number }

/**
 * Maximum length of a place in characters: this many times the length of the quote (LONGEST_TIMES), plus LONGEST_MORE. Between
 * two letters of a quote, a page can have any amount of spaces and punctuation, which must not become a stored quote.
 */
const LONGEST_TIMES = 4
const LONGEST_MORE = 500

const normalized = new WeakMap<PageText, { source: string; value: NormalizedText }>()

/** Returns the letters and digits of a page (see normalizeWithMap). Caches them for further quotes. */
export function reduced(page: PageText): NormalizedText {
  const known = normalized.get(page)
  if (known && known.source === page.text) return known.value
  const value = normalizeWithMap(page.text)
  normalized.set(page, { source: page.text, value })
  return value
}

/** A match of a quote as offsets in the letters and digits of a page (`to` exclusive). */
export interface LettersMatch extends Pick<Located, 'match' | 'score'> {
  from: number
  to: number
}

/**
 * Converts a match to a place in the text of a page. If the match continues on the next page, returns only its part on the page
 * that contains more of it.
 */
export function onOnePage(page: PageText, next: PageText | undefined, found: LettersMatch, quote: string): Placed {
  const { from, to } = found
  const length = reduced(page).text.length
  if (to <= length || !next) return fromLetters(page, { ...found, to: Math.min(to, length) }, quote)
  const isMostlyHere = length - from >= to - length
  return isMostlyHere
    ? fromLetters(page, { ...found, to: length }, quote)
    : fromLetters(next, { ...found, from: 0, to: to - length }, quote)
}

/** Converts a match to a place in the text of its page. Includes adjacent punctuation that the quote has. */
export function fromLetters(page: PageText, { from, to, match, score }: LettersMatch, quote: string): Placed {
  const { map } = reduced(page)
  let start = map[from]!
  let end = endOfCharacter(page.text, map[to - 1]!)
  const before = /^[^\p{L}\p{N}\s]*/u.exec(quote)![0]
  // Only the last 8 characters are matched: an unbounded pattern would be tried from every position of a long quote.
  const after = /[^\p{L}\p{N}\s]*$/u.exec(quote.slice(-8))![0]
  if (before && page.text.slice(0, start).endsWith(before)) start -= before.length
  if (after && page.text.startsWith(after, end)) end += after.length
  return { page: page.page, start, end, match, score }
}

/** Returns whether a place is not much longer than the quote. */
export const isCompact = ({ start, end }: Placed, quote: string): boolean =>
  end - start <= LONGEST_TIMES * quote.length + LONGEST_MORE
