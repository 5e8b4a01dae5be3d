import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Command } from 'cmdk'
import { CornerDownRight, FileText, FolderOpen, Search, TextSearch } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { useState } from 'react'
import { documentTitle } from '#shared/contract/documents.ts'
import { pages } from '#shared/contract/paths.ts'
import type { Session } from '#web/auth/index.ts'
import { documentsQuery } from '#web/documents/index.ts'
import { groupProjects, projectsQuery, useCurrentProject } from '#web/projects/index.ts'
import { cn } from '#web/ui/class-names.ts'
import { dialogClasses } from '#web/ui/dialog.tsx'
import { menuClasses } from '#web/ui/dropdown-menu.tsx'
import { useFocusReturn } from '#web/ui/focus-return.ts'
import { PaperMarks } from '#web/ui/paper-marks.tsx'
import styles from './shell.module.css'
import { placesOf, useCommands } from './use-commands.ts'

const DOCUMENTS_SHOWN = 8

interface Props {
  session: Session
  onClose: () => void
  /** Opens the list of keyboard shortcuts. */
  onKeys: () => void
}

/**
 * The command palette (Ctrl K). It finds documents of the current project, projects, pages and commands. If the user typed at
 * least two letters with which the name of a page begins, the pages are first.
 */
export function CommandPalette({ session, onClose, onKeys }: Props) {
  const navigate = useNavigate()
  const focusReturn = useFocusReturn(true)
  const commands = useCommands(session, onKeys)
  const [words, setWords] = useState('')
  const [active, setActive] = useState('')
  // Not deferred: Enter runs the first row of the list, which has to be that of the typed words.
  const search = words.trim()
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
  const fits = (text: string) => text.toLowerCase().includes(search.toLowerCase())
  const shownProjects = projects.data?.filter((project) => fits(project.name)).slice(0, DOCUMENTS_SHOWN) ?? []
  const groups = groupProjects(shownProjects)
  const passages = current && search !== '' ? pages.search(current.address, { q: search }) : null
  const shownPlaces = placesOf(session, current).filter(({ name }) => fits(name))
  const shownCommands = commands.filter(({ name, also }) => fits(`${name} ${also}`))
  // Until the response arrives, the previous rows that still match stay visible.
  const rows = current
    ? (documents.data?.data ?? []).filter((row) => !documents.isPlaceholderData || fits(documentTitle(row)))
    : []
  const isPageName =
    search.length > 1 && shownPlaces.some(({ name }) => name.toLowerCase().startsWith(search.toLowerCase()))
  const placeIds = shownPlaces.map(({ to }) => to)
  const ids = [
    ...(isPageName ? placeIds : []),
    ...rows.map((row) => row.id),
    ...groups.flatMap(([, group]) => group.map((project) => project.id)),
    ...(isPageName ? [] : placeIds),
    ...shownCommands.map(({ name }) => name),
    ...(passages ? [passages] : []),
  ]
  const pageGroup =
    shownPlaces.length > 0 ? (
      <Command.Group heading="Pages">
        {shownPlaces.map(({ name, to }) => (
          <Command.Item key={to} value={to} className={menuClasses.item} onSelect={() => go(to)}>
            <CornerDownRight aria-hidden />
            {name}
          </Command.Item>
        ))}
      </Command.Group>
    ) : null
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className={dialogClasses.overlay} />
        <Dialog.Content
          className={cn(dialogClasses.dialog, styles.palette)}
          {...focusReturn}
          aria-describedby={undefined}
        >
          <Dialog.Title className="sr-only">Search</Dialog.Title>
          <Command
            shouldFilter={false}
            label="Search"
            value={ids.includes(active) ? active : (ids[0] ?? '')}
            onValueChange={setActive}
          >
            <div className={styles.paletteHead}>
              <Search aria-hidden />
              <Command.Input
                value={words}
                onValueChange={setWords}
                placeholder="Search documents, projects, pages and actions"
                autoFocus
              />
              <kbd className="max-md:hidden">Esc</kbd>
            </div>
            <Command.List className="max-h-[min(24rem,55vh)] overflow-y-auto p-1.5" label="Results">
              {documents.isFetching ? null : <Command.Empty className={menuClasses.note}>Nothing found.</Command.Empty>}
              {isPageName ? pageGroup : null}
              {rows.length > 0 && current ? (
                <Command.Group heading={`Documents in ${current.name}`}>
                  {rows.map((row) => (
                    <Command.Item
                      key={row.id}
                      value={row.id}
                      className={menuClasses.item}
                      onSelect={() => go(pages.document(current.address, row.id))}
                    >
                      <FileText aria-hidden />
                      <span className={row.title ? 'font-serif truncate' : 'truncate'}>{documentTitle(row)}</span>
                      <PaperMarks retracted={row.retracted} />
                    </Command.Item>
                  ))}
                </Command.Group>
              ) : null}
              {groups.map(([heading, group]) => (
                <Command.Group key={heading} heading={heading}>
                  {group.map((project) => (
                    <Command.Item
                      key={project.id}
                      value={project.id}
                      className={menuClasses.item}
                      onSelect={() => go(pages.overview(project.address))}
                    >
                      <FolderOpen aria-hidden />
                      <span className="truncate">{project.name}</span>
                    </Command.Item>
                  ))}
                </Command.Group>
              ))}
              {isPageName ? null : pageGroup}
              {shownCommands.length > 0 ? (
                <Command.Group heading="Actions">
                  {shownCommands.map(({ name, icon: Icon, run }) => (
                    <Command.Item
                      key={name}
                      value={name}
                      className={menuClasses.item}
                      onSelect={() => {
                        onClose()
                        run()
                      }}
                    >
                      <Icon aria-hidden />
                      {name}
                    </Command.Item>
                  ))}
                </Command.Group>
              ) : null}
              {passages ? (
                <Command.Item
                  value={passages}
                  className={menuClasses.item}
                  onSelect={() => {
                    onClose()
                    void navigate({ href: passages })
                  }}
                >
                  <TextSearch aria-hidden />
                  <span className="truncate">Search passages for “{search}”</span>
                </Command.Item>
              ) : null}
            </Command.List>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
