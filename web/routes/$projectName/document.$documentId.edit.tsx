import { createFileRoute } from '@tanstack/react-router'
import { EditPage } from '#web/documents/index.ts'
import { ProjectGate } from '#web/projects/index.ts'

export const Route = createFileRoute('/$projectName/document/$documentId/edit')({ component: EditDocument })

function EditDocument() {
  const { documentId } = Route.useParams()
  return (
    <ProjectGate needs="edit">
      {(project) => <EditPage key={documentId} project={project} id={documentId} />}
    </ProjectGate>
  )
}
