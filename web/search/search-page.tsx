import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { SEARCH_PAGE_SIZE } from '#shared/contract/address-values.ts'
import type { SearchCount, SearchHit, SearchScope } from '#shared/contract/library-search.ts'
import { pages } from '#shared/contract/paths.ts'
import type { FoundPassage } from '#shared/contract/passages.ts'
import type { Project } from '#shared/contract/projects.ts'
import { type PassageSearch, searchParams } from '#shared/contract/search-address.ts'
import { parseSearch, refuseSearch } from '#shared/contract/search-query.ts'
import { messageOf } from '#web/lib/api.ts'
import { Interruptible } from '#web/lib/interruptible.tsx'
import { grouped } from '#shared/text/numbers.ts'
import { ListPager } from '#web/lib/list-pager.tsx'
import { useRestedWords } from '#web/lib/use-rested-words.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { isSamePassage, ReaderPanel, type Reading, useReaderEntry } from '#web/reader/index.ts'
import { Button } from '#web/ui/button.tsx'
import { cn } from '#web/ui/class-names.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { useFocusAfterRemoval } from '#web/ui/focus-after-removal.ts'
import { Input } from '#web/ui/field.tsx'
import { Spinner, SpinnerRow } from '#web/ui/marks.tsx'
import { Notice, Page } from '#web/ui/page.tsx'
import { Select } from '#web/ui/select.tsx'
import { TabPanel, Tabs } from '#web/ui/tabs.tsx'
import { SavedSearches, SaveThisSearch } from './saved-searches.tsx'
import { HitRow } from './hit-row.tsx'
import { searchQuery } from './queries.ts'
import { ChosenFilters, FilterButton, FilterColumn } from './search-filters.tsx'
import { SearchHelp } from './search-help.tsx'
import { NoHits, SearchNotes } from './search-notes.tsx'
import styles from './search.module.css'

const SCOPES: { value: SearchScope; label: string }[] = [
  { value: 'project', label: 'This project' },
  { value: 'mine', label: 'My projects' },
  { value: 'shared', label: 'Shared with me' },
  { value: 'all', label: 'All' },
]
const TABS = [
  { value: 'passages', label: 'Passages' },
  { value: 'papers', label: 'Papers' },
] as const

/**
 * The page that searches the passages of a project, or of all projects of the user. All its settings are search parameters of
 * the URL (LIB-02).
 */
export function SearchPage({
  project,
  search,
  onSearch,
}: {
  project: Project
  search: PassageSearch
  onSearch: (search: PassageSearch) => void
}) {
  useTitle(`Search · ${project.name}`)
  const { reading, open, close } = useReaderEntry()
  const show = (hit: SearchHit) =>
    open({
      documentId: hit.document_id,
      passage: passageOf(hit),
      paper: {
        title: hit.title ?? hit.filename,
        address: pages.document(hit.project_address ?? project.address, hit.document_id),
      },
    })
  const change = (patch: Partial<PassageSearch>) => onSearch({ ...search, page: undefined, ...patch })
  const [words, setWords] = useRestedWords(search.q ?? '', (q) => change({ q: q || undefined }))
  const kind = search.kind ?? 'passages'
  const refusal = search.q ? refuseSearch(parseSearch(search.q)) : null
  const params = searchParams(project.id, search)
  const isSearched = params.q !== '' && refusal === null
  const counts = useQuery({ ...searchQuery(params), enabled: isSearched }).data?.counts
  const tabs = TABS.map((tab) => ({ ...tab, count: counts && isSearched ? inTab(counts[tab.value]) : undefined }))
  return (
    <Page
      {...useFocusAfterRemoval('[data-slot=chip]')}
      className={reading ? 'lg:m-0 lg:w-[calc(100vw-min(48rem,56vw))] lg:max-w-none' : undefined}
    >
      <Link to={pages.overview(project.address)} className={cn('back-link mb-2', reading && 'lg:hidden')}>
        ← Back to overview
      </Link>
      <h1 className="sr-only">Search</h1>
      <div className={styles.find} role="search">
        <Input
          type="text"
          inputMode="search"
          aria-label="Search all passages"
          placeholder="Search all passages…"
          autoFocus={!search.q}
          maxLength={500}
          icon={<Search aria-hidden />}
          end={<SearchHelp />}
          value={words}
          onChange={({ target }) => setWords(target.value)}
        />
        <Select
          aria-label="Scope"
          value={search.scope ?? 'project'}
          options={SCOPES}
          onChange={(scope) => change({ scope: scope === 'project' ? undefined : (scope as SearchScope) })}
        />
        <div className={reading ? undefined : 'lg:hidden'}>
          <FilterButton projectId={project.id} search={search} onChange={change} />
        </div>
      </div>
      <SavedSearches project={project} search={search} />
      <div className={reading ? undefined : styles.columns}>
        <Tabs
          label="Results"
          value={kind}
          tabs={tabs}
          onChange={(next) => change({ kind: next === 'passages' ? undefined : next })}
          end={<SaveThisSearch project={project} search={search} />}
        >
          <TabPanel value={kind}>
            <ChosenFilters search={search} onChange={change} />
            {refusal !== null ? (
              <div className="mt-4">
                <EmptyState title={refusal} about="The question mark in the field lists what a search can contain." />
              </div>
            ) : search.q ? (
              <Results {...{ project, search, reading, onSearch, onShow: show }} onChange={change} />
            ) : (
              <div className="mt-4">
                <EmptyState
                  title="Search the passages of your papers"
                  about="Type words, a question or an exact phrase. Passages are found by their words and by their meaning."
                />
              </div>
            )}
          </TabPanel>
        </Tabs>
        {reading ? null : <FilterColumn projectId={project.id} search={search} onChange={change} />}
      </div>
      {reading?.paper ? (
        <ReaderPanel
          key={reading.documentId}
          documentId={reading.documentId}
          passage={reading.passage}
          paper={{ ...reading.paper, back: 'Back to results' }}
          onClose={close}
        />
      ) : null}
    </Page>
  )
}

