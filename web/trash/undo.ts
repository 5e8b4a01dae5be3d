import { messageOf } from '#web/lib/api.ts'
import { counted } from '#web/lib/dates.ts'
import { toast } from '#web/lib/toasts.tsx'
import { restoreDocuments, restoreDocumentsOf, restoreProject } from './queries.ts'

/** Returns the button 'Undo' of a toast. It restores the deleted documents with these ids. */
export const undoDocuments = (ids: readonly string[]) => undo(() => bringDocumentsBack(ids))

/**
 * Returns the button 'Undo' of a toast. It restores the documents of a project that were deleted at the time `since` or later.
 */
export const undoDocumentsOf = (projectId: string, since: string) =>
  undo(async () => {
    const { count } = await restoreDocumentsOf(projectId, since)
    toast({ title: `${counted(count, 'document')} restored` })
  })

/** Returns the button 'Undo' of a toast. It restores the deleted project with this id. */
export const undoProject = (id: string) => undo(() => bringProjectBack(id))

/** Restores documents and shows a toast with their number. */
export async function bringDocumentsBack(ids: readonly string[]): Promise<void> {
  const { count, missing } = await restoreDocuments(ids)
  toast({
    title: count === 1 ? 'Document restored' : `${counted(count, 'document')} restored`,
    ...(missing.length > 0 ? { description: `${missing.length} could not be restored.` } : {}),
  })
}

/**
 * Restores a project and shows a toast. `before` is the name of the project before the deletion: if another project has this
 * name now, the restored project gets a new name, which the toast shows.
 */
export async function bringProjectBack(id: string, before?: string): Promise<void> {
  const { name, document_count } = await restoreProject(id)
  const renamed = before !== undefined && before !== name ? ` Its name is in use, so it is now called “${name}”.` : ''
  toast({ title: 'Project restored', description: `“${name}” with ${counted(document_count, 'document')}.${renamed}` })
}

/** Runs the function `work`, which restores something, and shows a toast if it fails. */
export const toastFailure = (work: () => Promise<void>): Promise<void> =>
  work().catch((error: unknown) =>
    toast({ title: 'Could not be restored', description: messageOf(error), destructive: true }),
  )

const undo = (work: () => Promise<void>) => ({ label: 'Undo', run: () => void toastFailure(work) })
