import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { pages } from '#shared/contract/paths.ts'
import type { Project } from '#shared/contract/projects.ts'
import { ListPager } from '#web/lib/list-pager.tsx'
import { LoadFailed } from '#web/lib/load-failed.tsx'
import { useMay } from '#web/lib/rights.tsx'
import { useTitle } from '#web/lib/use-title.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { FieldHint } from '#web/ui/field.tsx'
import { HeadActions, HeadCount, Page, PageHead } from '#web/ui/page.tsx'
import { ActiveImports } from './active-imports.tsx'
import { ImportMenu } from './import-menu.tsx'
import { ImportsTable } from './imports-table.tsx'
import { importsQuery } from './queries.ts'
import { type ImportsSearch, PAGE_SIZE, PAGE_SIZES } from './search.ts'

/** The imports of a project, newest first. */
export function ImportsPage({
  project,
  search,
  onSearch,
}: {
  project: Project
  search: ImportsSearch
  onSearch: (search: ImportsSearch) => void
}) {
  useTitle(`Imports · ${project.name}`)
  const list = useQuery(importsQuery(project.id, search))
  const mayEdit = useMay('edit')
  const { page = 1, limit = PAGE_SIZE } = search
  const count = list.data?.count
  const toPage = (next: number) => onSearch({ ...search, page: next > 1 ? next : undefined })
  return (
    <Page>
      <Link to={pages.documents(project.address)} className="back-link">
        ← Back to documents
      </Link>
      <PageHead>
        <h1>
          Imports<HeadCount>{count}</HeadCount>
        </h1>
        {mayEdit ? (
          <HeadActions>
            <ImportMenu project={project} isPrimary />
          </HeadActions>
        ) : null}
      </PageHead>
      <ActiveImports projectId={project.id} />
      {list.isLoadingError ? (
        <LoadFailed title="The imports could not be loaded" error={list.error} onRetry={() => void list.refetch()} />
      ) : count === 0 ? (
        <EmptyState
          title="No imports yet."
          about="Each file, library or list of identifiers that you import is listed here with its records."
        />
      ) : (
        <>
          <ImportsTable project={project} list={list.data} />
          <FieldHint>
            Every record that was read is new, joined, skipped or failed. The sums leave out undone imports.
          </FieldHint>
          <ListPager
            list={list}
            page={page}
            limit={limit}
            limits={PAGE_SIZES}
            onPage={toPage}
            onLimit={(size) => onSearch({ limit: size === PAGE_SIZE ? undefined : size })}
          />
        </>
      )}
    </Page>
  )
}
