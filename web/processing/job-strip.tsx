import type { Job, JobKind } from '#shared/contract/jobs.ts'
import { messageOf } from '#web/lib/api.ts'
import { cancelJob } from '#web/lib/jobs.ts'
import { toast } from '#web/lib/toasts.tsx'
import { Button } from '#web/ui/button.tsx'
import { cn } from '#web/ui/class-names.ts'
import { Progress } from '#web/ui/marks.tsx'
import styles from './processing.module.css'

const DOING: Record<JobKind, string> = {
  extract: 'Extracting text',
  ocr: 'Reading pages',
  analyze: 'Analyzing',
  vectorize: 'Vectorizing',
  process: 'Processing',
  fetch: 'Searching for the open-access PDF',
  import: 'Importing references',
  journals: 'Journal update',
  research: 'Searching for papers',
  duplicates: 'Looking for duplicates',
  zotero: 'Importing from Zotero',
}

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
          <Progress value={job.progress} label={DOING[job.kind]} />
          <span className={cn(styles.num, 'tabular-nums lining-nums')}>
            {job.progress_text ??
              (job.status === 'queued' ? `${DOING[job.kind]}: waiting in the queue` : DOING[job.kind])}
          </span>
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
