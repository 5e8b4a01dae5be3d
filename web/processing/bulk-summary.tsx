import { X } from 'lucide-react'
import type { Job } from '#shared/contract/jobs.ts'
import { failureWords } from '#web/lib/failure-words.ts'
import { summaryOfRun } from '#web/lib/run-summary.ts'
import { IconButton } from '#web/ui/button.tsx'
import { RunPanel } from './run-panel.tsx'
import { TEXT_WARNINGS } from './text-warning.tsx'

/**
 * The summary of the last bulk run (a job that processes several documents): the documents that failed or have a warning, with
 * the reasons. If all documents of the run are in one project, the listed documents are links.
 */
export function BulkSummary({ run, address, onDismiss }: { run: Job; address: string; onDismiss: () => void }) {
  const { isBad, words, failed, warned } = summaryOfRun(run)
  const rows = [
    ...failed.map(({ document_id: id, title, step, error }) => ({ id, title, words: failureWords(step, error) })),
    ...warned.map(({ document_id: id, title, warning }) => ({ id, title, words: TEXT_WARNINGS[warning] })),
  ]
  return (
    <RunPanel
      label="Result of the processing"
      isBad={isBad}
      status={words}
      address={run.project_id === null ? null : address}
      rows={rows}
      listLabel="Documents that need attention"
      action={
        <IconButton label="Dismiss" onClick={onDismiss}>
          <X aria-hidden />
        </IconButton>
      }
    />
  )
}
