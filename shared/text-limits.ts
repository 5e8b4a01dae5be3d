/** A stored text has at most so many characters (UTF-16 units) and pages: twice the longest books. */
export const MAX_TEXT_CHARACTERS = 10_000_000
export const MAX_TEXT_PAGES = 5_000

/** The refusal of a longer text; contains the specification's words for analyze-pdf. */
export const TEXT_TOO_LARGE = `Request too large: a text may have at most ${MAX_TEXT_CHARACTERS.toLocaleString('en-US')} characters and ${MAX_TEXT_PAGES.toLocaleString('en-US')} pages.`
