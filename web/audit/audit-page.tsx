import { useQuery } from '@tanstack/react-query'
import { SearchField } from '#web/admin/index.ts'
import { ListPager } from '#web/lib/list-pager.tsx'
import { LoadFailed } from '#web/lib/load-failed.tsx'
import { grouped } from '#shared/text/numbers.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { FilterBar } from '#web/ui/data-table.tsx'
import { HeadCount, Page, PageHead } from '#web/ui/page.tsx'
import { Select } from '#web/ui/select.tsx'
import { AUDIT_KINDS } from '#shared/contract/address-values.ts'
import { AuditTable } from './audit-table.tsx'
import { AUDIT_PAGE_SIZE, auditQuery } from './queries.ts'
import { AUDIT_PAGE_SIZES, auditSearch } from './search.ts'
import type { AuditSearch } from './search.ts'

const KINDS = [
  { value: 'all', label: 'Everything' },
  ...Object.entries(AUDIT_KINDS).map(([value, label]) => ({ value, label })),
]
const SPAN_LABELS = [
  { value: 'all', label: 'All time' },
  { value: '1', label: 'Today' },
  { value: '7', label: 'Last 7 days' },
  { value: '30', label: 'Last 30 days' },
  { value: '365', label: 'Last 365 days' },
]
const chosen = (value: string) => (value === 'all' ? undefined : value)

/** The audit log. The search text, the filters and the page number are search parameters of the URL. */
export function AuditPage({ search, onSearch }: { search: AuditSearch; onSearch: (search: AuditSearch) => void }) {
  useTitle('Audit log')
  const list = useQuery(auditQuery(search))
  const change = (patch: Record<string, unknown>) =>
    onSearch(auditSearch.parse({ ...search, page: undefined, ...patch }))
  const count = list.data?.count ?? 0
  return (
    <Page>
      <PageHead className="mt-3">
        <h1>
          Audit log
          {list.data ? <HeadCount>{grouped(count)}</HeadCount> : null}
        </h1>
      </PageHead>
      <FilterBar role="search">
        <SearchField
          label="Search the log"
          value={search.search ?? ''}
          onChange={(words) => change({ search: words || undefined })}
        />
        <Select
          aria-label="Kind"
          value={search.kind ?? 'all'}
          onChange={(kind) => change({ kind: chosen(kind) })}
          options={KINDS}
        />
        <Select
          aria-label="Time"
          value={search.days ?? 'all'}
          onChange={(days) => change({ days: chosen(days) })}
          options={SPAN_LABELS}
        />
      </FilterBar>
      {list.isLoadingError ? (
        <LoadFailed title="The audit log could not be loaded" error={list.error} onRetry={() => void list.refetch()} />
      ) : (
        <>
          <AuditTable rows={list.data?.data} narrowed={Boolean(search.search ?? search.kind ?? search.days)} />
          <ListPager
            list={list}
            page={search.page}
            limit={search.limit ?? AUDIT_PAGE_SIZE}
            limits={AUDIT_PAGE_SIZES}
            onPage={(page) => onSearch({ ...search, page: page > 1 ? page : undefined })}
            onLimit={(size) => change({ limit: size === AUDIT_PAGE_SIZE ? undefined : size })}
          />
        </>
      )}
    </Page>
  )
}
