import { JOB_KINDS } from '#shared/contract/jobs.ts'
import type { SystemStatus } from '#shared/contract/system.ts'
import { LoadingRows } from '#web/admin/index.ts'
import { shortDateAndTime } from '#web/lib/dates.ts'
import { grouped } from '#shared/text/numbers.ts'
import { cn } from '#web/ui/class-names.ts'
import { cells, DataTable } from '#web/ui/data-table.tsx'
import { JOB_NAMES } from './job-kinds.ts'

/** The numbers of waiting, running and failed jobs of each kind. */
export function QueueTable({ queue }: { queue: SystemStatus['queue'] | undefined }) {
  return (
    <DataTable aria-busy={queue === undefined}>
      <thead>
        <tr>
          <th>Work</th>
          <th className={cells.amount}>Waiting</th>
          <th className={cells.amount}>Running</th>
          <th className={cells.amount}>Failed in 7 days</th>
          <th className={cells.amount}>Oldest waiting since</th>
        </tr>
      </thead>
      <tbody>
        {queue ? null : <LoadingRows columns={5} rows={JOB_KINDS.length} />}
        {queue?.map(({ kind, queued, running, failed, oldest_queued_at }) => (
          <tr key={kind}>
            <td className={cells.wide}>
              <b>{JOB_NAMES[kind]}</b>
            </td>
            <td className={cn(cells.amount, 'tabular-nums lining-nums')} data-label="Waiting">
              {grouped(queued)}
            </td>
            <td className={cn(cells.amount, 'tabular-nums lining-nums')} data-label="Running">
              {grouped(running)}
            </td>
            <td className={cn(cells.amount, 'tabular-nums lining-nums')} data-label="Failed">
              {grouped(failed)}
            </td>
            <td className={cn(cells.amount, 'tabular-nums lining-nums max-md:hidden')}>
              {oldest_queued_at ? shortDateAndTime(oldest_queued_at) : '—'}
            </td>
          </tr>
        ))}
      </tbody>
    </DataTable>
  )
}
