import { documentTitle } from '#shared/contract/documents.ts'
import type { Item } from './cite.ts'
import type { CitedRow } from './queries.ts'

/** Returns the reference of a document with its id; a document without a title is cited by its file name. */
export const referenceOf = (row: CitedRow): Item => ({
  type: 'article-journal',
  ...row.reference,
  title: row.reference.title || documentTitle(row),
  id: row.id,
})
