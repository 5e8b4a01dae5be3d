import { createFileRoute } from '@tanstack/react-router'
import { z } from 'zod'
import { ChatScreen } from '#web/chat/index.ts'
import { ProjectGate } from '#web/projects/index.ts'

/** Chat with the document of the query parameter. */
export const Route = createFileRoute('/$projectName/chat')({
  validateSearch: z.object({ documentId: z.string().optional().catch(undefined) }),
  component: Chat,
})

function Chat() {
  const { documentId } = Route.useSearch()
  return (
    <ProjectGate needs="ask">
      {(project) => (
        <main className="flex min-h-0 flex-1 flex-col">
          <ChatScreen documentId={documentId ?? null} project={project} />
        </main>
      )}
    </ProjectGate>
  )
}
