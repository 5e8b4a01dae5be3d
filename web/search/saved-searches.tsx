import { useQuery } from '@tanstack/react-query'
import { Bookmark } from 'lucide-react'
import { useState } from 'react'
import type { Project } from '#shared/contract/projects.ts'
import { LONGEST_SEARCH_NAME, type SavedQuery, type SavedSearch } from '#shared/contract/saved-searches.ts'
import type { PassageSearch } from '#shared/contract/search-address.ts'
import { parseSearch, refuseSearch } from '#shared/contract/search-query.ts'
import { toast } from '#web/lib/toasts.tsx'
import { Button } from '#web/ui/button.tsx'
import { Popover } from '#web/ui/popover.tsx'
import { savedSearchesQuery, saveSearch } from './queries.ts'
import { SavedItem } from './saved-item.tsx'
import { SavedSearchForm } from './saved-search-form.tsx'
import styles from './search.module.css'

interface Props {
  project: Project
  search: PassageSearch
}

/** The list of the user's saved searches, shown below the search field (LIB-06). */
export function SavedSearches({ project, search }: Props) {
  const saved = useQuery(savedSearchesQuery(project.id)).data ?? []
  if (saved.length === 0) return null
  const current = findSaved(saved, search)
  return (
    <div className={styles.saved} role="group" aria-label="Saved searches">
      <span>Saved</span>
      <ul>
        {saved.map((one) => (
          <SavedItem key={one.id} project={project} saved={one} isCurrent={one === current} />
        ))}
      </ul>
    </div>
  )
}

/** The button that saves the current search. Renders nothing if the search is empty, saved, or only excludes words. */
export function SaveThisSearch({ project, search }: Props) {
  const saved = useQuery(savedSearchesQuery(project.id)).data ?? []
  const { page: _page, ...query } = search
  if (!query.q || findSaved(saved, search) || refuseSearch(parseSearch(query.q)) !== null) return null
  return <SaveButton project={project} query={{ ...query, q: query.q }} />
}

function findSaved(saved: readonly SavedSearch[], { page: _page, ...query }: PassageSearch): SavedSearch | undefined {
  return saved.find((one) => isSame(one.query, query))
}

/** Returns true if two searches have the same parameters in any order. */
const isSame = (one: PassageSearch, other: PassageSearch) => textOf(one) === textOf(other)
const textOf = (search: PassageSearch) =>
  JSON.stringify(
    Object.entries(search)
      .filter(([, value]) => value !== undefined)
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  )

function SaveButton({ project, query }: { project: Project; query: SavedQuery }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Popover
      label="Save this search"
      align="end"
      wide
      open={isOpen}
      onOpenChange={setOpen}
      trigger={
        <Button variant="ghost" size="sm">
          <Bookmark aria-hidden />
          Save this search
        </Button>
      }
    >
      <SavedSearchForm
        name={query.q.slice(0, LONGEST_SEARCH_NAME)}
        notify={false}
        onSave={async (values) => {
          await saveSearch(project.id, { ...values, query })
          setOpen(false)
          toast({ title: 'Search saved' })
        }}
      />
    </Popover>
  )
}
