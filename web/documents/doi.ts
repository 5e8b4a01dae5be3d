const RESOLVER = 'https://doi.org/'

/** The bare DOI of what may be stored as a DOI, `doi:…` or an address of the resolver. */
export const doiText = (stored: string) => stored.trim().replace(/^(?:https?:\/\/(?:dx\.)?doi\.org\/|doi:\s*)/i, '')

/** The resolver's address of a DOI. Whatever is stored, the link leads to the resolver and nowhere else. */
export const doiAddress = (stored: string) =>
  RESOLVER + encodeURI(doiText(stored)).replaceAll('#', '%23').replaceAll('?', '%3F')
