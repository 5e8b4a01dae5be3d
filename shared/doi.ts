/** The bare DOI of what may be stored as a DOI, `doi:…` or an address of the resolver. */
export const doiText = (stored: string) => stored.trim().replace(/^(?:https?:\/\/(?:dx\.)?doi\.org\/|doi:\s*)/i, '')

/** The same in small letters, because a DOI has no case: as the database keeps it beside `doi_link`. */
export const doiKey = (stored: string) => doiText(stored).trim().toLowerCase().slice(0, 300)

/** Whether this is a DOI as registries give it: a prefix of digits, a slash, and something. */
export const isDoi = (text: string) => /^10\.\d{4,9}(?:\.\d+)*\/\S+$/.test(doiText(text))
