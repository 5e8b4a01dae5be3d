import { doiText } from '#shared/contract/doi.ts'

const RESOLVER = 'https://doi.org/'

/**
 * Returns the doi.org URL of a DOI. Special characters are escaped, so that even an invalid DOI cannot lead to another site.
 */
export const doiAddress = (stored: string) =>
  RESOLVER + encodeURI(doiText(stored)).replaceAll('#', '%23').replaceAll('?', '%3F')
