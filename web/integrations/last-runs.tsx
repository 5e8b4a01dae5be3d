import type { JournalImport } from '#shared/contract/journal-import.ts'
import { shortDateAndTime } from '#web/lib/dates.ts'
import { grouped } from '#shared/text/numbers.ts'
import { cn } from '#web/ui/class-names.ts'
import { cells, DataTable } from '#web/ui/data-table.tsx'
import { inWords } from './span.ts'

const LOOKS = { completed: 'Completed', error: 'Error', running: 'Running' } as const

/** The list of the previous journal updates, newest first. */
export function LastRuns({ runs }: { runs: readonly JournalImport[] }) {
  return (
    <section className="mt-9" aria-labelledby="last-runs">
      <h2 id="last-runs" className="mb-2.5 text-[1rem] leading-6 font-semibold">
        Last updates
      </h2>
      <DataTable>
        <thead>
          <tr>
            <th>Started</th>
            <th>Result</th>
            <th className={cells.amount}>New</th>
            <th className={cells.amount}>Updated</th>
            <th className={cells.amount}>Processed</th>
            <th className={cells.amount}>Duration</th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <tr key={run.id}>
              <td className="tabular-nums lining-nums">{shortDateAndTime(run.started_at)}</td>
              <td className={cells.text} title={run.message ?? undefined}>
                {run.cancelled ? 'Cancelled' : LOOKS[run.status]}
              </td>
              <td className={cn(cells.amount, 'tabular-nums lining-nums')} data-label="New">
                {grouped(run.newJournals)}
              </td>
              <td className={cn(cells.amount, 'tabular-nums lining-nums')} data-label="Updated">
                {grouped(run.updatedJournals)}
              </td>
              <td className={cn(cells.amount, 'tabular-nums lining-nums')} data-label="Processed">
                {grouped(run.totalProcessed)}
              </td>
              <td className={cn(cells.amount, 'tabular-nums lining-nums')}>
                {run.status === 'running' ? '—' : inWords(run.elapsedTime)}
              </td>
            </tr>
          ))}
        </tbody>
      </DataTable>
    </section>
  )
}
