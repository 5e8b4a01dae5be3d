import { useQuery } from '@tanstack/react-query'
import { Plus, Upload } from 'lucide-react'
import { useEffect, useState } from 'react'
import { FEED_PAGE_SIZE } from '#shared/contract/address-values.ts'
import { FEED_FAILED } from '#shared/contract/feeds.ts'
import type { Subscription } from '#shared/contract/feeds.ts'
import type { Project } from '#shared/contract/projects.ts'
import { useSession } from '#web/auth/index.ts'
import { messageOf } from '#web/lib/api.ts'
import { grouped } from '#shared/text/numbers.ts'
import { useMay } from '#web/lib/rights.tsx'
import { toast } from '#web/lib/toasts.tsx'
import { usePageWithin } from '#web/lib/use-page-within.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { BackToProjects } from '#web/projects/index.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Spinner, SpinnerRow } from '#web/ui/marks.tsx'
import { PageNumbers } from '#web/ui/page-numbers.tsx'
import { HeadActions, HeadCount, Notice, Page, PageHead } from '#web/ui/page.tsx'
import { AddJournalDialog } from './add-journal-dialog.tsx'
import { ArticleList } from './article-list.tsx'
import { FeedBar } from './feed-bar.tsx'
import { FeedMenu } from './feed-menu.tsx'
import styles from './feeds.module.css'
import { JournalsPanel } from './journals-panel.tsx'
import { useOpmlImport } from './opml.tsx'
import { articlesQuery, feedJournalsQuery, isWaiting, refreshArticles, subscriptionsQuery } from './queries.ts'
import type { FeedSearch } from './search.ts'

interface Props {
  project: Project
  search: FeedSearch
  /**
   * Changes the search parameters of the URL. `replace` replaces the history entry, for example if the current URL is invalid.
   */
  onSearch: (search: FeedSearch, replace?: boolean) => void
}

/** Articles of the followed journals, newest first, beside the list of journals. */
export function FeedPage({ project, search, onSearch }: Props) {
  useTitle(`Feed · ${project.name}`)
  const mayEdit = useMay('edit')
  const isAdmin = (useSession().session?.profile.is_admin ?? false) && mayEdit
  const [adding, setAdding] = useState(false)
  const opml = useOpmlImport(project.id)
  const subscriptions = useQuery(subscriptionsQuery(project.id))
  const articles = useQuery(articlesQuery(project.id, search))
  useFeedNews(project.id, subscriptions.data)
  const pageCount = Math.ceil((articles.data?.count ?? 0) / FEED_PAGE_SIZE)
  const pageOf = (page: number): FeedSearch => {
    const at = search.show === 'unread' ? articles.data?.unread_at : undefined
    return page > 1 ? { ...search, page, at } : { ...search, page: undefined, at: undefined }
  }
  // After a journal is unfollowed, the current page may no longer exist.
  usePageWithin(search.page ?? 1, articles.data && !articles.isPlaceholderData ? pageCount : null, (last) =>
    onSearch(pageOf(last), true),
  )
  const followed = subscriptions.data ?? []
  const count = articles.data?.count ?? 0
  const change = (patch: Partial<FeedSearch>) => onSearch({ ...pageOf(1), ...patch })
  return (
    <Page>
      <BackToProjects />
      <PageHead>
        <h1>Feed{articles.data ? <HeadCount>{grouped(count)}</HeadCount> : null}</h1>
        <HeadActions>
          {isAdmin ? (
            <Button onClick={() => setAdding(true)}>
              <Plus aria-hidden />
              Add a journal feed
            </Button>
          ) : null}
          <FeedMenu projectId={project.id} busy={opml.busy} onImport={mayEdit ? opml.choose : undefined} />
          {opml.input}
        </HeadActions>
      </PageHead>
      <div className={styles.columns}>
        <JournalsPanel projectId={project.id} followed={subscriptions.data} />
        <div>
          {followed.length > 0 || isFiltered(search) ? (
            <FeedBar search={search} followed={followed} onChange={change} />
          ) : null}
          {articles.isLoadingError || subscriptions.isLoadingError ? (
            <Notice>
              <h2>The feed could not be loaded</h2>
              <p>{messageOf(articles.error ?? subscriptions.error)}</p>
              <Button onClick={() => void Promise.all([articles.refetch(), subscriptions.refetch()])}>Retry</Button>
            </Notice>
          ) : !articles.data || !subscriptions.data ? (
            <SpinnerRow>
              <Spinner label="Loading articles" />
            </SpinnerRow>
          ) : count === 0 ? (
            <NoArticles
              search={search}
              followed={followed}
              admin={isAdmin}
              onAdd={() => setAdding(true)}
              isImporting={opml.busy}
              onImport={mayEdit ? opml.choose : undefined}
              onClear={() => onSearch({})}
            />
          ) : (
            <>
              <ArticleList project={project} articles={articles.data.data} />
              <div className={styles.paging}>
                <PageNumbers
                  page={search.page ?? 1}
                  pageCount={pageCount}
                  onPage={(page) => {
                    onSearch(pageOf(page))
                    window.scrollTo({ top: 0 })
                  }}
                />
              </div>
            </>
          )}
        </div>
      </div>
      <AddJournalDialog open={adding} onOpenChange={setAdding} />
    </Page>
  )
}

