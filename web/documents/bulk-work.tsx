import { useState } from 'react'
import type { DocumentRow } from '#shared/documents.ts'
import { PROCESS_MAX } from '#shared/processing.ts'
import type { ProcessStep } from '#shared/processing.ts'
import type { Job } from '#shared/jobs.ts'
import { toast } from '#web/lib/toasts.tsx'
import { cancelBulkRun, startBulkRun } from './bulk-runs.ts'
import { confirmAndDeleteAll } from './delete-documents.ts'
import { ProcessDialog } from './process-dialog.tsx'
import { SelectionBar } from './selection-bar.tsx'

/** What can be done with the chosen documents, and how far the run is that goes on. */
export function BulkWork({
  rows,
  active,
  onGone,
  onClear,
}: {
  rows: readonly DocumentRow[]
  active: readonly Job[]
  /** Gets the documents that were deleted. */
  onGone: (rows: DocumentRow[]) => void
  onClear: () => void
}) {
  const [steps, setSteps] = useState<readonly ProcessStep[]>()
  const process = (chosen: readonly ProcessStep[]) => {
    if (rows.length <= PROCESS_MAX) return setSteps(chosen)
    toast({ title: 'Error', description: `At most ${PROCESS_MAX} documents at a time.`, destructive: true })
  }
  return (
    <>
      <SelectionBar
        count={rows.length}
        run={active.at(-1)}
        onCancel={(run) => void cancelBulkRun(run)}
        onProcess={process}
        onDelete={() => void confirmAndDeleteAll(rows).then(onGone)}
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
