/** Maximum length of the key in characters, because a row of an index in PostgreSQL has at most 2,704 bytes. */
const MATCH_MAX = 500
const TAG_OR_ENTITY = /<\/?[A-Za-z][^<>]*>|&(?:[A-Za-z]+|#[0-9]+|#[xX][0-9A-Fa-f]+);/g

/**
 * Returns the key by which titles and names are compared (FMT-40): their letters and digits in lower case (NFKD, without
 * accents), without tags and entities. The SQL function `text_match` returns the same key.
 */
export const titleMatch = (text: string): string =>
  [
    ...text
      .replaceAll(TAG_OR_ENTITY, '')
      .normalize('NFKD')
      .toLowerCase()
      .replaceAll('ς', 'σ')
      .replaceAll(/[^\p{L}\p{N}]/gu, ''),
  ]
    .slice(0, MATCH_MAX)
    .join('')

/** Minimum number of letters and digits of a title that identifies a paper. A shorter title such as 'Editorial' does not. */
export const LONG_TITLE = 25
