import { documentTitle } from '#shared/documents.ts'
import type { DocumentRow } from '#shared/documents.ts'
import { KEPT_DAYS } from '#shared/trash.ts'
import { confirm } from '#web/lib/confirm.tsx'
import { toast } from '#web/lib/toasts.tsx'
import { undoDocuments } from '#web/trash/index.ts'
import { deleteDocuments } from './queries.ts'

const WAY_BACK = `The file, its text and its analysis go with it. It can be restored for ${KEPT_DAYS} days.`
const WAY_BACK_ALL = `Their files, texts and analyses go with them. They can be restored for ${KEPT_DAYS} days.`

/** Asks, then deletes one document; true when it is gone. */
export async function confirmAndDelete(row: Pick<DocumentRow, 'id' | 'title' | 'filename'>): Promise<boolean> {
  const name = documentTitle(row)
  const question = {
    title: 'Are you sure you want to delete this document?',
    about: `“${name}”. ${WAY_BACK}`,
    action: 'Delete document',
  }
  if (!(await confirm(question))) return false
  const { failures } = await deleteDocuments([{ id: row.id, name }])
  if (failures.length > 0) toast({ title: 'Error deleting document', description: failures[0], destructive: true })
  else
    toast({
      title: 'Document deleted',
      description: 'Document was successfully deleted',
      action: undoDocuments([row.id]),
    })
  return failures.length === 0
}

/** The first three by name: chosen ones may stand on another page, or be hidden by a search. */
function namesOf(rows: readonly DocumentRow[]): string {
  const names = rows.slice(0, 3).map((row) => `“${documentTitle(row)}”`)
  const more = rows.length - names.length
  const last = more > 0 ? `${more} more` : names.pop()!
  return names.length > 0 ? `${names.join(', ')} and ${last}` : last
}

/** Asks, then deletes all that are chosen; answers those that are gone. */
export async function confirmAndDeleteAll(rows: readonly DocumentRow[]): Promise<DocumentRow[]> {
  const n = rows.length
  if (
    !(await confirm({
      title: `Are you sure you want to delete ${n} documents?`,
      about: `${namesOf(rows)}. ${n === 1 ? WAY_BACK : WAY_BACK_ALL}`,
      action: n === 1 ? 'Delete 1 document' : `Delete ${n} documents`,
    }))
  )
    return []
  const { deleted, missing, failures, left } = await deleteDocuments(
    rows.map((row) => ({ id: row.id, name: documentTitle(row) })),
  )
  if (failures.length > 0)
    toast({
      title: 'Error deleting documents',
      description: `Failed to delete some documents: ${failures.join('; ')}`,
      destructive: true,
    })
  else if (deleted === 0 && missing > 0)
    toast({ title: 'Error deleting documents', description: 'No valid documents to delete', destructive: true })
  else
    toast({
      title: 'Success',
      description: 'Selected documents have been deleted',
      action: undoDocuments(rows.map((row) => row.id)),
    })
  return rows.filter((row) => !left.includes(row.id))
}
