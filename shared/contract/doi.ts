/** Returns the bare DOI of a stored value, which may be a DOI, `doi:…` or an address of the resolver. */
export const doiText = (stored: string) => stored.trim().replace(/^(?:https?:\/\/(?:dx\.)?doi\.org\/|doi:\s*)/i, '')

/** Returns the first 300 characters of the bare DOI in lower case, to compare DOIs. The database stores it beside `doi_link`. */
export const doiKey = (stored: string) => doiText(stored).trim().toLowerCase().slice(0, 300)

/** Returns true for a DOI ('10.', a numeric registrant code, a slash and a suffix) in any form that `doiText` reads. */
export const isDoi = (text: string) => /^10\.\d{4,9}(?:\.\d+)*\/\S+$/.test(doiText(text))
