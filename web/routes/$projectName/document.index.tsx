import { createFileRoute } from '@tanstack/react-router'
import { NoDocument } from '#web/documents/index.ts'
import { ProjectGate } from '#web/projects/index.ts'

/** An address that names no document. */
export const Route = createFileRoute('/$projectName/document/')({
  component: () => <ProjectGate>{(project) => <NoDocument project={project} />}</ProjectGate>,
})
