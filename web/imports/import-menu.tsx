import { Link } from '@tanstack/react-router'
import { ChevronDown, Download, FileText, History, Library, ListOrdered, type LucideIcon } from 'lucide-react'
import { type ComponentType, Suspense, useState } from 'react'
import { pages } from '#shared/contract/paths.ts'
import type { Project } from '#shared/contract/projects.ts'
import { lazyPart } from '#web/lib/lazy-part.ts'
import { Button } from '#web/ui/button.tsx'
import { Menu, MenuItem, MenuSeparator } from '#web/ui/dropdown-menu.tsx'

/** A dialog that adds references to the project. It is mounted while it is open. */
export type ImportDialog = ComponentType<{ project: Project; onClose: () => void }>

/** The dialog for reference files. */
export const ImportFileDialog = lazyPart(() => import('./file-dialog.tsx').then(({ FileDialog }) => FileDialog))

/** The ways to add references, in the order of the menu. */
const WAYS: { title: string; about: string; icon: LucideIcon; Part: ImportDialog }[] = [
  {
    title: 'From a file…',
    about: 'BibTeX, RIS, PubMed, EndNote, CSL-JSON, CSV',
    icon: FileText,
    Part: ImportFileDialog,
  },
  {
    title: 'From identifiers…',
    about: 'DOIs, PMIDs, PMCIDs, arXiv ids, ISBNs, addresses',
    icon: ListOrdered,
    Part: lazyPart(() => import('#web/identifiers/index.ts').then(({ IdentifiersDialog }) => IdentifiersDialog)),
  },
  {
    title: 'From Zotero…',
    about: 'Libraries and collections',
    icon: Library,
    Part: lazyPart(() => import('#web/zotero/index.ts').then(({ ZoteroDialog }) => ZoteroDialog)),
  },
]

/** The button 'Import references' and its menu. On a phone it shows only its icon, unless `isPrimary` is true. */
export function ImportMenu({ project, isPrimary = false }: { project: Project; isPrimary?: boolean }) {
  const [open, setOpen] = useState<(typeof WAYS)[number]>()
  return (
    <>
      <Menu
        trigger={
          <Button variant={isPrimary ? 'primary' : 'outline'}>
            <Download aria-hidden />
            <span className={isPrimary ? undefined : 'max-md:sr-only'}>Import references</span>
            <ChevronDown data-trailing aria-hidden className={isPrimary ? undefined : 'max-md:hidden'} />
          </Button>
        }
      >
        {WAYS.map((way) => (
          <MenuItem key={way.title} className="items-start" onSelect={() => setOpen(way)}>
            <way.icon className="mt-0.5" aria-hidden />
            <span>
              {way.title}
              <span className="text-muted-foreground text-meta block">{way.about}</span>
            </span>
          </MenuItem>
        ))}
        <MenuSeparator />
        <MenuItem className="items-start" asChild>
          <Link to={pages.imports(project.address)}>
            <History className="mt-0.5" aria-hidden />
            <span>
              Imports
              <span className="text-muted-foreground text-meta block">All imports with their records, and undo</span>
            </span>
          </Link>
        </MenuItem>
      </Menu>
      <Suspense>{open ? <open.Part project={project} onClose={() => setOpen(undefined)} /> : null}</Suspense>
    </>
  )
}
