import type { ImportKind, ImportRow } from '#shared/contract/imports.ts'
import type { ReadFormat } from '#shared/contract/reference-formats.ts'

/** The labels of the formats of reference files. */
export const FORMAT_LABELS: Record<ReadFormat, string> = {
  bibtex: 'BibTeX',
  ris: 'RIS',
  nbib: 'PubMed',
  'pubmed-xml': 'PubMed XML',
  'endnote-tagged': 'EndNote tagged',
  'endnote-xml': 'EndNote XML',
  'web-of-science': 'Web of Science',
  'csl-json': 'CSL-JSON',
  csv: 'CSV',
}

const KIND_NAMES: Record<ImportKind, string> = {
  file: 'File',
  zotero: 'Zotero',
  identifiers: 'Identifiers',
  feed: 'Feed',
  recommendation: 'Discover',
  drive: 'Google Drive',
  upload: 'Upload',
  api: 'API',
}

/** Returns the name of an import for display: the name of its source, else its file name, else its kind. */
export const importName = ({
  source_name,
  filename,
  kind,
}: Pick<ImportRow, 'source_name' | 'kind'> & { filename?: ImportRow['filename'] }) =>
  source_name ?? filename ?? KIND_NAMES[kind]

/** Returns the authors and the year of a record in one line: at most three authors, then 'et al.' for the others. */
export function authorsAndYear({ authors, year }: { authors: readonly string[]; year: number | null }): string {
  const shown = authors.slice(0, 3).join(', ')
  const names = authors.length > 3 ? `${shown} et al.` : shown
  return [names, year].filter(Boolean).join(', ')
}
