import { CONTEXT_CHARACTERS, type Evidence } from '../contract/evidence.ts'
import type { PageText } from '../pdf-text/page-text.ts'
import { findPassage } from './find-passage.ts'

/** Evidence without its document. */
export type Place = Omit<Evidence, 'document_id' | 'text_version'>

/**
 * Finds a quote by `findPassage` and returns the place with the exact text there and the text around it. Cuts no character
 * in two.
 */
export function placeOf(pages: readonly PageText[], quote: string, options: { nearPage?: number } = {}): Place {
  const { page, start, end, match, score } = findPassage(pages, quote, options)
  const text = pages.find((one) => one.page === page)?.text
  if (text === undefined || start === null || end === null)
    return { page: null, start: null, end: null, quote, prefix: '', suffix: '', match: 'none', score: 0 }
  return {
    page,
    start,
    end,
    quote: text.slice(start, end),
    prefix: text.slice(Math.max(0, start - CONTEXT_CHARACTERS), start).replace(/^[\uDC00-\uDFFF]/, ''),
    suffix: text.slice(end, end + CONTEXT_CHARACTERS).replace(/[\uD800-\uDBFF]$/, ''),
    match,
    score,
  }
}
