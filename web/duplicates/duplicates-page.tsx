import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { GROUPS_PAGE_SIZE } from '#shared/contract/duplicates.ts'
import { pages } from '#shared/contract/paths.ts'
import type { Project } from '#shared/contract/projects.ts'
import { counted, shortDateAndTime } from '#web/lib/dates.ts'
import { ListPager } from '#web/lib/list-pager.tsx'
import { LoadFailed } from '#web/lib/load-failed.tsx'
import { useMay } from '#web/lib/rights.tsx'
import { useTitle } from '#web/lib/use-title.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Progress, Spinner, SpinnerRow } from '#web/ui/marks.tsx'
import { HeadActions, HeadCount, Page, PageHead } from '#web/ui/page.tsx'
import { DuplicateGroupCard } from './duplicate-group.tsx'
import styles from './duplicates.module.css'
import { duplicatesQuery } from './queries.ts'
import { useGroupKeys } from './use-group-keys.ts'
import { useSearch } from './use-search.ts'

/** The page with the groups of suspected duplicates of a project. */
export function DuplicatesPage({
  project,
  page,
  onPage,
}: {
  project: Project
  page: number
  onPage: (page: number) => void
}) {
  useTitle(`Duplicates · ${project.name}`)
  const mayEdit = useMay('edit')
  const list = useQuery(duplicatesQuery(project.id, page))
  const search = useSearch(project.id)
  const [activeId, setActiveId] = useState<string>()
  const groups = list.data?.data ?? []
  const count = list.data?.count ?? 0
  const active = groups.find(({ id }) => id === activeId) ?? groups[0]
  const listRef = useRef<HTMLDivElement>(null)
  const [wantsFocus, setWantsFocus] = useState(false)

  const move = (by: number) => {
    const next = groups[groups.findIndex((group) => group === active) + by]
    if (!next) return
    setActiveId(next.id)
    setWantsFocus(true)
  }
  /**
   * Makes the group after `id` the current one, or the group before it if `id` is the last. Called when `id` was answered,
   * because an answered group leaves the list or moves to its end.
   */
  const advance = (id: string) => {
    const at = groups.findIndex((group) => group.id === id)
    setActiveId((groups[at + 1] ?? groups[at - 1])?.id)
    setWantsFocus(true)
  }
  useGroupKeys(listRef, move)
  useEffect(() => {
    if (!wantsFocus) return
    const card = listRef.current?.querySelector<HTMLElement>('[aria-current=true]')
    card?.focus({ preventScroll: true })
    card?.scrollIntoView({ block: 'nearest' })
    setWantsFocus(false)
  }, [wantsFocus])

  const look = mayEdit ? (
    <Button onClick={search.active ? search.stop : search.start} disabled={search.busy && !search.active}>
      {search.active ? null : <Search aria-hidden />}
      {search.active ? 'Cancel the search' : 'Look for duplicates'}
    </Button>
  ) : null
  return (
    <Page>
      <Link to={pages.documents(project.address)} className="back-link">
        ← Back to documents
      </Link>
      <PageHead>
        <h1>Duplicates {list.data ? <HeadCount>{counted(count, 'group')} left</HeadCount> : null}</h1>
        {look && (count > 0 || search.active) ? <HeadActions>{look}</HeadActions> : null}
      </PageHead>
      {search.active ? (
        <div className="mb-5 grid max-w-136 gap-1.5 text-meta text-muted-foreground">
          <span>{search.active.progress_text ?? 'Looking for duplicates'}</span>
          <Progress value={search.active.progress} label="Looking for duplicates" />
        </div>
      ) : null}
      {list.isPending ? (
        <SpinnerRow>
          <Spinner label="Loading duplicates" />
        </SpinnerRow>
      ) : list.isLoadingError ? (
        <LoadFailed title="The duplicates could not be loaded" error={list.error} onRetry={() => void list.refetch()} />
      ) : count === 0 ? (
        <EmptyState
          title="No duplicates found."
          about={
            <>
              Papers are compared at the end of each import and when a title, DOI, author or year is changed.
              {list.data.compared ? ` ${lastCompared(list.data.compared)}` : null}
            </>
          }
          actions={
            search.active ? undefined : (
              <>
                {look}
                <Link to={pages.imports(project.address)} className="text-link">
                  Imports
                </Link>
              </>
            )
          }
        />
      ) : (
        <>
          <div className={styles.help}>
            <p>
              {mayEdit
                ? 'Differences are marked. Choose the values that the joined paper keeps; a join can be undone for 30 days.'
                : 'Differences are marked.'}
            </p>
            {mayEdit ? (
              <ul className={styles.keys} aria-label="Keys">
                <Keys names={['↑', '↓']}>group</Keys>
                <Keys names={['←', '→']}>side</Keys>
                <Keys names={['J']}>join</Keys>
                <Keys names={['N']}>not duplicates</Keys>
                <Keys names={['L']}>later</Keys>
              </ul>
            ) : null}
          </div>
          <div
            className="mb-6 grid grid-cols-[repeat(auto-fill,minmax(min(34rem,100%),1fr))] items-start gap-x-6 gap-y-7"
            ref={listRef}
          >
            {groups.map((group) => (
              <DuplicateGroupCard
                key={group.id}
                project={project}
                group={group}
                mayEdit={mayEdit}
                isActive={group === active}
                onActivate={() => setActiveId(group.id)}
                onDone={() => advance(group.id)}
              />
            ))}
          </div>
          <ListPager list={list} page={page} limit={GROUPS_PAGE_SIZE} onPage={onPage} />
        </>
      )}
    </Page>
  )
}

/**
 * Returns a sentence about the last search for duplicates, for example '434 records were last compared on Nov 23, 2026,
 * 09:14.'.
 */
const lastCompared = ({ count, at }: { count: number; at: string }) =>
  `${counted(count, 'record')} ${count === 1 ? 'was' : 'were'} last compared on ${shortDateAndTime(at)}.`

const Keys = ({ names, children }: { names: string[]; children: string }) => (
  <li>
    {names.map((name) => (
      <kbd key={name}>{name}</kbd>
    ))}
    {children}
  </li>
)