const isFiltered = ({ search, journal, show }: FeedSearch) => Boolean(search ?? journal ?? show)

function NoArticles({
  search,
  followed,
  admin,
  onAdd,
  isImporting,
  onImport,
  onClear,
}: {
  search: FeedSearch
  followed: readonly Subscription[]
  admin: boolean
  onAdd: () => void
  isImporting: boolean
  /** Opens the OPML import; undefined for members who may not follow journals. */
  onImport: (() => void) | undefined
  onClear: () => void
}) {
  // The same query as in the panel of journals.
  const journals = useQuery(feedJournalsQuery(''))
  const hasJournals = journals.data === undefined || journals.data.length > 0
  if (isFiltered(search))
    return (
      <EmptyState
        title="No articles found."
        about="Nothing matches the search and the filters."
        actions={<Button onClick={onClear}>Show all articles</Button>}
      />
    )
  if (followed.some(isWaiting))
    return (
      <SpinnerRow>
        <Spinner label="Reading the feeds for the first time" />
      </SpinnerRow>
    )
  if (followed.length > 0)
    return <EmptyState title="No articles yet." about="The followed journals have not published any articles yet." />
  if (!onImport) return <EmptyState title="No articles yet." about="This project follows no journal yet." />
  return (
    <EmptyState
      title="No articles yet."
      about={whatToDo(hasJournals, admin)}
      actions={
        <>
          {admin ? (
            <Button onClick={onAdd}>
              <Plus aria-hidden />
              Add a journal feed
            </Button>
          ) : null}
          <Button variant={admin ? 'ghost' : 'outline'} disabled={isImporting} onClick={onImport}>
            <Upload aria-hidden />
            Import OPML
          </Button>
        </>
      }
    />
  )
}

function whatToDo(hasJournals: boolean, admin: boolean): string {
  if (!hasJournals)
    return admin
      ? 'There is no feed to read yet. Add the first journal feed, or import the feeds that you follow in another feed reader.'
      : 'There is no feed to read yet. Import the feeds that you follow in another feed reader, or ask an administrator to add journals.'
  return admin
    ? 'Select a journal to read its new articles here. Add missing journals, or import them from another feed reader.'
    : 'Select a journal to read its new articles here. Import missing journals from another feed reader, or ask an administrator to add them.'
}

/**
 * Since the app was loaded: `failing` are the ids of journals whose feed cannot be read, `visited` the ids of projects whose
 * feeds were shown.
 */
const failing = new Set<string>()
const visited = new Set<string>()

/**
 * Refetches the articles after a feed was read. Shows a toast if a feed fails that did not fail before; failures that exist
 * when the project is first shown are only in the list.
 */
function useFeedNews(projectId: string, rows: Subscription[] | undefined) {
  const read = rows?.map((one) => one.last_fetched_at).join()
  useEffect(() => void refreshArticles(), [read])
  useEffect(() => {
    if (!rows) return
    for (const one of rows) if (!one.last_error) failing.delete(one.journal_id)
    const failed = rows.filter((one) => one.last_error && !failing.has(one.journal_id))
    for (const one of failed) failing.add(one.journal_id)
    const isNews = visited.has(projectId)
    visited.add(projectId)
    if (!isNews || failed.length === 0) return
    const names = failed.map((one) => one.journal_name).join(', ')
    toast({ title: 'RSS Feed Error', description: `${names}: ${FEED_FAILED}`, destructive: true })
  }, [projectId, rows])
}
