import { Link } from '@tanstack/react-router'
import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import { pages } from '#shared/contract/paths.ts'
import type { Project } from '#shared/contract/projects.ts'
import { type SavedSearch, savedSearch } from '#shared/contract/saved-searches.ts'
import { changedValues, useSaveTogether } from '#web/lib/save-together.tsx'
import { toast } from '#web/lib/toasts.tsx'
import { IconButton } from '#web/ui/button.tsx'
import { Popover } from '#web/ui/popover.tsx'
import { NewMatches } from './new-matches.tsx'
import { deleteSavedSearch, editSavedSearch } from './queries.ts'
import { SavedSearchForm, type SavedValues } from './saved-search-form.tsx'

const LABELS = { name: 'Name', notify: 'E-mail me about new matches' }
const valuesOf = ({ name, notify }: SavedSearch): SavedValues => ({ name, notify })

/** A saved search: a link that opens it, the number of new matches, and a button with a form that renames or deletes it. */
export function SavedItem({ project, saved, isCurrent }: { project: Project; saved: SavedSearch; isCurrent: boolean }) {
  /** The saved search as it was when its form was opened; null while the form is closed. */
  const [opened, setOpened] = useState<SavedSearch | null>(null)
  const together = useSaveTogether<SavedValues>(LABELS)
  const save = async (before: SavedSearch, mine: SavedValues) => {
    const result = await together.save({
      before: valuesOf(before),
      mine,
      version: before.version,
      send: (change) =>
        editSavedSearch(project.id, saved.id, {
          ...changedValues(change.before, change.mine),
          version: change.version,
        }),
      read: (current) => {
        const theirs = savedSearch.parse(current)
        return { values: valuesOf(theirs), version: theirs.version }
      },
    })
    if (result) setOpened(null)
  }
  return (
    <li>
      <Link to={pages.search(project.address, saved.query)} aria-current={isCurrent ? 'page' : undefined}>
        {saved.name}
      </Link>
      <NewMatches saved={saved} isCurrent={isCurrent} />
      <Popover
        label={`Saved search ${saved.name}`}
        wide
        open={opened !== null}
        onOpenChange={(open) => setOpened(open ? saved : null)}
        trigger={
          <IconButton label={`Edit the saved search ${saved.name}`}>
            <Ellipsis aria-hidden />
          </IconButton>
        }
      >
        {together.dialog}
        {opened ? (
          <SavedSearchForm
            name={opened.name}
            notify={opened.notify}
            onSave={(values) => save(opened, values)}
            onDelete={async () => {
              await deleteSavedSearch(project.id, saved.id)
              toast({ title: 'Saved search deleted' })
            }}
          />
        ) : null}
      </Popover>
    </li>
  )
}
