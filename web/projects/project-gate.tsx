import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Project } from '#shared/projects.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { Spinner } from '#web/ui/marks.tsx'
import { BackToProjects } from './back-to-projects.tsx'
import { projectByName } from './queries.ts'

/** Hands the project of the address to its page; says 'Project not found' when the user has none of that name. */
export function ProjectGate({ children }: { children: (project: Project) => ReactNode }) {
  const { projectName = '' } = useParams({ strict: false })
  const project = useQuery(projectByName(projectName))
  if (project.data) return children(project.data)
  if (project.isPending || project.isError)
    return (
      <main className="page">
        <BackToProjects />
        <div className="waiting">
          <Spinner label="Loading" />
        </div>
      </main>
    )
  return <ProjectNotFound />
}

function ProjectNotFound() {
  useTitle('Project not found')
  return (
    <main className="page">
      <BackToProjects />
      <div className="notice">
        <h1>Project not found</h1>
        <p>You have no project of this name. It may have been renamed or deleted.</p>
      </div>
    </main>
  )
}
