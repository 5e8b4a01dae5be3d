import { documentTitle } from '#shared/contract/documents.ts'
import type { Reference } from '#shared/contract/references.ts'
import type { StoredReference } from './columns.ts'

/**
 * Returns the reference of a document as a complete CSL item: with the id of the document, the type 'article-journal' if it has
 * none, and the result of `documentTitle` if the reference has no title.
 */
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
