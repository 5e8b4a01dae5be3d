import { createFileRoute } from '@tanstack/react-router'
import { DiscoverPage } from '#web/recommendations/index.ts'
import { ProjectGate } from '#web/projects/index.ts'

export const Route = createFileRoute('/$projectName/discover')({
  component: () => <ProjectGate>{(project) => <DiscoverPage project={project} />}</ProjectGate>,
})
