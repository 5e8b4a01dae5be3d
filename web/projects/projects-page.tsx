import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { pages } from '#shared/contract/paths.ts'
import { messageOf } from '#web/lib/api.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Waiting } from '#web/ui/marks.tsx'
import { HeadActions, HeadCount, Notice, Page, PageHead } from '#web/ui/page.tsx'
import { UnassignedDocuments } from './unassigned-documents.tsx'
import { ProjectCard } from './project-card.tsx'
import { ProjectDialog } from './project-dialog.tsx'
import styles from './projects.module.css'
import { projectsQuery } from './queries.ts'

/** The list of the user's projects. */
export function ProjectsPage() {
  useTitle('Projects')
  const navigate = useNavigate()
  const [creating, setCreating] = useState(false)
  const projects = useQuery(projectsQuery)
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
      ) : projects.isError ? (
        <Notice>
          <h2>The projects could not be loaded</h2>
          <p>{messageOf(projects.error)}</p>
          <Button onClick={() => void projects.refetch()}>Retry</Button>
        </Notice>
      ) : projects.data.length === 0 ? (
        <EmptyState
          title="No projects yet."
          about="A project gathers the papers of one research question. Begin with its name; the rest can follow."
          actions={<Button onClick={() => setCreating(true)}>New Project</Button>}
        />
      ) : (
        <div className={styles.cards}>
          {projects.data.map((project) => (
            <ProjectCard key={project.id} project={project} />
          ))}
        </div>
      )}
      {projects.data ? <UnassignedDocuments projects={projects.data} /> : null}
      <ProjectDialog
        open={creating}
        onOpenChange={setCreating}
        onSaved={(project) => projects.data?.length === 0 && void navigate({ to: pages.overview(project.name) })}
      />
    </Page>
  )
}
