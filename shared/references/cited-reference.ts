import { documentTitle } from '#shared/contract/documents.ts'
import type { Reference } from '#shared/contract/references.ts'
import type { StoredReference } from './columns.ts'

/** Returns the whole reference of a document with its id. A document without a title has its file name as title. */
export const citedReference = (document: {
  id: string
  filename: string
  title: string | null
  reference: StoredReference
}): Reference & { id: string } => ({
  type: 'article-journal',
  ...document.reference,
  title: document.reference.title || documentTitle(document),
  id: document.id,
})
