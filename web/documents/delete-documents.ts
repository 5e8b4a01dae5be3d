import { documentTitle } from '#shared/contract/documents.ts'
import { NO_VALID_DOCUMENTS } from '#shared/contract/bulk-documents.ts'
import type { DocumentRow } from '#shared/contract/documents.ts'
import { TRASH_DAYS } from '#shared/contract/trash.ts'
import { ApiError, messageOf } from '#web/lib/api.ts'
import { confirm } from '#web/lib/confirm.tsx'
import { counted } from '#web/lib/dates.ts'
import { listed } from '#web/lib/listed.ts'
import { toast } from '#web/lib/toasts.tsx'
import { undoDocuments } from '#web/trash/index.ts'
import { deleteDocument, deleteDocuments } from './queries.ts'

const ASK_FOR_ONE = 'Are you sure you want to delete this document?'
const WAY_BACK = `Its file, text and analysis are deleted too. It can be restored for ${TRASH_DAYS} days.`
const WAY_BACK_ALL = `Their files, texts and analyses are deleted too. They can be restored for ${TRASH_DAYS} days.`

/**
 * Deletes a document after a confirmation and shows the result as a toast. Returns true if the document is deleted, and false
 * if the user cancels or the deletion fails.
 */
export async function confirmAndDelete(row: Pick<DocumentRow, 'id' | 'title' | 'filename'>): Promise<boolean> {
  const name = documentTitle(row)
  const question = {
    title: ASK_FOR_ONE,
    about: `“${name}”. ${WAY_BACK}`,
    action: 'Delete document',
  }
  if (!(await confirm(question))) return false
  try {
    await deleteDocument(row.id)
  } catch (error) {
    // A document that another session has deleted counts as deleted.
    if (!isGone(error)) {
      toast({ title: 'Error deleting document', description: `${name}: ${messageOf(error)}`, destructive: true })
      return false
    }
  }
  toast({
    title: 'Document deleted',
    description: 'Document was successfully deleted',
    action: undoDocuments([row.id]),
  })
  return true
}

const isGone = (error: unknown) => error instanceof ApiError && error.status === 404

/**
 * Returns the first three titles and the number of the remaining documents. The confirmation shows titles because selected
 * documents can be on another page or hidden by a search.
 */
function namesOf(rows: readonly DocumentRow[]): string {
  const names = rows.slice(0, 3).map((row) => `“${documentTitle(row)}”`)
  const more = rows.length - names.length
  return listed(more > 0 ? [...names, `${more} more`] : names)
}

/**
 * Deletes the selected documents with one request after a confirmation, and shows the result as a toast. `onStart` is called
 * when the request is sent. Resolves to true if the documents are deleted, also if another session had deleted them before.
 * Resolves to false if the user cancels or the request fails; a refused request deletes no document.
 */
export async function confirmAndDeleteAll(rows: readonly DocumentRow[], onStart: () => void): Promise<boolean> {
  const n = rows.length
  const sure = await confirm({
    title: n === 1 ? ASK_FOR_ONE : `Are you sure you want to delete ${n} documents?`,
    about: `${namesOf(rows)}. ${n === 1 ? WAY_BACK : WAY_BACK_ALL}`,
    action: n === 1 ? 'Delete 1 document' : `Delete ${n} documents`,
  })
  if (!sure) return false
  onStart()
  const fail = (description: string) => toast({ title: 'Error deleting documents', description, destructive: true })
  try {
    const { count, missing } = await deleteDocuments(rows.map(({ id }) => id))
    toast({
      title: `${counted(count, 'document')} deleted`,
      description: `Selected documents have been deleted${missing.length > 0 ? `. ${missing.length} had been deleted before.` : ''}`,
      action: undoDocuments(rows.map(({ id }) => id).filter((id) => !missing.includes(id))),
    })
    return true
  } catch (error) {
    // Without an answer of the server, the documents may be deleted.
    const isRefused = error instanceof ApiError && error.status >= 400 && error.status < 500
    const failure = `${isRefused ? '. No document was deleted' : ''}: ${messageOf(error)}`
    fail(isGone(error) ? NO_VALID_DOCUMENTS : `Failed to delete some documents: ${namesOf(rows)}${failure}`)
    return isGone(error)
  }
}
