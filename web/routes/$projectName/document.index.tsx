import { createFileRoute } from '@tanstack/react-router'
import { NoDocument } from '#web/documents/index.ts'
import { ProjectGate } from '#web/projects/index.ts'

/** A document address without an id. */
export const Route = createFileRoute('/$projectName/document/')({
  component: () => <ProjectGate>{(project) => <NoDocument project={project} />}</ProjectGate>,
})
