import type { Actor } from '#server/db/actor.ts'
import { asActor } from '#server/db/client.ts'
import { notFound } from '#server/lib/errors.ts'
import type { ConversationMessage, LibraryQuestionInput } from '#shared/contract/conversations.ts'
import type { RunVia } from '#shared/contract/runs.ts'
import { askProject, wholeAnswer } from './ask.ts'
import { deleteConversation } from './change-conversation.ts'
import { STOPPED } from './running-answers.ts'
import { createConversation, ownConversation } from './service.ts'

/**
 * Answers a question over the papers of a project, in a conversation of the caller or, without `conversationId`, in a new
 * private one. Waits for the whole answer. Aborting `signal` stops the answer; sentences that are already verified stay stored.
 * Throws 'not_found' for a conversation of another project, an error of `askProject` if the question is refused ('role',
 * 'refused', 'conflict', 'too_many'), and the error of an answer that failed.
 */
export async function answerProject(
  actor: Actor,
  of: { projectId: string; conversationId: string | undefined },
  input: LibraryQuestionInput,
  { via, signal }: { via: RunVia; signal: AbortSignal },
): Promise<{ conversationId: string; message: ConversationMessage }> {
  const conversationId = of.conversationId ?? (await newConversation(actor, of.projectId))
  const { project_id } = await asActor(actor, (tx) => ownConversation(tx, actor, conversationId))
  if (project_id !== of.projectId) throw notFound('Conversation')
  const answer = await askProject(actor, conversationId, input, via).catch(async (error: unknown) => {
    // The new conversation would stay without a question.
    if (of.conversationId === undefined) await deleteConversation(actor, conversationId).catch(() => undefined)
    throw error
  })
  const stop = () => answer.abort(STOPPED)
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  try {
    return { conversationId, message: await wholeAnswer(answer) }
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

const newConversation = async (actor: Actor, projectId: string) =>
  (await createConversation(actor, projectId, { title: '', visibility: 'me' })).id
