import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { ChevronsUpDown } from 'lucide-react'
import { pages } from '#shared/contract/paths.ts'
import type { Project } from '#shared/contract/projects.ts'
import { useErrorToast } from '#web/lib/use-error-toast.ts'
import { ProjectCover, projectsQuery, storeProjectId } from '#web/projects/index.ts'
import { Menu, MenuHead, MenuItem, MenuSeparator } from '#web/ui/dropdown-menu.tsx'
import { Badge } from '#web/ui/marks.tsx'

/** Shows the current project and switches to another one. */
export function ProjectSwitcher({ current }: { current: Project | null | undefined }) {
  const navigate = useNavigate()
  const projects = useQuery(projectsQuery)
  useErrorToast('Error fetching projects', projects.error)
  const open = (project: Project) => {
    storeProjectId(project.id)
    void navigate({ to: pages.overview(project.name) })
  }
  return (
    <Menu
      align="start"
      trigger={
        <button type="button" className="switcher">
          {current ? (
            <>
              <span className="swatch">
                <ProjectCover project={current} shape="swatch" />
              </span>
              <span className="nm">{current.name}</span>
            </>
          ) : (
            <span className="nm quiet">Select Project</span>
          )}
          <ChevronsUpDown className="ic" aria-hidden />
        </button>
      }
    >
      <MenuHead>Projects</MenuHead>
      {projects.isPending ? <p className="menu-note">Loading projects...</p> : null}
      {projects.isError ? <p className="menu-note">The projects could not be loaded.</p> : null}
      {projects.data?.length === 0 ? <p className="menu-note">No projects found</p> : null}
      {projects.data?.map((project) => (
        <MenuItem
          key={project.id}
          onSelect={() => open(project)}
          aria-current={project.id === current?.id ? 'true' : undefined}
        >
          <span className="swatch">
            <ProjectCover project={project} shape="swatch" />
          </span>
          <span className="truncate">{project.name}</span>
          {project.is_default ? <Badge>Default</Badge> : null}
        </MenuItem>
      ))}
      <MenuSeparator />
      <MenuItem asChild>
        <Link to={pages.projects()}>Manage Projects</Link>
      </MenuItem>
    </Menu>
  )
}
