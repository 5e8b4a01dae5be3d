import type { ApiKey } from '#shared/contract/api-keys.ts'
import { shortDate, shortDateAndTime } from '#web/lib/dates.ts'
import { grouped } from '#shared/text/numbers.ts'
import { Button } from '#web/ui/button.tsx'
import { ActionsHead, cells, DataTable } from '#web/ui/data-table.tsx'
import { Skeleton } from '#web/ui/marks.tsx'
import { endOf, projectsOf } from './key-words.ts'
import styles from './keys.module.css'

/** The user's keys. Below 768 px, each row is a card. */
export function KeysTable({
  keys,
  isBusy,
  onRevoke,
}: {
  keys: readonly ApiKey[] | undefined
  isBusy: boolean
  onRevoke: (key: ApiKey) => void
}) {
  return (
    <DataTable className={styles.keys} aria-busy={keys === undefined}>
      <KeysHead />
      <tbody>
        {keys === undefined ? (
          <tr>
            <td className={cells.wide} colSpan={8}>
              <Skeleton width="14rem" />
            </td>
          </tr>
        ) : null}
        {keys?.map((key) => (
          <tr key={key.id} aria-label={key.name}>
            <td className={cells.wide}>
              <b>{key.name}</b>
              <p className="font-mono text-[0.8125em] wrap-anywhere">{key.prefix}…</p>
            </td>
            <td>{key.scopes.join(', ')}</td>
            <td className={cells.text} data-label="in">
              {projectsOf(key)}
            </td>
            <td className={styles.date} data-label="Created">
              {shortDate(key.created_at)}
            </td>
            <td className={styles.date} data-label="Last used">
              {key.last_used_at === null ? 'Not yet' : shortDateAndTime(key.last_used_at)}
              {key.last_network === null ? null : (
                <p className="text-[0.8125em] max-md:ml-2 max-md:inline">{key.last_network}</p>
              )}
            </td>
            <td className={styles.date} data-label="Spent">
              {grouped(key.spent.calls)} {key.spent.calls === 1 ? 'model call' : 'model calls'}
              <p className="text-[0.8125em] max-md:ml-2 max-md:inline">{grouped(key.spent.tokens)} tokens</p>
            </td>
            <td className={styles.date} data-label="Expires">
              {endOf(key)}
            </td>
            <td className={cells.end}>
              <Button
                variant="ghost"
                size="sm"
                aria-label={`Revoke ${key.name}`}
                disabled={isBusy}
                onClick={() => onRevoke(key)}
              >
                Revoke
              </Button>
            </td>
          </tr>
        ))}
      </tbody>
    </DataTable>
  )
}

const KeysHead = () => (
  <thead>
    <tr>
      <th>Name</th>
      <th>Scopes</th>
      <th>Projects</th>
      <th>Created</th>
      <th>Last used</th>
      <th title="This month">Spent</th>
      <th>Expires</th>
      <ActionsHead />
    </tr>
  </thead>
)
