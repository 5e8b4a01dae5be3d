import type { Job } from '#shared/contract/jobs.ts'
import { messageOf } from '#web/lib/api.ts'
import { cancelJob } from '#web/lib/jobs.ts'
import { toast } from '#web/lib/toasts.tsx'
import { Button } from '#web/ui/button.tsx'
import { cn } from '#web/ui/class-names.ts'
import { Progress } from '#web/ui/marks.tsx'
import { jobKindText, jobText } from './job-text.ts'
import styles from './processing.module.css'

/** Running jobs of a document, with progress and a cancel button. */
export function JobStrip({ jobs }: { jobs: readonly Job[] }) {
  if (jobs.length === 0) return null
  const stop = (job: Job) =>
    cancelJob(job.id).catch((error: unknown) =>
      toast({ title: 'Error', description: messageOf(error), destructive: true }),
    )
  return (
    <ul className={styles.jobList} aria-label="Running work" aria-live="polite">
      {jobs.map((job) => (
        <li key={job.id} className={styles.job}>
          <Progress value={job.progress} label={jobKindText(job)} />
          <span className={cn(styles.num, 'tabular-nums lining-nums')}>{jobText(job)}</span>
          {job.is_own ? (
            <Button variant="ghost" size="sm" onClick={() => void stop(job)}>
              Cancel
            </Button>
          ) : null}
        </li>
      ))}
    </ul>
  )
}
