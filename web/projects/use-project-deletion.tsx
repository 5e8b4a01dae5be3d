import { useState } from 'react'
import type { ReactNode } from 'react'
import type { Project } from '#shared/contract/projects.ts'
import { TRASH_DAYS } from '#shared/contract/trash.ts'
import { messageOf } from '#web/lib/api.ts'
import { confirm } from '#web/lib/confirm.tsx'
import { lazyPart } from '#web/lib/lazy-part.ts'
import { MountOnce } from '#web/lib/mount-once.tsx'
import { toast } from '#web/lib/toasts.tsx'
import { undoProject } from '#web/trash/index.ts'
import { useDeleteProject } from './changes.ts'
import { fetchProjectNow } from './queries.ts'

const ManageDocumentsDialog = lazyPart(() =>
  import('./manage-documents-dialog.tsx').then((file) => file.ManageDocumentsDialog),
)

/**
 * Returns `begin`, a function that starts the deletion of a project, and `dialog`, an element to render next to the button. If
 * the project contains documents, `dialog` asks first whether to move or delete them. Then a confirmation follows, and the
 * project is deleted.
 */
export function useProjectDeletion(project: Project): { begin: () => Promise<void>; dialog: ReactNode } {
  const deleting = useDeleteProject()
  const [documentCount, setDocumentCount] = useState(0)
  const [managing, setManaging] = useState(false)
  const askAndDelete = async () => {
    const about = `Its name, description, image, research question and tags are deleted too. It can be restored for ${TRASH_DAYS} days.`
    if (!(await confirm({ title: `Delete the project “${project.name}”?`, about, action: 'Delete project' }))) return
    // mutateAsync, because the card unmounts with the project and callbacks of `mutate` would not run.
    await deleting.mutateAsync(project.id).then(
      () => toast({ title: 'Project deleted', action: undoProject(project.id) }),
      (error: unknown) => toast({ title: 'Error deleting project', description: messageOf(error), destructive: true }),
    )
  }
  const begin = async () => {
    const now = await fetchProjectNow(project.id).catch((error: unknown) =>
      toast({ title: 'Error checking documents', description: messageOf(error), destructive: true }),
    )
    if (!now) return
    if (now.document_count === 0) return askAndDelete()
    setDocumentCount(now.document_count)
    setManaging(true)
  }
  /** Reads the number of documents after a failure, because a part of them can be moved. Uses `fallback` if that fails. */
  const recount = async (fallback: number) => {
    const now = await fetchProjectNow(project.id).catch(() => null)
    const count = now?.document_count ?? fallback
    setDocumentCount(count)
    return count
  }
  const dialog = (
    <MountOnce when={managing}>
      <ManageDocumentsDialog
        project={project}
        documentCount={documentCount}
        recount={recount}
        open={managing}
        onOpenChange={setManaging}
        onDone={() => {
          setManaging(false)
          void askAndDelete()
        }}
      />
    </MountOnce>
  )
  return { begin, dialog }
}
