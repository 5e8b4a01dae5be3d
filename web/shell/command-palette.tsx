import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Command } from 'cmdk'
import { FileText, FolderOpen, Search } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { useDeferredValue, useState } from 'react'
import { documentTitle } from '#shared/documents.ts'
import { pages } from '#shared/paths.ts'
import { documentsQuery } from '#web/documents/index.ts'
import { projectsQuery, useCurrentProject } from '#web/projects/index.ts'

const DOCUMENTS_SHOWN = 8

/** Ctrl K: jumps to a project, to a document of the current project, or to a page. */
export function CommandPalette({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const [words, setWords] = useState('')
  const [active, setActive] = useState('')
  const search = useDeferredValue(words.trim())
  const current = useCurrentProject()
  const projects = useQuery(projectsQuery)
  const documents = useQuery({
    ...documentsQuery({ project_id: current?.id ?? '', search, limit: DOCUMENTS_SHOWN }),
    enabled: Boolean(current),
  })
  const go = (to: string) => {
    onClose()
    void navigate({ to })
  }
  const places: [string, string][] = [
    ...(current
      ? ([
          ['Overview', pages.overview(current.name)],
          ['Documents', pages.documents(current.name)],
          ['Feed', pages.feed(current.name)],
          ['Discover', pages.discover(current.name)],
          ['Reports', pages.reports(current.name)],
        ] satisfies [string, string][])
      : []),
    ['All projects', pages.projects()],
    ['Profile', pages.profile()],
    ['Settings', pages.settings()],
  ]
  const fits = (text: string) => text.toLowerCase().includes(search.toLowerCase())
  const shownProjects = projects.data?.filter((project) => fits(project.name)).slice(0, DOCUMENTS_SHOWN) ?? []
  const shownPlaces = places.filter(([name]) => fits(name))
  const ids = [
    ...(current ? (documents.data?.data ?? []).map((row) => row.id) : []),
    ...shownProjects.map((project) => project.id),
    ...shownPlaces.map(([, to]) => to),
  ]
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="overlay" />
        <Dialog.Content className="dialog palette" aria-describedby={undefined}>
          <Dialog.Title className="sr-only">Search</Dialog.Title>
          <Command
            shouldFilter={false}
            label="Search"
            value={ids.includes(active) ? active : (ids[0] ?? '')}
            onValueChange={setActive}
          >
            <div className="palette-head">
              <Search className="ic" aria-hidden />
              <Command.Input
                value={words}
                onValueChange={setWords}
                placeholder="Search projects, documents and pages"
                autoFocus
              />
              <kbd>Esc</kbd>
            </div>
            <Command.List className="palette-list" label="Results">
              {documents.isFetching ? null : <Command.Empty className="menu-note">Nothing found.</Command.Empty>}
              {documents.data && documents.data.data.length > 0 && current ? (
                <Command.Group heading={`Documents in ${current.name}`}>
                  {documents.data.data.map((row) => (
                    <Command.Item
                      key={row.id}
                      value={row.id}
                      className="menu-item"
                      onSelect={() => go(pages.document(current.name, row.id))}
                    >
                      <FileText className="ic" aria-hidden />
                      <span className={row.title ? 'serif truncate' : 'truncate'}>{documentTitle(row)}</span>
                    </Command.Item>
                  ))}
                </Command.Group>
              ) : null}
              {shownProjects.length > 0 ? (
                <Command.Group heading="Projects">
                  {shownProjects.map((project) => (
                    <Command.Item
                      key={project.id}
                      value={project.id}
                      className="menu-item"
                      onSelect={() => go(pages.overview(project.name))}
                    >
                      <FolderOpen className="ic" aria-hidden />
                      <span className="truncate">{project.name}</span>
                    </Command.Item>
                  ))}
                </Command.Group>
              ) : null}
              {shownPlaces.length > 0 ? (
                <Command.Group heading="Pages">
                  {shownPlaces.map(([name, to]) => (
                    <Command.Item key={to} value={to} className="menu-item" onSelect={() => go(to)}>
                      {name}
                    </Command.Item>
                  ))}
                </Command.Group>
              ) : null}
            </Command.List>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
