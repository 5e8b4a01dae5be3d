import { Link, useLocation } from '@tanstack/react-router'
import { pages, PROJECT_PAGES } from '#shared/contract/paths.ts'
import type { Project } from '#shared/contract/projects.ts'

/**
 * Links to the pages of a project. On the pages of a document, of imports and of duplicates, the link 'Documents' is marked as
 * current.
 */
export function ProjectNav({
  project,
  onChoose,
  className,
}: {
  project: Project
  onChoose?: () => void
  className: string | undefined
}) {
  const path = useLocation({ select: (location) => location.pathname })
  return (
    <nav className={className} aria-label="Project">
      {PROJECT_PAGES.map(([label, place]) => {
        const current = path.endsWith(`/${place}`)
          ? 'page'
          : place === 'documents' && /^\/[^/]+\/(?:document|imports|duplicates)(?:\/|$)/.test(path)
            ? 'true'
            : undefined
        return (
          <Link
            key={place}
            to={pages[place](project.address)}
            aria-current={current}
            onClick={onChoose}
            activeProps={{}}
          >
            {label}
          </Link>
        )
      })}
    </nav>
  )
}
