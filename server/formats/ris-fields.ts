import type { Reference } from '#shared/contract/references.ts'
import { setText, type NameField, type TextField } from './draft.ts'

/** For each text field, its tags in RIS. The first tag with a value is read; the first tag in the list is written. */
export const RIS_TEXT: [TextField, ...tags: string[]][] = [
  ['title-short', 'ST'],
  ['container-title-short', 'J2', 'JA'],
  ['collection-title', 'T3'],
  ['volume', 'VL'],
  ['issue', 'IS', 'CP'],
  ['number', 'M1'],
  ['publisher', 'PB'],
  ['publisher-place', 'CY', 'PP'],
  ['abstract', 'AB', 'N2'],
  ['language', 'LA'],
  ['edition', 'ET'],
  ['section', 'SE'],
  ['number-of-volumes', 'NV'],
  ['citation-key', 'ID'],
  ['call-number', 'CN'],
  ['archive_location', 'AV'],
]

/** For each role of a name, such as 'author', its tags in RIS. All tags are read; the first tag in the list is written. */
export const RIS_NAMES: [NameField, ...tags: string[]][] = [
  ['author', 'AU', 'A1'],
  ['editor', 'A2', 'ED'],
  ['collection-editor', 'A3'],
  ['translator', 'A4', 'TA'],
]

/**
 * Sets the archive of a reference that has an archive location: the first of the databases that is not PubMed. Does nothing for
 * other references, because their database is only the place in which they were found.
 */
export function setArchive(item: Reference, databases: readonly string[]): void {
  if (item.archive_location) setText(item, 'archive', ...databases.filter((name) => !isPubMed(name)))
}

/** Returns true if the accession numbers (AN) of a database are PMIDs. */
export const isPubMed = (name: string) => /\b(?:pubmed|medline|nlm)\b/i.test(name)
