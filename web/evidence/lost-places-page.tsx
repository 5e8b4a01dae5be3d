import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { LOST_PAGE_SIZE } from '#shared/contract/evidence.ts'
import { pages } from '#shared/contract/paths.ts'
import type { Project } from '#shared/contract/projects.ts'
import { counted } from '#web/lib/dates.ts'
import { LoadFailed } from '#web/lib/load-failed.tsx'
import { usePageWithin } from '#web/lib/use-page-within.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Spinner, SpinnerRow } from '#web/ui/marks.tsx'
import { HeadCount, Page, PageHead } from '#web/ui/page.tsx'
import { PageNumbers } from '#web/ui/page-numbers.tsx'
import { LostPlace } from './lost-place.tsx'
import { lostPlacesQuery } from './queries.ts'

/** The quotes of answers that the newest texts of their papers do not contain. */
export function LostPlacesPage({
  project,
  page,
  onPage,
}: {
  project: Project
  page: number
  onPage: (page: number) => void
}) {
  useTitle(`Lost places · ${project.name}`)
  const list = useQuery(lostPlacesQuery(project.id, page))
  const pageCount = list.data ? Math.max(1, Math.ceil(list.data.count / LOST_PAGE_SIZE)) : null
  usePageWithin(page, list.isPlaceholderData ? null : pageCount, onPage)
  return (
    <Page>
      <Link to={pages.overview(project.address)} className="back-link">
        ← Back to overview
      </Link>
      <PageHead>
        <h1>Lost places {list.data ? <HeadCount>{counted(list.data.count, 'quote')}</HeadCount> : null}</h1>
      </PageHead>
      {list.isPending ? (
        <SpinnerRow>
          <Spinner label="Loading lost places" />
        </SpinnerRow>
      ) : list.isLoadingError ? (
        <LoadFailed
          title="The lost places could not be loaded"
          error={list.error}
          onRetry={() => void list.refetch()}
        />
      ) : list.data.count === 0 ? (
        <EmptyState
          title="No lost places."
          about="When the text of a paper changes, the quotes of answers are found again. Quotes that the new text does not contain are listed here."
        />
      ) : (
        <>
          <p className="mb-3 text-meta text-muted-foreground">
            The new texts of these papers do not contain these quotes. Choose the words that replace a quote.
          </p>
          <ol aria-busy={list.isPlaceholderData}>
            {list.data.data.map((lost) => (
              <LostPlace key={lost.id} project={project} lost={lost} />
            ))}
          </ol>
          <PageNumbers steps page={page} pageCount={pageCount ?? 1} onPage={onPage} />
        </>
      )}
    </Page>
  )
}
