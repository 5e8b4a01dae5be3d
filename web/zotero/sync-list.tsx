import { useQuery } from '@tanstack/react-query'
import type { ZoteroInterval, ZoteroSync } from '#shared/contract/zotero.ts'
import { ApiError, messageOf } from '#web/lib/api.ts'
import { shortDateAndTime } from '#web/lib/dates.ts'
import { toast } from '#web/lib/toasts.tsx'
import { whenDone } from '#web/lib/when-done.ts'
import { FieldError } from '#web/ui/field.tsx'
import { Select } from '#web/ui/select.tsx'
import { INTERVAL_OPTIONS } from './intervals.ts'
import { syncsQuery, useChangeSchedule } from './queries.ts'
import styles from './zotero.module.css'

/** The Zotero libraries from which the project imports, each with its schedule. Renders nothing if there are none. */
export function SyncList({ projectId }: { projectId: string }) {
  const { data = [] } = useQuery(syncsQuery(projectId))
  if (data.length === 0) return null
  return (
    <section className={styles.syncs} aria-labelledby="zotero-syncs">
      <h3 id="zotero-syncs">Imported into this project</h3>
      <ul>
        {data.map((sync) => (
          <Sync key={sync.id} sync={sync} />
        ))}
      </ul>
    </section>
  )
}

function Sync({ sync }: { sync: ZoteroSync }) {
  const changing = useChangeSchedule(sync.project_id)
  const change = (synchronize: ZoteroInterval) =>
    whenDone(changing.mutateAsync({ ...sync, synchronize }), {
      onError: (error) =>
        toast({ title: 'The schedule could not be changed', description: reasonOf(error), destructive: true }),
    })
  // Only the member whose Zotero key is used can choose an interval. Other members can stop the synchronization.
  const options = INTERVAL_OPTIONS.filter(({ value }) => sync.is_own || value === 'never' || value === sync.synchronize)
  return (
    <li className={styles.sync}>
      <p>
        {sync.name}
        <small>
          {sync.last_synced_at ? `Read ${shortDateAndTime(sync.last_synced_at)}` : 'Not read yet'}
          {sync.is_own || !sync.by ? '' : `, with the key of ${sync.by}`}
        </small>
        {sync.last_error ? <FieldError>{sync.last_error}</FieldError> : null}
      </p>
      <Select
        aria-label={`Synchronize ${sync.name}`}
        value={changing.isPending ? changing.variables.synchronize : sync.synchronize}
        onChange={(value) => change(value as ZoteroInterval)}
        options={options}
        disabled={changing.isPending}
      />
    </li>
  )
}

const reasonOf = (error: Error) =>
  error instanceof ApiError && error.code === 'changed'
    ? 'Another member changed this schedule meanwhile. The list shows the present one.'
    : messageOf(error)
