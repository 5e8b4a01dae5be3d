/** Matches the percent-encoded forms of # ( ) / : ; < > [ and ], which addresses of DOIs contain. */
const ENCODED = /%(?:2[389f]|3[abce]|5[bd])/gi

/** Returns a text with the percent-encoded punctuation of DOIs decoded: '10.1000/a' for '10.1000%2Fa'. */
export const decodedDoi = (text: string) => text.replaceAll(ENCODED, decodeURIComponent)

/**
 * Returns the bare DOI of a value, which may be a DOI, `doi:…` or an address of the resolver. A DOI is decoded if it is
 * percent-encoded; other text is not changed.
 */
export function doiText(value: string): string {
  const bare = value.trim().replace(/^(?:https?:\/\/(?:dx\.)?doi\.org\/|doi:\s*)/i, '')
  return bare.startsWith('10.') ? decodedDoi(bare) : bare
}

/**
 * Returns the first 300 characters of the bare DOI in lower case, to compare DOIs. The database stores it beside `doi_link`.
 */
export const doiKey = (stored: string) => doiText(stored).trim().toLowerCase().slice(0, 300)

/** Returns true for a DOI ('10.', a numeric registrant code, a slash and a suffix) in any form that `doiText` reads. */
export const isDoi = (text: string) => /^10\.\d{4,9}(?:\.\d+)*\/\S+$/.test(doiText(text))
