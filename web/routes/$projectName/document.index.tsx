import { createFileRoute } from '@tanstack/react-router'
import { NoDocument } from '#web/documents/index.ts'
import { ProjectGate } from '#web/projects/index.ts'

/** The page for the URL of a document without an id, which shows an error message. */
export const Route = createFileRoute('/$projectName/document/')({
  component: () => <ProjectGate>{(project) => <NoDocument project={project} />}</ProjectGate>,
})
