import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { pages } from '#shared/contract/paths.ts'
import type { Project } from '#shared/contract/projects.ts'
import { lazyPart } from '#web/lib/lazy-part.ts'
import { LoadFailed } from '#web/lib/load-failed.tsx'
import { MountOnce } from '#web/lib/mount-once.tsx'
import { useTitle } from '#web/lib/use-title.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Waiting } from '#web/ui/marks.tsx'
import { HeadActions, HeadCount, Page, PageHead } from '#web/ui/page.tsx'
import { groupProjects } from './group-projects.ts'
import { ProjectCard } from './project-card.tsx'
import { LazyProjectDialog } from './lazy-project-dialog.tsx'
import styles from './projects.module.css'
import { projectsQuery, unassignedCountQuery } from './queries.ts'

// Loaded on first use: most users have no unassigned documents.
const UnassignedDocuments = lazyPart(() =>
  import('./unassigned-documents.tsx').then((file) => file.UnassignedDocuments),
)

/** The page with the list of the user's projects. */
export function ProjectsPage() {
  useTitle('Projects')
  const navigate = useNavigate()
  const [creating, setCreating] = useState(false)
  const projects = useQuery(projectsQuery)
  const unassigned = useQuery(unassignedCountQuery)
  return (
    <Page>
      <PageHead className="mt-3">
        <h1>Projects{projects.data ? <HeadCount>{projects.data.length}</HeadCount> : null}</h1>
        <HeadActions>
          <Button variant="ghost" asChild>
            <Link to={pages.deleted()}>Recently deleted</Link>
          </Button>
          <Button variant="primary" onClick={() => setCreating(true)}>
            <Plus aria-hidden />
            New Project
          </Button>
        </HeadActions>
      </PageHead>
      {projects.isPending ? (
        <Waiting>Loading projects...</Waiting>
      ) : projects.isLoadingError ? (
        <LoadFailed
          title="The projects could not be loaded"
          error={projects.error}
          onRetry={() => void projects.refetch()}
        />
      ) : projects.data.length === 0 ? (
        <EmptyState
          title="No projects yet."
          about="A project contains the papers of one research question. Begin with its name; the rest can follow."
          actions={<Button onClick={() => setCreating(true)}>New Project</Button>}
        />
      ) : (
        <ProjectGroups projects={projects.data} />
      )}
      {projects.data ? (
        <MountOnce when={unassigned.isError || (unassigned.data ?? 0) > 0}>
          <UnassignedDocuments projects={projects.data.filter(({ may }) => may.includes('edit'))} />
        </MountOnce>
      ) : null}
      <LazyProjectDialog
        open={creating}
        onOpenChange={setCreating}
        onSaved={(project) => projects.data?.length === 0 && void navigate({ to: pages.overview(project.address) })}
      />
    </Page>
  )
}

/** The projects of the user, and below them the projects of others under 'Shared with me'. */
function ProjectGroups({ projects }: { projects: readonly Project[] }) {
  const groups = groupProjects(projects)
  return groups.map(([heading, group]) => (
    <section key={heading} className={styles.group} aria-label={heading}>
      {heading === 'Projects' ? null : (
        <PageHead>
          <h2>
            {heading}
            <HeadCount>{group.length}</HeadCount>
          </h2>
        </PageHead>
      )}
      <div className="grid grid-cols-[repeat(auto-fill,minmax(min(21rem,100%),1fr))] gap-6">
        {group.map((project) => (
          <ProjectCard key={project.id} project={project} />
        ))}
      </div>
    </section>
  ))
}
