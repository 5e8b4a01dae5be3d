import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { RUN_KINDS } from '#shared/contract/address-values.ts'
import { api, pages } from '#shared/contract/paths.ts'
import type { Project } from '#shared/contract/projects.ts'
import { MOST_EXPORTED_RUNS, type Run, RUN_KIND_LABELS, RUNS_PAGE_SIZE } from '#shared/contract/runs.ts'
import { useSession } from '#web/auth/index.ts'
import { ListPager } from '#web/lib/list-pager.tsx'
import { LoadFailed } from '#web/lib/load-failed.tsx'
import { grouped } from '#shared/text/numbers.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { Button } from '#web/ui/button.tsx'
import { FilterBar } from '#web/ui/data-table.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { HeadActions, HeadCount, Page, PageHead } from '#web/ui/page.tsx'
import { Select } from '#web/ui/select.tsx'
import { ExportMenu } from './export-menu.tsx'
import { runsQuery } from './queries.ts'
import { RunsTable } from './runs-table.tsx'
import { type RunsSearch, runsSearch } from './search.ts'
import { SelectedRuns } from './selected-runs.tsx'

const KINDS = [
  { value: 'all', label: 'All kinds' },
  ...RUN_KINDS.map((kind) => ({ value: kind, label: RUN_KIND_LABELS[kind] })),
]

/**
 * The page with the runs (recorded analyses or answers) of a project, newest first. Filters and page number are search
 * parameters of the URL.
 */
export function RunsPage({
  project,
  search,
  onSearch,
}: {
  project: Project
  search: RunsSearch
  onSearch: (search: RunsSearch) => void
}) {
  useTitle(`Runs · ${project.name}`)
  const list = useQuery(runsQuery(project.id, search))
  const { session } = useSession()
  const [chosen, setChosen] = useState<ReadonlyMap<string, Run>>(new Map())
  const { page = 1, kind, person } = search
  const count = list.data?.count
  const toPage = (next: number) => onSearch({ ...search, page: next > 1 ? next : undefined })
  const filter = (change: Record<string, string>) => onSearch(runsSearch.parse({ kind, person, ...change }))
  const choose = (run: Run, isChosen: boolean) => {
    const next = new Map(chosen)
    if (isChosen) next.set(run.id, run)
    else next.delete(run.id)
    setChosen(next)
  }
  const isFiltered = kind !== undefined || person !== undefined
  return (
    <Page className="pb-24">
      <Link to={pages.overview(project.address)} className="back-link">
        ← Back to overview
      </Link>
      <PageHead>
        <h1>
          Runs <HeadCount>{count === undefined ? null : grouped(count)}</HeadCount>
        </h1>
        {count ? (
          <HeadActions>
            <ExportMenu
              limit={count > MOST_EXPORTED_RUNS ? `the newest ${grouped(MOST_EXPORTED_RUNS)}` : undefined}
              addressOf={(format) =>
                api.runsExport(project.id, { ...(kind ? { kind } : {}), ...(person ? { person } : {}), format })
              }
            />
          </HeadActions>
        ) : null}
      </PageHead>
      {list.isLoadingError ? (
        <LoadFailed title="The runs could not be loaded" error={list.error} onRetry={() => void list.refetch()} />
      ) : count === 0 && !isFiltered ? (
        <EmptyState
          title="No runs yet."
          about="Each analysis and each answer over the project is listed here: what was sent to a model, and what it returned."
        />
      ) : (
        <>
          <FilterBar role="search">
            <Select
              aria-label="Kind"
              value={kind ?? 'all'}
              onChange={(value) => filter({ kind: value })}
              options={KINDS}
            />
            <Select
              aria-label="Person"
              value={person ?? 'all'}
              onChange={(value) => onSearch({ kind, ...(value === 'all' ? {} : { person: value }) })}
              options={[
                { value: 'all', label: 'Everyone' },
                ...(list.data?.people ?? []).map(({ id, name }) => ({
                  value: id,
                  label: id === session?.user.id ? 'You' : name,
                })),
              ]}
            />
            <p className="ml-2 text-meta text-muted-foreground max-md:ml-0 max-md:flex-[1_0_100%]">
              Nothing in this list can be changed. Tick two runs of one kind to compare them.
            </p>
          </FilterBar>
          {count === 0 ? (
            <EmptyState
              title="No run has this kind and person."
              actions={<Button onClick={() => onSearch({})}>Show all runs</Button>}
            />
          ) : (
            <RunsTable address={project.address} rows={list.data?.data} chosen={chosen} onChoose={choose} />
          )}
          <ListPager list={list} page={page} limit={RUNS_PAGE_SIZE} onPage={toPage} />
        </>
      )}
      {chosen.size > 0 ? (
        <SelectedRuns address={project.address} runs={[...chosen.values()]} onClear={() => setChosen(new Map())} />
      ) : null}
    </Page>
  )
}
