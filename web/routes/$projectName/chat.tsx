import { createFileRoute } from '@tanstack/react-router'
import { z } from 'zod'
import { ChatScreen } from '#web/chat/index.ts'
import { ProjectGate } from '#web/projects/index.ts'

/** The page of the chat with the document whose id is in the query parameter `documentId`. */
export const Route = createFileRoute('/$projectName/chat')({
  validateSearch: z.object({ documentId: z.string().optional().catch(undefined) }),
  component: Chat,
})

function Chat() {
  const { documentId } = Route.useSearch()
  return (
    <ProjectGate>
      {(project) => (
        <main className="flex min-h-0 flex-1 flex-col">
          <ChatScreen documentId={documentId ?? null} project={project} />
        </main>
      )}
    </ProjectGate>
  )
}
