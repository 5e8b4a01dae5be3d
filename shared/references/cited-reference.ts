import { documentTitle } from '#shared/contract/documents.ts'
import type { Reference } from '#shared/contract/references.ts'
import type { StoredReference } from './columns.ts'

/**
 * Returns the reference of a document as a complete CSL item for citations. Adds the id of the document, and the type
 * 'article-journal' if the reference has no type. If the reference has no title, uses the title of the document, else its
 * filename, else 'Untitled paper'.
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
