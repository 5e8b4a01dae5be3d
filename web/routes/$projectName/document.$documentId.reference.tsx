import { createFileRoute } from '@tanstack/react-router'
import { DocumentPage } from '#web/documents/index.ts'
import { ProjectGate } from '#web/projects/index.ts'

export const Route = createFileRoute('/$projectName/document/$documentId/reference')({ component: ReferenceOfDocument })

function ReferenceOfDocument() {
  const { documentId } = Route.useParams()
  return (
    <ProjectGate>
      {(project) => <DocumentPage key={documentId} project={project} id={documentId} mode="reference" />}
    </ProjectGate>
  )
}
