import { documentTitle } from '#shared/contract/documents.ts'
import { doiText } from '#shared/contract/doi.ts'
import { parseDate } from '#shared/references/dates.ts'
import { anyOrder } from '#shared/references/names.ts'
import type { Item } from './cite.ts'
import type { CitedRow } from './queries.ts'

/** Returns the reference of a document. */
export function referenceOf(row: CitedRow): Item {
  const issued = row.publication_date ? parseDate(row.publication_date) : undefined
  const author = row.authors.flatMap((name) => anyOrder(name) ?? [])
  return {
    id: row.id,
    type: 'article-journal',
    title: documentTitle(row),
    ...(author.length > 0 ? { author } : {}),
    ...(issued ? { issued } : {}),
    ...(row.journal_name ? { 'container-title': row.journal_name } : {}),
    ...(row.doi_link ? { DOI: doiText(row.doi_link) } : {}),
    ...(row.link && !row.doi_link ? { URL: row.link } : {}),
  }
}
