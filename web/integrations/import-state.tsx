import { CircleAlert, CircleCheck, CircleSlash } from 'lucide-react'
import type { JournalImport } from '#shared/contract/journal-import.ts'
import { grouped } from '#shared/text/numbers.ts'
import { cn } from '#web/ui/class-names.ts'
import { Progress } from '#web/ui/marks.tsx'
import styles from './integrations.module.css'
import { inWords } from './span.ts'

/** The progress or result of a journal update, with all counters. */
export function ImportState({ run }: { run: JournalImport }) {
  const isRunning = run.status === 'running'
  const left = run.totalTime === null ? null : Math.max(0, run.totalTime - run.elapsedTime)
  const counters: [string, number][] = [
    ['Processed', run.totalProcessed],
    ['New', run.newJournals],
    ['Updated', run.updatedJournals],
    ['Unchanged', run.skippedJournals],
    ['Excluded', run.excludedJournals],
    ['Errors', run.errors],
  ]
  return (
    <div className={styles.importState}>
      {isRunning ? (
        <>
          <Progress value={run.progress} label="Journal update" />
          <p className={cn(styles.importLine, 'tabular-nums lining-nums')}>
            <b role="status">{run.progress}%</b>
            <span>
              {run.expected ? `of ${grouped(run.expected)} journals · ` : ''}page {grouped(run.currentPage)} ·{' '}
              {inWords(run.elapsedTime)}
              {left !== null && left >= 1 && run.progress > 0 ? `, about ${inWords(left)} left` : ''}
            </span>
          </p>
          {run.message ? (
            <p className="mt-1 text-meta text-muted-foreground" role="status">
              {run.message}
            </p>
          ) : null}
        </>
      ) : (
        <Ended run={run} />
      )}
      <dl className={styles.counters}>
        {counters.map(([name, count]) => (
          <div key={name} data-alarm={(name === 'Errors' && count > 0) || undefined}>
            <dt>{name}</dt>
            <dd>{grouped(count)}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

function Ended({ run }: { run: JournalImport }) {
  const look = run.cancelled ? 'cancelled' : run.status
  const Icon = { completed: CircleCheck, cancelled: CircleSlash, error: CircleAlert, running: CircleCheck }[look]
  const words = run.cancelled
    ? `Cancelled after ${inWords(run.elapsedTime)}. The journals stored so far remain.`
    : (run.message ?? '')
  return (
    <p className={styles.importEnded} data-look={look} role={look === 'error' ? 'alert' : 'status'}>
      <Icon aria-hidden />
      <span>
        {look === 'error' ? <b>Error Updating Journals. </b> : null}
        {words}
      </span>
    </p>
  )
}
