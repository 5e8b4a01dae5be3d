import { createFileRoute } from '@tanstack/react-router'
import { ProjectGate } from '#web/projects/index.ts'
import { RunPage } from '#web/runs/index.ts'

export const Route = createFileRoute('/$projectName/runs/$runId')({ component: OneRun })

function OneRun() {
  const { runId } = Route.useParams()
  return <ProjectGate>{(project) => <RunPage key={runId} project={project} id={runId} />}</ProjectGate>
}
