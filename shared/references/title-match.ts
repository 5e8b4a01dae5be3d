/** Maximum length of the key: the row of an index has at most 2,704 bytes. */
const MATCH_MAX = 500
const TAG_OR_ENTITY = /<\/?[A-Za-z][^<>]*>|&(?:[A-Za-z]+|#[0-9]+|#[xX][0-9A-Fa-f]+);/g

/**
 * Returns the key that compares titles and names (FMT-40): letters and digits in lower case (NFKD, without accents), without
 * tags and entities. Equal to the function `text_match` of the database.
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
