import { createFileRoute } from '@tanstack/react-router'
import { OverviewPage, ProjectGate } from '#web/projects/index.ts'

export const Route = createFileRoute('/$projectName/overview')({
  component: () => <ProjectGate>{(project) => <OverviewPage project={project} />}</ProjectGate>,
})
