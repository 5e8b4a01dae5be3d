import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { JOURNAL_PAGE_SIZE, JOURNAL_SEARCH_LIMIT } from '#shared/contract/journals.ts'
import type { ListedJournal } from '#shared/contract/journals.ts'
import { SearchField } from '#web/admin/index.ts'
import { messageOf } from '#web/lib/api.ts'
import { counted } from '#web/lib/dates.ts'
import { LoadFailed } from '#web/lib/load-failed.tsx'
import { grouped } from '#shared/text/numbers.ts'
import { toast } from '#web/lib/toasts.tsx'
import { usePageWithin } from '#web/lib/use-page-within.ts'
import { whenDone } from '#web/lib/when-done.ts'
import { Button } from '#web/ui/button.tsx'
import { cn } from '#web/ui/class-names.ts'
import { FilterBar } from '#web/ui/data-table.tsx'
import { PageNumbers } from '#web/ui/page-numbers.tsx'
import { JournalsTable } from './journals-table.tsx'
import styles from './journals.module.css'
import { catalogueQuery, useBulkExclude } from './queries.ts'
import { SEARCH_FAILED } from './search.ts'
import type { JournalsSearch } from './search.ts'

/** The list of the journals that are not excluded, 50 per page, with search and bulk exclusion. */
export function Catalogue({
  search,
  onSearch,
}: {
  search: JournalsSearch
  onSearch: (search: JournalsSearch) => void
}) {
  const words = search.search?.trim() ?? ''
  const page = search.page ?? 1
  const list = useQuery(catalogueQuery(words, page))
  const [chosen, setChosen] = useState<ReadonlyMap<string, ListedJournal>>(new Map())
  const excluding = useBulkExclude()
  const choose = (rows: readonly ListedJournal[], selected: boolean) =>
    setChosen((before) => {
      const next = new Map(before)
      for (const row of rows) {
        if (selected) next.set(row.id, row)
        else next.delete(row.id)
      }
      return next
    })
  const exclude = () => {
    if (chosen.size === 0) {
      const description = 'Please select at least one journal to exclude'
      toast({ title: 'No journals selected', description, destructive: true })
      return
    }
    whenDone(excluding.mutateAsync([...chosen.keys()]), {
      onSuccess: ({ excluded, without_id: left }) => {
        setChosen(new Map())
        toast({
          title: `${counted(excluded, 'journal')} excluded`,
          description:
            left.length > 0 ? `Not excluded, because they have no OpenAlex ID: ${left.join(', ')}` : undefined,
        })
      },
      onError: (error) =>
        toast({ title: 'Failed to exclude journal', description: messageOf(error), destructive: true }),
    })
  }
  const count = list.data?.count ?? 0
  const pageCount = words ? 1 : Math.ceil(count / JOURNAL_PAGE_SIZE)
  const toPage = (next: number) => onSearch({ ...search, page: next > 1 ? next : undefined })
  usePageWithin(page, list.data && !list.isPlaceholderData ? pageCount : null, toPage)
  const failed = words ? list.error : null
  useEffect(() => {
    if (failed) toast({ ...SEARCH_FAILED, destructive: true })
  }, [failed])
  return (
    <>
      <FilterBar role="search">
        <SearchField
          label="Search journals"
          value={search.search ?? ''}
          onChange={(next) => onSearch({ tab: search.tab, search: next || undefined })}
        />
        <Button disabled={excluding.isPending} onClick={exclude}>
          {excluding.isPending ? 'Excluding...' : `Exclude selected${chosen.size > 0 ? ` (${chosen.size})` : ''}`}
        </Button>
        {chosen.size > 0 ? (
          <Button variant="ghost" onClick={() => setChosen(new Map())}>
            Clear selection
          </Button>
        ) : null}
      </FilterBar>
      {list.isLoadingError ? (
        <LoadFailed title="Error loading journals" error={list.error} onRetry={() => void list.refetch()} />
      ) : (
        <>
          <p className="sr-only" role="status">
            {list.data ? `${counted(count, 'journal')} found` : ''}
          </p>
          <JournalsTable rows={list.data?.data} searched={words !== ''} chosen={chosen} onChoose={choose} />
          {words && count > JOURNAL_SEARCH_LIMIT ? (
            <p className={cn(styles.details, 'text-muted-foreground mt-3')}>
              The first {JOURNAL_SEARCH_LIMIT} of {grouped(count)}. Type more of the name to see the others.
            </p>
          ) : null}
          <PageNumbers steps page={page} pageCount={pageCount} onPage={toPage} />
        </>
      )}
    </>
  )
}
