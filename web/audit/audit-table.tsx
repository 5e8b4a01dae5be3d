import { AUDIT_ACTIONS } from '#shared/contract/audit.ts'
import type { AuditAction, AuditEntry } from '#shared/contract/audit.ts'
import { EmptyRow, LoadingRows } from '#web/admin/index.ts'
import { shortDateAndTime } from '#web/lib/dates.ts'
import { JOB_NAMES } from '#web/system/index.ts'
import { cells, DataTable } from '#web/ui/data-table.tsx'
import { readDetails } from './details.ts'

/**
 * The table of audit log entries: time, person, action and target. `narrowed`: a search or filter is active. It selects the
 * text of the empty table.
 */
export function AuditTable({ rows, narrowed }: { rows: readonly AuditEntry[] | undefined; narrowed: boolean }) {
  return (
    <DataTable aria-busy={rows === undefined}>
      <thead>
        <tr>
          <th>Action</th>
          <th>To</th>
          <th>By</th>
          <th>When</th>
        </tr>
      </thead>
      <tbody>
        {rows === undefined ? <LoadingRows columns={4} /> : null}
        {rows?.length === 0 ? (
          <EmptyRow columns={4}>
            {narrowed ? 'No entry matches the search and the filters.' : 'No administrator has changed anything yet.'}
          </EmptyRow>
        ) : null}
        {rows?.map((entry) => (
          <tr key={entry.id}>
            <td className={cells.wide}>
              <b>{AUDIT_ACTIONS[entry.action as AuditAction] ?? entry.action}</b>
              <Details entry={entry} />
            </td>
            <td className={cells.text} data-label="to">
              {subjectOf(entry)}
            </td>
            <td className={cells.text} data-label="by">
              {entry.actor_id === null ? 'The operator' : (entry.actor?.email ?? 'A deleted account')}
            </td>
            <td className="tabular-nums lining-nums whitespace-nowrap">{shortDateAndTime(entry.created_at)}</td>
          </tr>
        ))}
      </tbody>
    </DataTable>
  )
}

function subjectOf({ action, subject, subject_id, person }: AuditEntry): string {
  if (person) return person.email
  const [kind] = action.split('.')
  if (kind === 'person' || (kind === 'budget' && subject === null)) return 'A deleted account'
  if (kind === 'import') return 'OpenAlex'
  if (kind === 'job' && subject !== null) return JOB_NAMES[subject as keyof typeof JOB_NAMES] ?? subject
  return subject ?? subject_id ?? '—'
}

function Details({ entry }: { entry: AuditEntry }) {
  const lines = readDetails(entry.details)
  if (lines.length === 0) return null
  return (
    <ul className={cells.text}>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  )
}
