import { useState } from 'react'
import { BULK_MAX } from '#shared/contract/document-edits.ts'
import type { DocumentRow } from '#shared/contract/documents.ts'
import type { Job } from '#shared/contract/jobs.ts'
import { PROCESS_MAX } from '#shared/contract/processing.ts'
import type { ProcessStep } from '#shared/contract/processing.ts'
import { copyCitations } from '#web/citations/index.ts'
import { toast } from '#web/lib/toasts.tsx'
import { cancelBulkRun, ProcessDialog, startBulkRun } from '#web/processing/index.ts'
import { confirmAndDeleteAll } from './delete-documents.ts'
import { SelectionBar } from './selection-bar.tsx'

/** Bulk actions for the selected documents, and the progress of the running bulk run. */
export function BulkWork({
  rows,
  active,
  onGone,
  onClear,
}: {
  rows: readonly DocumentRow[]
  active: readonly Job[]
  /** Called with the deleted documents. */
  onGone: (rows: readonly DocumentRow[]) => void
  onClear: () => void
}) {
  const [steps, setSteps] = useState<readonly ProcessStep[]>()
  const [deleting, setDeleting] = useState(0)
  const process = (chosen: readonly ProcessStep[]) => {
    if (rows.length <= PROCESS_MAX) setSteps(chosen)
    else refuseMoreThan(PROCESS_MAX)
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
        deleting={deleting}
        run={active.at(-1)}
        onCancel={(run) => void cancelBulkRun(run)}
        onProcess={process}
        onCite={() => void copyCitations(rows.map(({ id }) => id))}
        onDelete={() => void remove()}
        onClear={onClear}
      />
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
