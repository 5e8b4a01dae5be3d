import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type ApiKey, CALL_DAYS } from '#shared/contract/api-keys.ts'
import { EmptyRow, LoadingRows } from '#web/admin/index.ts'
import { ListPager } from '#web/lib/list-pager.tsx'
import { shortDateAndTime } from '#web/lib/dates.ts'
import { LoadFailed } from '#web/lib/load-failed.tsx'
import { cn } from '#web/ui/class-names.ts'
import { cells, DataTable } from '#web/ui/data-table.tsx'
import { SectionTitle } from '#web/ui/page.tsx'
import { Select } from '#web/ui/select.tsx'
import { CALLS_PAGE_SIZE, callsQuery } from './queries.ts'
import styles from './keys.module.css'

const ALL = 'all'

/** The last API calls with the user's keys. They can be filtered by key. */
export function CallsTable({ keys }: { keys: readonly ApiKey[] }) {
  const [chosen, setChosen] = useState(ALL)
  const [page, setPage] = useState(1)
  const list = useQuery(callsQuery(chosen === ALL ? undefined : chosen, page))
  const rows = list.data?.data
  return (
    <section aria-label="Last 100 calls">
      <div className={styles.head}>
        <SectionTitle>Last 100 calls</SectionTitle>
        <p>Kept for {CALL_DAYS} days, without content.</p>
        <div className="ml-auto w-48 max-md:ml-0 max-md:w-full">
          <Select
            aria-label="Key"
            value={chosen}
            onChange={(next) => {
              setChosen(next)
              setPage(1)
            }}
            options={[{ value: ALL, label: 'All keys' }, ...keys.map(({ id, name }) => ({ value: id, label: name }))]}
          />
        </div>
      </div>
      {list.error && !list.data ? (
        <LoadFailed title="Error loading calls" error={list.error} onRetry={() => void list.refetch()} />
      ) : (
        <DataTable aria-busy={rows === undefined}>
          <thead>
            <tr>
              <th>Call</th>
              <th>Key</th>
              <th>When</th>
              <th className={cells.amount}>Status</th>
              <th className={cells.amount}>Time</th>
              <th>From</th>
            </tr>
          </thead>
          <tbody>
            {rows === undefined ? <LoadingRows columns={6} rows={3} /> : null}
            {rows?.length === 0 ? <EmptyRow columns={6}>No calls in the last {CALL_DAYS} days.</EmptyRow> : null}
            {rows?.map((call) => (
              <tr key={call.id}>
                <td className={cells.wide}>
                  <span className="font-mono text-[0.8125em] wrap-anywhere">{call.route}</span>
                </td>
                <td className={cells.text}>{call.key_name}</td>
                <td className={styles.date}>{shortDateAndTime(call.called_at)}</td>
                <td className={cn(cells.amount, call.status >= 400 && styles.failed)} data-label="Status">
                  {call.status}
                </td>
                <td className={cells.amount} data-label="Time">
                  {call.milliseconds} ms
                </td>
                <td className={styles.date}>{call.network}</td>
              </tr>
            ))}
          </tbody>
        </DataTable>
      )}
      <ListPager list={list} page={page} limit={CALLS_PAGE_SIZE} onPage={setPage} />
    </section>
  )
}