const inTab = (count: SearchCount) => (typeof count === 'number' ? grouped(count) : '1,000+')

/**
 * Returns the best sentence of a search result as a passage for the reader. A sentence of an abstract has neither page nor
 * offsets.
 */
const passageOf = ({ evidence, best_sentence: quote }: SearchHit): FoundPassage =>
  evidence ?? { quote, page: null, start: null, end: null, match: 'exact', score: 1 }

function Results({
  project,
  search,
  reading,
  onSearch,
  onShow,
  onChange,
}: {
  project: Project
  search: PassageSearch
  reading: Reading | null
  onSearch: (search: PassageSearch) => void
  onShow: (hit: SearchHit) => void
  onChange: (patch: Partial<PassageSearch>) => void
}) {
  const params = searchParams(project.id, search)
  const list = useQuery(searchQuery(params))
  const toPage = (page: number) => onSearch({ ...search, page: page > 1 ? page : undefined })
  const rows = { data: list.data && { count: list.data.listed }, isPlaceholderData: list.isPlaceholderData }
  const pager = <ListPager list={rows} page={search.page} limit={SEARCH_PAGE_SIZE} onPage={toPage} />
  if (list.isLoadingError)
    return (
      <Notice>
        <h2>The search failed</h2>
        <p>{messageOf(list.error)}</p>
        <Button onClick={() => void list.refetch()}>Retry</Button>
      </Notice>
    )
  const searching = (
    <SpinnerRow>
      <Spinner label="Searching" />
    </SpinnerRow>
  )
  if (!list.data) return searching
  const { data, count } = list.data
  const kind = search.kind ?? 'passages'
  if (data.length === 0 && list.data.listed === 0)
    return (
      <>
        <SearchNotes result={list.data} project={project} search={search} />
        <NoHits result={list.data} kind={kind} onChange={onChange} />
        {pager}
      </>
    )
  const number = typeof count === 'number' ? count : 'At least 1,000'
  const noun = kind === 'papers' ? 'paper' : 'passage'
  return (
    <Interruptible fallback={searching}>
      <p className="sr-only" role="status">
        {number} {count === 1 ? noun : `${noun}s`}
      </p>
      <SearchNotes result={list.data} project={project} search={search} />
      <ol className={styles.hits} aria-busy={list.isPlaceholderData}>
        {data.map((hit) => (
          <HitRow
            key={`${hit.document_id} ${hit.page} ${hit.start}`}
            hit={hit}
            address={project.address}
            params={params}
            isShown={reading?.documentId === hit.document_id && isSamePassage(reading.passage, passageOf(hit))}
            onShow={onShow}
          />
        ))}
      </ol>
      {pager}
    </Interruptible>
  )
}
