import type { Actor } from '#server/db/actor.ts'
import { asActor, type Tx } from '#server/db/client.ts'
import { documentOrThrow } from '#server/documents/index.ts'
import { notFound } from '#server/lib/errors.ts'
import { endRun, type RunOutcome } from '#server/runs/index.ts'
import type { ChatAnswer } from '#shared/contract/chat.ts'
import { titleOf } from '#shared/contract/conversations.ts'
import { insertConversation, insertMessage } from './queries.ts'
import { ownConversation, refuseFull, refuseTooMany } from './service.ts'

/**
 * Checks that the caller may continue a conversation about a document, or start one if `conversationId` is undefined. Throws
 * 'not_found', 'role' for the conversation of another user, or 'refused' if the conversation has too many questions or the
 * caller already has too many conversations.
 */
export const checkChat = (actor: Actor, documentId: string, conversationId: string | undefined): Promise<void> =>
  asActor(actor, async (tx) => {
    if (conversationId) return chatOrThrow(tx, actor, documentId, conversationId)
    const { project_id } = await documentOrThrow(tx, documentId, 'ask')
    await refuseTooMany(tx, actor, project_id)
  })

async function chatOrThrow(tx: Tx, actor: Actor, documentId: string, id: string): Promise<void> {
  const conversation = await ownConversation(tx, actor, id)
  if (conversation.document_id !== documentId) throw notFound('Conversation')
  refuseFull(conversation)
}

/**
 * Stores a question about a document with its answer and returns the id of its conversation. `turn.textVersion` is the version
 * of the text in which the passages of the answer were found. Without `turn.conversationId`, creates a private conversation.
 * `run` is the running run (a recorded analysis or answer) of the answer, which ends in the same transaction. Throws
 * 'not_found' or 'role' when the document or the conversation is no longer accessible, 'refused' when the conversation is full,
 * and 'conflict' when the run has already ended.
 */
export const storeChatTurn = (
  actor: Actor,
  turn: { documentId: string; textVersion: number; conversationId: string | undefined; question: string },
  chat: Omit<ChatAnswer, 'conversation_id'>,
  run?: { id: string; outcome: RunOutcome },
): Promise<string> =>
  asActor(actor, async (tx) => {
    const { documentId, textVersion: text_version, question } = turn
    const { project_id } = await documentOrThrow(tx, documentId, 'ask')
    if (turn.conversationId) await chatOrThrow(tx, actor, documentId, turn.conversationId)
    const own = { project_id, document_id: documentId, created_by: actor.userId }
    const conversation_id =
      turn.conversationId ?? (await insertConversation(tx, { ...own, title: titleOf(question), visibility: 'me' }))
    await insertMessage(tx, {
      conversation_id,
      project_id,
      asked_by: actor.userId,
      question,
      scope: { kind: 'papers', document_ids: [documentId] },
      leave_out_retracted: false,
      status: 'done',
      answer: { chat, text_version },
      run_id: run?.id ?? null,
    })
    if (run) await endRun(tx, run.id, run.outcome)
    return conversation_id
  })
