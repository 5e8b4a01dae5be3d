import { doiText } from '#shared/contract/doi.ts'

const RESOLVER = 'https://doi.org/'

/** Returns the resolver URL of a DOI. For any stored text, the URL stays on the resolver's site. */
export const doiAddress = (stored: string) =>
  RESOLVER + encodeURI(doiText(stored)).replaceAll('#', '%23').replaceAll('?', '%3F')
