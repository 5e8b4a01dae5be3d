import { createFileRoute } from '@tanstack/react-router'
import { DocumentPage } from '#web/documents/index.ts'
import { ProjectGate } from '#web/projects/index.ts'

export const Route = createFileRoute('/$projectName/document/$documentId/')({ component: ReadDocument })

function ReadDocument() {
  const { documentId } = Route.useParams()
  return (
    <ProjectGate>
      {(project) => <DocumentPage key={documentId} project={project} id={documentId} mode="read" />}
    </ProjectGate>
  )
}
