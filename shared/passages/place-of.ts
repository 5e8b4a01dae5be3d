import { CONTEXT_CHARACTERS, type Evidence } from '../contract/evidence.ts'
import type { PageText } from '../pdf-text/page-text.ts'
import { findPassage, type Placed } from './find-passage.ts'

/**
 * The place of a quote in a text, with the text around it: the fields of evidence (a stored quote) except those that identify
 * the document.
 */
export type Place = Omit<Evidence, 'document_id' | 'text_version'>

/**
 * Finds a quote by `findPassage` and returns the place with the exact text there and the text around it. Returns
 * `notFound(quote)` if there is no match.
 */
export function placeOf(pages: readonly PageText[], quote: string, options: { nearPage?: number } = {}): Place {
  const { page, start, end, match, score } = findPassage(pages, quote, options)
  if (page === null || start === null || end === null || match === 'none') return notFound(quote)
  return placeAt(pages, { page, start, end, match, score })
}

/** Returns the place of a match in a text, with the exact text there and the text around it. */
export function placeAt(pages: readonly PageText[], { page, start, end, match, score }: Placed): Place {
  const text = pages.find((one) => one.page === page)!.text
  return { page, start, end, quote: text.slice(start, end), ...contextOf(text, start, end), match, score }
}

/**
 * Returns the text before a place (`prefix`) and after it (`suffix`), up to CONTEXT_CHARACTERS each. Does not divide a
 * surrogate pair.
 */
export const contextOf = (text: string, start: number, end: number): Pick<Place, 'prefix' | 'suffix'> => ({
  prefix: text.slice(Math.max(0, start - CONTEXT_CHARACTERS), start).replace(/^[\uDC00-\uDFFF]/, ''),
  suffix: text.slice(end, end + CONTEXT_CHARACTERS).replace(/[\uD800-\uDBFF]$/, ''),
})

/** Returns the place of a quote that was not found: `match` is 'none', page and offsets are null. */
export const notFound = (quote: string): Place => ({
  page: null,
  start: null,
  end: null,
  quote,
  prefix: '',
  suffix: '',
  match: 'none',
  score: 0,
})
