import { createFileRoute } from '@tanstack/react-router'
import { PeoplePage } from '#web/members/index.ts'
import { ProjectGate } from '#web/projects/index.ts'

export const Route = createFileRoute('/$projectName/people')({
  component: () => <ProjectGate>{(project) => <PeoplePage project={project} />}</ProjectGate>,
})
