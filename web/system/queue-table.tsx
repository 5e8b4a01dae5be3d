import { JOB_KINDS } from '#shared/contract/jobs.ts'
import type { SystemStatus } from '#shared/contract/system.ts'
import { shortDateAndTime } from '#web/lib/dates.ts'
import { LoadingRows } from '#web/admin/index.ts'
import { JOB_NAMES } from './job-kinds.ts'

/** Waiting, running and failed jobs of each kind. */
export function QueueTable({ queue }: { queue: SystemStatus['queue'] | undefined }) {
  return (
    <table className="admin-table" aria-busy={queue === undefined}>
      <thead>
        <tr>
          <th>Work</th>
          <th className="amount">Waiting</th>
          <th className="amount">Running</th>
          <th className="amount">Failed in 7 days</th>
          <th className="amount">Oldest waiting since</th>
        </tr>
      </thead>
      <tbody>
        {queue ? null : <LoadingRows columns={5} rows={JOB_KINDS.length} />}
        {queue?.map(({ kind, queued, running, failed, oldest_queued_at }) => (
          <tr key={kind}>
            <td className="whole">
              <b>{JOB_NAMES[kind]}</b>
            </td>
            <td className="num amount" data-label="Waiting">
              {queued.toLocaleString('en-GB')}
            </td>
            <td className="num amount" data-label="Running">
              {running.toLocaleString('en-GB')}
            </td>
            <td className="num amount" data-label="Failed">
              {failed.toLocaleString('en-GB')}
            </td>
            <td className="num amount max-md:hidden">{oldest_queued_at ? shortDateAndTime(oldest_queued_at) : '—'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
