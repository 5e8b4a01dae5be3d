import { messageOf } from '#web/lib/api.ts'
import { counted } from '#web/lib/dates.ts'
import { toast } from '#web/lib/toasts.tsx'
import { restoreDocuments, restoreDocumentsOf, restoreProject } from './queries.ts'

/** The button of a notice that brings deleted documents back. */
export const undoDocuments = (ids: readonly string[]) => undo(() => bringDocumentsBack(ids))

/** The button of a notice that brings all documents of a project back that were just deleted. */
export const undoDocumentsOf = (projectId: string) =>
  undo(async () => {
    const { count } = await restoreDocumentsOf(projectId)
    toast({ title: `${counted(count, 'document')} restored` })
  })

/** The button of a notice that brings a deleted project back. */
export const undoProject = (id: string) => undo(() => bringProjectBack(id))

/** Restores documents and says how many. */
export async function bringDocumentsBack(ids: readonly string[]): Promise<void> {
  const { count, missing } = await restoreDocuments(ids)
  toast({
    title: count === 1 ? 'Document restored' : `${counted(count, 'document')} restored`,
    ...(missing.length > 0 ? { description: `${missing.length} could not be restored.` } : {}),
  })
}

/** Brings a project back and says under which name, when another one has taken its own. */
export async function bringProjectBack(id: string, before?: string): Promise<void> {
  const { name, document_count } = await restoreProject(id)
  const renamed = before !== undefined && before !== name ? ` Its name was taken: it is now called “${name}”.` : ''
  toast({ title: 'Project restored', description: `“${name}” with ${counted(document_count, 'document')}.${renamed}` })
}

/** Runs what brings something back; a failure is told. */
export const orSayWhy = (work: () => Promise<void>): Promise<void> =>
  work().catch((error: unknown) =>
    toast({ title: 'Could not be restored', description: messageOf(error), destructive: true }),
  )

const undo = (work: () => Promise<void>) => ({ label: 'Undo', run: () => void orSayWhy(work) })
