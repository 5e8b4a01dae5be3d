import { Link } from '@tanstack/react-router'
import { TriangleAlert, X } from 'lucide-react'
import { JOB_CANCELLED } from '#shared/jobs.ts'
import type { Job } from '#shared/jobs.ts'
import { pages } from '#shared/paths.ts'
import { processResult } from '#shared/processing.ts'
import type { ProcessResult } from '#shared/processing.ts'
import { counted } from '#web/lib/dates.ts'
import { IconButton } from '#web/ui/button.tsx'

/** What the last run over several documents came to: each that failed with the reason and the way to it. */
export function BulkSummary({ run, projectName, onDismiss }: { run: Job; projectName: string; onDismiss: () => void }) {
  const result = processResult.safeParse(run.result).data
  const failed = result?.failed ?? []
  const isBad = failed.length > 0 || (run.status === 'failed' && run.error !== JOB_CANCELLED)
  return (
    <section className="bulk-end" aria-label="Result of the processing" data-bad={isBad || undefined}>
      {isBad ? <TriangleAlert className="ic" aria-hidden /> : null}
      <div className="min-w-0 flex-1">
        <p role="status">
          {run.status === 'failed' ? `${run.error === JOB_CANCELLED ? 'Cancelled' : run.error}. ` : ''}
          {result ? wordsOf(result) : null}
        </p>
        {failed.length > 0 ? (
          <ul tabIndex={0} aria-label="Documents that failed">
            {failed.map(({ document_id, title, error }) => (
              <li key={document_id}>
                <Link className="link" to={pages.document(projectName, document_id)}>
                  {title}
                </Link>
                <span>{error}</span>
              </li>
            ))}
          </ul>
        ) : null}
      </div>
      <IconButton label="Dismiss" onClick={onDismiss}>
        <X className="ic" aria-hidden />
      </IconButton>
    </section>
  )
}

function wordsOf({ total, done, unchanged, failed }: ProcessResult): string {
  const rest = total - done - unchanged - failed.length
  return [
    `${done} of ${counted(total, 'document')} processed.`,
    unchanged > 0 ? `${unchanged} had nothing left to do.` : '',
    failed.length > 0 ? `${failed.length} failed:` : '',
    rest > 0 && failed.length === 0 ? `${rest} left as ${rest === 1 ? 'it was' : 'they were'}.` : '',
  ]
    .filter(Boolean)
    .join(' ')
}
