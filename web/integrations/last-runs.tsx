import type { JournalImport } from '#shared/contract/journal-import.ts'
import { shortDateAndTime } from '#web/lib/dates.ts'
import { inWords } from './span.ts'

const LOOKS = { completed: 'Completed', error: 'Error', running: 'Running' } as const

/** The previous runs, newest first. */
export function LastRuns({ runs }: { runs: readonly JournalImport[] }) {
  return (
    <section className="mt-9" aria-labelledby="last-runs">
      <h2 id="last-runs" className="integration-title">
        Last updates
      </h2>
      <table className="admin-table">
        <thead>
          <tr>
            <th>Started</th>
            <th>Result</th>
            <th className="amount">New</th>
            <th className="amount">Updated</th>
            <th className="amount">Processed</th>
            <th className="amount">Duration</th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <tr key={run.id}>
              <td className="num">{shortDateAndTime(run.started_at)}</td>
              <td className="words" title={run.message ?? undefined}>
                {run.cancelled ? 'Cancelled' : LOOKS[run.status]}
              </td>
              <td className="num amount" data-label="New">
                {run.newJournals.toLocaleString('en-GB')}
              </td>
              <td className="num amount" data-label="Updated">
                {run.updatedJournals.toLocaleString('en-GB')}
              </td>
              <td className="num amount" data-label="Processed">
                {run.totalProcessed.toLocaleString('en-GB')}
              </td>
              <td className="num amount">{run.status === 'running' ? '—' : inWords(run.elapsedTime)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
