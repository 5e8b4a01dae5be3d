import { createFileRoute } from '@tanstack/react-router'
import { ReferencePage } from '#web/documents/index.ts'
import { ProjectGate } from '#web/projects/index.ts'

export const Route = createFileRoute('/$projectName/document/$documentId/reference')({ component: ReferenceOfDocument })

function ReferenceOfDocument() {
  const { documentId } = Route.useParams()
  return <ProjectGate>{(project) => <ReferencePage key={documentId} project={project} id={documentId} />}</ProjectGate>
}
