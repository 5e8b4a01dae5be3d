import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Download, Undo2 } from 'lucide-react'
import { RECORD_OUTCOMES } from '#shared/contract/address-values.ts'
import { type ImportDetail, type RecordOutcome, SOURCE_KINDS } from '#shared/contract/imports.ts'
import { api, pages } from '#shared/contract/paths.ts'
import type { Project } from '#shared/contract/projects.ts'
import { counted, shortDate, shortDateAndTime } from '#web/lib/dates.ts'
import { ListPager } from '#web/lib/list-pager.tsx'
import { LoadFailed } from '#web/lib/load-failed.tsx'
import { grouped } from '#shared/text/numbers.ts'
import { useMay } from '#web/lib/rights.tsx'
import { useTitle } from '#web/lib/use-title.ts'
import { Button } from '#web/ui/button.tsx'
import { Alert, Skeleton } from '#web/ui/marks.tsx'
import { HeadActions, HeadCount, Page, PageHead } from '#web/ui/page.tsx'
import { TabPanel, Tabs } from '#web/ui/tabs.tsx'
import { ActiveImports } from './active-imports.tsx'
import { confirmAndUndo } from './confirm-undo.ts'
import styles from './imports.module.css'
import { importName } from './labels.ts'
import { OUTCOME_LABELS } from './outcome.tsx'
import { importQuery, recordsQuery } from './queries.ts'
import { RecordsTable } from './records-table.tsx'
import { type ImportSearch, PAGE_SIZE, PAGE_SIZES } from './search.ts'

const ALL = 'all'

/** The page of one import with its records. */
export function ImportPage({
  project,
  id,
  search,
  onSearch,
}: {
  project: Project
  id: string
  search: ImportSearch
  onSearch: (search: ImportSearch) => void
}) {
  const found = useQuery(importQuery(id))
  const row = found.data
  const name = row ? importName(row) : 'Import'
  useTitle(`${name} · ${project.name}`)
  const mayEdit = useMay('edit')
  const isRunning = row?.state === 'waiting' || row?.state === 'running'
  return (
    <Page>
      <Link to={pages.imports(project.address)} className="back-link">
        ← Back to imports
      </Link>
      <PageHead>
        <h1>
          {name}
          {row ? <HeadCount>{counted(row.read_count, 'record')}</HeadCount> : null}
        </h1>
        <HeadActions>
          {row?.has_file ? (
            <Button asChild>
              <a href={api.importFile(id)} download={row.filename ?? true}>
                <Download aria-hidden />
                Download the file
              </a>
            </Button>
          ) : null}
          {row && mayEdit && !isRunning && (row.undone_at === null || row.undo.deleted > 0) ? (
            <Button onClick={() => void confirmAndUndo(row)}>
              <Undo2 aria-hidden />
              {row.undone_at === null ? 'Undo import' : 'Delete remaining papers'}
            </Button>
          ) : null}
        </HeadActions>
      </PageHead>
      {isRunning ? <ActiveImports projectId={project.id} /> : null}
      {found.isLoadingError ? (
        <LoadFailed title="The import could not be loaded" error={found.error} onRetry={() => void found.refetch()} />
      ) : row ? (
        <>
          <Facts row={row} />
          <Records project={project} row={row} search={search} onSearch={onSearch} />
        </>
      ) : (
        <Skeleton width="24rem" />
      )}
    </Page>
  )
}

/** The time, user, source and result of an import. */
function Facts({ row }: { row: ImportDetail }) {
  const earlier = row.joined_count - row.joined_within_count
  const facts: [label: string, value: string | null][] = [
    ['Imported', `${shortDateAndTime(row.created_at)}${row.created_by_name ? `, by ${row.created_by_name}` : ''}`],
    ['Kind', row.source_kind && SOURCE_KINDS[row.source_kind]],
    ['File', row.filename],
    ['Date of the search', row.searched_on && shortDate(`${row.searched_on}T12:00`)],
    ['Search', row.search_text],
    [
      'Joined',
      row.joined_count > 0
        ? `${row.joined_within_count} joined within this file, ${earlier} joined with earlier imports`
        : null,
    ],
  ]
  return (
    <>
      {row.undone_at ? (
        <Alert quiet role="status">
          Undone on {shortDate(row.undone_at)}. The records are stored.
        </Alert>
      ) : row.state === 'failed' ? (
        <Alert role="status">{row.error ?? 'The import failed.'} The records below were imported before.</Alert>
      ) : row.state === 'cancelled' ? (
        <Alert quiet role="status">
          Cancelled. The records below were imported before.
        </Alert>
      ) : null}
      <dl className={styles.facts}>
        {facts.map(([label, value]) =>
          value ? (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ) : null,
        )}
      </dl>
    </>
  )
}

function Records({
  project,
  row,
  search,
  onSearch,
}: {
  project: Project
  row: ImportDetail
  search: ImportSearch
  onSearch: (search: ImportSearch) => void
}) {
  const records = useQuery(recordsQuery(row.id, search))
  const { page = 1, limit = PAGE_SIZE, outcome = ALL } = search
  const toPage = (next: number) => onSearch({ ...search, page: next > 1 ? next : undefined })
  const counts: Record<RecordOutcome, number> = {
    created: row.created_count,
    joined: row.joined_count,
    skipped: row.skipped_count,
    failed: row.failed_count,
  }
  const tabs = [
    { value: ALL, label: `All ${grouped(row.read_count)}` },
    ...RECORD_OUTCOMES.map((one) => ({
      value: one,
      label: `${OUTCOME_LABELS[one]} ${grouped(counts[one])}`,
    })),
  ]
  const choose = (value: string) => {
    const chosen = RECORD_OUTCOMES.find((one) => one === value)
    onSearch({ limit: search.limit, ...(chosen ? { outcome: chosen } : {}) })
  }
  return (
    <Tabs value={outcome} onChange={choose} tabs={tabs} label="Outcome">
      <TabPanel value={outcome}>
        {records.isLoadingError ? (
          <LoadFailed
            title="The records could not be loaded"
            error={records.error}
            onRetry={() => void records.refetch()}
          />
        ) : (
          <>
            <RecordsTable project={project} row={row} records={records.data?.data} />
            <ListPager
              list={records}
              page={page}
              limit={limit}
              limits={PAGE_SIZES}
              onPage={toPage}
              onLimit={(size) => onSearch({ ...search, page: undefined, limit: size === PAGE_SIZE ? undefined : size })}
            />
          </>
        )}
      </TabPanel>
    </Tabs>
  )
}
