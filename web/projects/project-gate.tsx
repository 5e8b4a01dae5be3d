import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Project } from '#shared/contract/projects.ts'
import { type ProjectRight, ROLE_TOO_SMALL } from '#shared/contract/roles.ts'
import { Interruptible } from '#web/lib/interruptible.tsx'
import { RightsInProject } from '#web/lib/rights.tsx'
import { useTitle } from '#web/lib/use-title.ts'
import { Spinner, SpinnerRow } from '#web/ui/marks.tsx'
import { Notice, Page } from '#web/ui/page.tsx'
import { BackToProjects } from './back-to-projects.tsx'
import { projectByName } from './queries.ts'

/**
 * Loads the project in the URL and passes it to `children`. If the URL changes to another project, `children` are mounted
 * again, so that a form or dialog of one project is never shown for another one. Shows 'Project not found' for an unknown name,
 * and a message to members without the right `needs`.
 */
export function ProjectGate({
  needs = 'read',
  children,
}: {
  needs?: ProjectRight
  children: (project: Project) => ReactNode
}) {
  const { projectName = '' } = useParams({ strict: false })
  const named = projectName.trim() !== ''
  const project = useQuery({ ...projectByName(projectName), enabled: named })
  if (!named) return <NoProject title="Project name is required" about="Choose one of your projects." />
  if (project.data && !project.data.may.includes(needs))
    return <NoProject title={ROLE_TOO_SMALL} about="Ask an owner of the project for another role." />
  if (project.data)
    return (
      <RightsInProject key={project.data.id} may={project.data.may}>
        <Interruptible fallback={<ProjectLoading />}>{children(project.data)}</Interruptible>
      </RightsInProject>
    )
  if (project.isPending || project.isError) return <ProjectLoading />
  return (
    <NoProject
      title="Project not found"
      about="You have no project with this name. It may have been renamed or deleted, or you are no longer a member."
    />
  )
}

function ProjectLoading() {
  return (
    <Page>
      <BackToProjects />
      <SpinnerRow>
        <Spinner label="Loading" />
      </SpinnerRow>
    </Page>
  )
}

function NoProject({ title, about }: { title: string; about: string }) {
  useTitle(title)
  return (
    <Page>
      <BackToProjects />
      <Notice>
        <h1>{title}</h1>
        <p>{about}</p>
      </Notice>
    </Page>
  )
}
