import { doiText } from '#shared/doi.ts'

const RESOLVER = 'https://doi.org/'

/** The resolver's address of a DOI. Whatever is stored, the link leads to the resolver and nowhere else. */
export const doiAddress = (stored: string) =>
  RESOLVER + encodeURI(doiText(stored)).replaceAll('#', '%23').replaceAll('?', '%3F')
