import { useState } from 'react'
import type { ReactNode } from 'react'
import { documentTitle } from '#shared/contract/documents.ts'
import { api } from '#shared/contract/paths.ts'
import type { DeletedDocument, DeletedProject } from '#shared/contract/trash.ts'
import { messageOf } from '#web/lib/api.ts'
import { confirm } from '#web/lib/confirm.tsx'
import { counted, shortDate } from '#web/lib/dates.ts'
import { toast } from '#web/lib/toasts.tsx'
import { Button } from '#web/ui/button.tsx'
import { cn } from '#web/ui/class-names.ts'
import { PaperMarks } from '#web/ui/paper-marks.tsx'
import { removeForGood, undoJoin } from './queries.ts'
import styles from './trash.module.css'
import { bringDocumentsBack, bringProjectBack, toastFailure } from './undo.ts'

const DAY_MS = 86_400_000

/** A deleted project in the trash. Restoring or deleting it applies also to the documents that were deleted with it. */
export function DeletedProjectRow({ project }: { project: DeletedProject }) {
  const { id, name, document_count } = project
  const withIt = document_count > 0 ? ` and ${counted(document_count, 'document')} with it` : ''
  return (
    <Row
      name={name}
      about={document_count > 0 ? `with ${counted(document_count, 'document')}` : 'without documents'}
      times={project}
      restore={() => bringProjectBack(id, name)}
      question={`Delete the project “${name}”${withIt} permanently?`}
      path={api.trashProject(id)}
    />
  )
}

/**
 * A deleted document in the trash, with the dates of its deletion and its permanent removal, and its buttons. If the document
 * was joined (merged) with a duplicate, restoring it undoes the join.
 */
export function DeletedDocumentRow({ document }: { document: DeletedDocument }) {
  const { id, project_name, project_deleted, join } = document
  const name = documentTitle(document)
  const place = project_name === null ? 'without a project' : `in “${project_name}”`
  const about = project_deleted ? `${place}, which is restored with it` : place
  return (
    <Row
      name={name}
      marks={<PaperMarks retracted={document.retracted} />}
      about={join ? `${about}, joined with “${join.kept_title}”` : about}
      times={document}
      restore={() => (join ? bringJoinedBack(join.id) : bringDocumentsBack([id]))}
      question={`Delete “${name}” permanently?`}
      path={api.trashDocument(id)}
    />
  )
}

/** Undoes the join of two duplicate papers, which moved one of them to the trash. */
async function bringJoinedBack(joinId: string): Promise<void> {
  await undoJoin(joinId)
  toast({ title: 'Document restored', description: 'The two papers are no longer joined.' })
}

function Row({
  name,
  marks,
  about,
  times,
  restore,
  question,
  path,
}: {
  name: string
  marks?: ReactNode
  about: ReactNode
  times: { deleted_at: string; gone_at: string }
  restore: () => Promise<void>
  question: string
  path: string
}) {
  const [busy, setBusy] = useState(false)
  const run = async (work: () => Promise<unknown>) => {
    setBusy(true)
    await work()
    setBusy(false)
  }
  const remove = async () => {
    const asked = {
      title: question,
      about: 'Its files are deleted too. This cannot be undone.',
      action: 'Delete permanently',
    }
    if (!(await confirm(asked))) return
    await removeForGood(path).then(
      () => toast({ title: 'Deleted permanently' }),
      (error: unknown) => toast({ title: 'Error deleting', description: messageOf(error), destructive: true }),
    )
  }
  const days = Math.max(0, Math.ceil((Date.parse(times.gone_at) - Date.now()) / DAY_MS))
  return (
    <li>
      <div className="min-w-0">
        <p className={styles.title}>
          {name} {marks}
        </p>
        <p className={cn(styles.details, 'text-muted-foreground text-meta')}>
          {about} · deleted on {shortDate(times.deleted_at)} ·{' '}
          <span className={days <= 3 ? styles.expiresSoon : undefined}>
            deleted permanently on {shortDate(times.gone_at)}, in {counted(days, 'day')}
          </span>
        </p>
      </div>
      <div className={styles.actions}>
        <Button
          size="sm"
          disabled={busy}
          aria-label={`Restore ${name}`}
          onClick={() => void run(() => toastFailure(restore))}
        >
          Restore
        </Button>
        <Button
          size="sm"
          variant="ghost"
          disabled={busy}
          aria-label={`Delete ${name} permanently`}
          onClick={() => void run(remove)}
        >
          Delete permanently
        </Button>
      </div>
    </li>
  )
}
