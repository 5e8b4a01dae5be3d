import { createFileRoute } from '@tanstack/react-router'
import { api } from '#shared/contract/paths.ts'
import { ReadingPage } from '#web/documents/index.ts'
import { requestEarly } from '#web/lib/early-requests.ts'
import { ProjectGate } from '#web/projects/index.ts'

export const Route = createFileRoute('/$projectName/document/$documentId/')({
  loader: ({ params, preload }) => preload || requestEarly(api.document(params.documentId)),
  component: ReadDocument,
})

function ReadDocument() {
  const { documentId } = Route.useParams()
  return <ProjectGate>{(project) => <ReadingPage key={documentId} project={project} id={documentId} />}</ProjectGate>
}
