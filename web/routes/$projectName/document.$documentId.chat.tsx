import { createFileRoute } from '@tanstack/react-router'
import { ChatScreen } from '#web/chat/index.ts'
import { ProjectGate } from '#web/projects/index.ts'

export const Route = createFileRoute('/$projectName/document/$documentId/chat')({ component: Chat })

function Chat() {
  const { documentId } = Route.useParams()
  return (
    <ProjectGate>
      {(project) => (
        <main className="flex min-h-0 flex-1 flex-col">
          <ChatScreen documentId={documentId} project={project} />
        </main>
      )}
    </ProjectGate>
  )
}
