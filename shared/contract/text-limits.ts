import { grouped } from '#shared/text/numbers.ts'

/** Maximum length of a stored text in UTF-16 units, and maximum number of its pages: twice the length of the longest books. */
export const MAX_TEXT_CHARACTERS = 10_000_000
export const MAX_TEXT_PAGES = 5_000

/**
 * Error for a text that exceeds MAX_TEXT_CHARACTERS or MAX_TEXT_PAGES. It contains the error message that the specification
 * gives for the server function analyze-pdf.
 */
export const TEXT_TOO_LARGE = `Request too large: a text may have at most ${grouped(MAX_TEXT_CHARACTERS)} characters and ${grouped(MAX_TEXT_PAGES)} pages.`
