import type { DocumentRow } from '#shared/contract/documents.ts'
import type { Job } from '#shared/contract/jobs.ts'
import { jobKindText, jobText } from '#web/processing/index.ts'
import { cn } from '#web/ui/class-names.ts'
import { Progress } from '#web/ui/marks.tsx'
import styles from './documents.module.css'
import { statusReason, vectorFailure } from './document-failure.ts'

/**
 * Returns the reason that a row shows as text: why the last step of the document failed, or why the document has no vectors.
 * Null if no step failed.
 */
export const visibleReason = (document: DocumentRow): string | null => {
  if (document.status === 'error') return statusReason(document)
  return document.vector_error === null ? null : vectorFailure(document.vector_error)
}

/**
 * The second line of a row: the current step of the document with its progress, or the reason why its last step failed. `job`
 * is the active job of the document, if any.
 */
export function RowStep({ document, job }: { document: DocumentRow; job: Job | undefined }) {
  const reason = visibleReason(document)
  if (job)
    return (
      <span className={styles.step}>
        {job.status === 'running' ? <Progress value={job.progress} label={jobKindText(job)} /> : null}
        {jobText(job)}
      </span>
    )
  return reason === null ? null : <span className={cn(styles.step, 'text-status-error')}>{reason}</span>
}
