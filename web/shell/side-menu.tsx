import { Link, useNavigate } from '@tanstack/react-router'
import { Search, X } from 'lucide-react'
import { pages } from '#shared/contract/paths.ts'
import type { Project } from '#shared/contract/projects.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { cn } from '#web/ui/class-names.ts'
import { Sheet } from '#web/ui/dialog.tsx'
import { ProjectNav } from './project-nav.tsx'
import styles from './shell.module.css'

/**
 * The menu on narrow screens: a search button, the pages of the project, and all projects. The search button opens the search
 * page of the project; without a project it opens the command palette.
 */
export function SideMenu({
  onClose: close,
  project,
  onSearch,
}: {
  onClose: () => void
  project: Project | null
  onSearch: () => void
}) {
  const navigate = useNavigate()
  return (
    <Sheet open onOpenChange={close} title="Menu" side="left">
      <div className="flex items-center gap-2">
        <Button
          className="flex-1 justify-start font-normal"
          onClick={() => {
            close()
            if (project) void navigate({ to: pages.search(project.address) })
            else onSearch()
          }}
        >
          <Search aria-hidden />
          Search
        </Button>
        <IconButton label="Close menu" onClick={close}>
          <X aria-hidden />
        </IconButton>
      </div>
      {project ? (
        <>
          <p className="px-3 pt-2 font-serif text-[1.0625rem] leading-6 font-semibold tracking-[-0.008em]">
            {project.name}
          </p>
          <ProjectNav project={project} onChoose={close} className={styles.sideNav} />
          <nav className={styles.sideNav} aria-label="People">
            <Link to={pages.people(project.address)} onClick={close} activeProps={{ 'aria-current': 'page' }}>
              People
            </Link>
          </nav>
        </>
      ) : null}
      <nav className={cn(styles.sideNav, styles.sideNavEnd)} aria-label="All projects">
        <Link to={pages.projects()} onClick={close}>
          Projects
        </Link>
      </nav>
    </Sheet>
  )
}
