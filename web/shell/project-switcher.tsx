import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { ChevronsUpDown } from 'lucide-react'
import { Fragment } from 'react'
import { pages } from '#shared/contract/paths.ts'
import type { Project } from '#shared/contract/projects.ts'
import { useFirstAnswers } from '#web/lib/first-answers.ts'
import { useErrorToast } from '#web/lib/use-error-toast.ts'
import { groupProjects, ProjectCover, projectsQuery, SHARED_PROJECTS, storeProjectId } from '#web/projects/index.ts'
import { cn } from '#web/ui/class-names.ts'
import { Swatch } from '#web/ui/cover.tsx'
import { Menu, MenuHead, MenuItem, MenuNote, MenuSeparator } from '#web/ui/dropdown-menu.tsx'
import { Badge } from '#web/ui/marks.tsx'
import styles from './shell.module.css'

/** Shows the current project and switches to another one. */
export function ProjectSwitcher({ current }: { current: Project | null | undefined }) {
  const navigate = useNavigate()
  const projects = useQuery({ ...projectsQuery, enabled: useFirstAnswers() })
  useErrorToast('Error fetching projects', projects.error)
  const open = (project: Project) => {
    storeProjectId(project.id)
    void navigate({ to: pages.overview(project.address) })
  }
  return (
    <Menu
      align="start"
      trigger={
        <button type="button" className={styles.switcher}>
          {current ? (
            <>
              <Swatch>
                <ProjectCover project={current} shape="swatch" />
              </Swatch>
              <span className={styles.projectName}>{current.name}</span>
            </>
          ) : (
            <span className={cn(styles.projectName, 'text-muted-foreground')}>Select Project</span>
          )}
          <ChevronsUpDown aria-hidden />
        </button>
      }
    >
      <MenuHead>Projects</MenuHead>
      {projects.isPending ? <MenuNote>Loading projects...</MenuNote> : null}
      {projects.isError ? <MenuNote>The projects could not be loaded.</MenuNote> : null}
      {projects.data?.length === 0 ? <MenuNote>No projects found</MenuNote> : null}
      {groupProjects(projects.data ?? []).map(([heading, group]) => (
        <Fragment key={heading}>
          {heading === SHARED_PROJECTS ? <MenuHead>{heading}</MenuHead> : null}
          {group.map((project) => (
            <MenuItem
              key={project.id}
              onSelect={() => open(project)}
              aria-current={project.id === current?.id ? 'true' : undefined}
            >
              <Swatch>
                <ProjectCover project={project} shape="swatch" />
              </Swatch>
              <span className="truncate">{project.name}</span>
              {project.is_default ? <Badge>Default</Badge> : null}
            </MenuItem>
          ))}
        </Fragment>
      ))}
      <MenuSeparator />
      <MenuItem asChild>
        <Link to={pages.projects()}>Manage Projects</Link>
      </MenuItem>
    </Menu>
  )
}
