import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { MOST_SCOPE_PAPERS } from '#shared/contract/conversations.ts'
import { BULK_MAX } from '#shared/contract/bulk-documents.ts'
import type { DocumentRow } from '#shared/contract/documents.ts'
import { EXPORT_IDS_MAX } from '#shared/contract/exports.ts'
import type { Job } from '#shared/contract/jobs.ts'
import { pages } from '#shared/contract/paths.ts'
import type { Project } from '#shared/contract/projects.ts'
import { PROCESS_MAX } from '#shared/contract/processing.ts'
import type { ProcessStep } from '#shared/contract/processing.ts'
import { copyCitations } from '#web/citations/index.ts'
import { LazyExportDialog } from '#web/exports/index.ts'
import { storeAskedPapers } from '#web/lib/asked-papers.ts'
import { toast } from '#web/lib/toasts.tsx'
import { cancelBulkRun, ProcessDialog, startBulkRun } from '#web/processing/index.ts'
import { CopyDialog } from './copy-dialog.tsx'
import { confirmAndDeleteAll } from './delete-documents.ts'
import { SelectionBar } from './selection-bar.tsx'
import { TagsDialog } from './tags-dialog.tsx'

/**
 * The bar of bulk actions for the selected documents, with the dialogs that the actions open. It also shows the progress of a
 * running bulk run (a job that processes several documents).
 */
export function BulkWork({
  project,
  rows,
  hidden,
  active,
  onGone,
  onClear,
}: {
  project: Project
  rows: readonly DocumentRow[]
  /** Number of `rows` that the list does not show. */
  hidden: number
  active: readonly Job[]
  /** Called after documents were deleted. */
  onGone: (rows: readonly DocumentRow[]) => void
  onClear: () => void
}) {
  const navigate = useNavigate()
  const [steps, setSteps] = useState<readonly ProcessStep[]>()
  const [copying, setCopying] = useState(false)
  const [tagging, setTagging] = useState(false)
  const [exporting, setExporting] = useState(false)
  const [deleting, setDeleting] = useState(0)
  const process = (chosen: readonly ProcessStep[]) => {
    if (rows.length <= PROCESS_MAX) setSteps(chosen)
    else refuseMoreThan(PROCESS_MAX)
  }
  const ask = () => {
    if (rows.length > MOST_SCOPE_PAPERS) return refuseMoreThan(MOST_SCOPE_PAPERS)
    storeAskedPapers(
      project.id,
      rows.map(({ id }) => id),
    )
    void navigate({ to: pages.ask(project.address) })
  }
  const remove = async () => {
    if (rows.length > BULK_MAX) return refuseMoreThan(BULK_MAX)
    if (await confirmAndDeleteAll(rows, () => setDeleting(rows.length))) onGone(rows)
    setDeleting(0)
  }
  return (
    <>
      <SelectionBar
        count={rows.length}
        hidden={hidden}
        deleting={deleting}
        run={active.at(-1)}
        onCancel={(run) => void cancelBulkRun(run)}
        onProcess={process}
        onAsk={ask}
        onCite={() =>
          void copyCitations(
            rows.map(({ id }) => id),
            project,
          )
        }
        onTag={() => (rows.length <= BULK_MAX ? setTagging(true) : refuseMoreThan(BULK_MAX))}
        onCopy={() => (rows.length <= BULK_MAX ? setCopying(true) : refuseMoreThan(BULK_MAX))}
        onExport={() => (rows.length > EXPORT_IDS_MAX ? refuseMoreThan(EXPORT_IDS_MAX) : setExporting(true))}
        onDelete={() => void remove()}
        onClear={onClear}
      />
      {tagging ? <TagsDialog projectId={project.id} rows={rows} onClose={() => setTagging(false)} /> : null}
      {copying ? <CopyDialog rows={rows} onClose={() => setCopying(false)} /> : null}
      {exporting ? (
        <LazyExportDialog
          request={{ project_id: project.id, ids: rows.map(({ id }) => id) }}
          count={rows.length}
          onClose={() => setExporting(false)}
        />
      ) : null}
      {steps ? (
        <ProcessDialog
          rows={rows}
          steps={steps}
          onClose={() => setSteps(undefined)}
          onStart={async (choice) => {
            const document_ids = rows.map(({ id }) => id)
            if (!(await startBulkRun({ document_ids, steps: [...steps], ...choice }))) return
            setSteps(undefined)
            onClear()
          }}
        />
      ) : null}
    </>
  )
}

const refuseMoreThan = (most: number) =>
  toast({ title: 'Error', description: `At most ${most} documents at a time.`, destructive: true })
