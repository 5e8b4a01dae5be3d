import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ExcludedJournal } from '#shared/contract/journals.ts'
import { EmptyRow, LoadingRows, SearchField } from '#web/admin/index.ts'
import { messageOf } from '#web/lib/api.ts'
import { shortDate } from '#web/lib/dates.ts'
import { LoadFailed } from '#web/lib/load-failed.tsx'
import { toast } from '#web/lib/toasts.tsx'
import { useErrorToast } from '#web/lib/use-error-toast.ts'
import { whenDone } from '#web/lib/when-done.ts'
import { Button } from '#web/ui/button.tsx'
import { cn } from '#web/ui/class-names.ts'
import { ActionsHead, cells, DataTable, FilterBar } from '#web/ui/data-table.tsx'
import { PageNumbers } from '#web/ui/page-numbers.tsx'
import styles from './journals.module.css'
import { excludedQuery, useInclude } from './queries.ts'

const LOAD_FAILED = 'Failed to load excluded journals'
/** Number of rows that are rendered at a time. The whole list is in memory. */
const PAGE = 50

/** The exclusion list, latest entry first. */
export function ExcludedList() {
  const list = useQuery(excludedQuery)
  const [words, setWords] = useState('')
  const [page, setPage] = useState(1)
  useErrorToast(LOAD_FAILED, list.error)
  if (list.isLoadingError)
    return <LoadFailed title={LOAD_FAILED} error={list.error} onRetry={() => void list.refetch()} />
  const wanted = words.trim().toLowerCase()
  const rows = list.data?.filter((row) =>
    [row.journal_name, row.openalex_id, row.reason ?? ''].some((text) => text.toLowerCase().includes(wanted)),
  )
  const pageCount = Math.ceil((rows?.length ?? 0) / PAGE)
  const at = Math.min(page, Math.max(1, pageCount))
  return (
    <>
      <FilterBar role="search">
        <SearchField
          label="Search excluded journals"
          value={words}
          onChange={(next) => {
            setWords(next)
            setPage(1)
          }}
        />
      </FilterBar>
      <DataTable className={styles.journals} aria-busy={rows === undefined}>
        <thead>
          <tr>
            <th>Name</th>
            <th>OpenAlex ID</th>
            <th>Reason</th>
            <th>Excluded</th>
            <ActionsHead />
          </tr>
        </thead>
        <tbody>
          {rows === undefined ? <LoadingRows columns={5} /> : null}
          {rows?.length === 0 ? (
            <EmptyRow columns={5}>
              {wanted
                ? 'No journals found.'
                : 'No journal is excluded. Excluded journals appear in no list, and updates do not restore them.'}
            </EmptyRow>
          ) : null}
          {rows?.slice((at - 1) * PAGE, at * PAGE).map((row) => (
            <Entry key={row.id} entry={row} />
          ))}
        </tbody>
      </DataTable>
      <PageNumbers steps page={at} pageCount={pageCount} onPage={setPage} />
    </>
  )
}

function Entry({ entry }: { entry: ExcludedJournal }) {
  const including = useInclude()
  const remove = () =>
    whenDone(including.mutateAsync(entry.id), {
      onSuccess: () => toast({ title: 'Journal removed from exclusion list', description: entry.journal_name }),
      onError: (error) =>
        toast({
          title: 'Failed to remove journal from exclusion list',
          description: messageOf(error),
          destructive: true,
        }),
    })
  return (
    <tr>
      <td className={cn(cells.wide, styles.nameCell, cells.name)}>
        <b>{entry.journal_name}</b>
      </td>
      <td className="tabular-nums lining-nums">{entry.openalex_id}</td>
      <td className={cells.text}>{entry.reason ?? '—'}</td>
      <td className="tabular-nums lining-nums">{shortDate(entry.excluded_at)}</td>
      <td className={cn(styles.endCell, cells.end)}>
        <Button
          size="sm"
          variant="ghost"
          aria-label={`Remove ${entry.journal_name} from the exclusion list`}
          disabled={including.isPending}
          onClick={remove}
        >
          {including.isPending ? 'Removing...' : 'Remove'}
        </Button>
      </td>
    </tr>
  )
}
