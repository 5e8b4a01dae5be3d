import type { NameField, TextField } from './draft.ts'

/** The fields with one value and their tags. The first tag with a value is read; the first tag is written. */
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
]

/** The roles of names and their tags. All tags are read, the first is written. */
export const RIS_NAMES: [NameField, ...tags: string[]][] = [
  ['author', 'AU', 'A1'],
  ['editor', 'A2', 'ED'],
  ['collection-editor', 'A3'],
  ['translator', 'A4', 'TA'],
]

/** Databases whose accession number (AN) is a PMID. */
export const isPubMed = (name: string) => /\b(?:pubmed|medline|nlm)\b/i.test(name)
