import type { Actor } from '#server/db/actor.ts'
import { asActor } from '#server/db/client.ts'
import type { StoredChatAnswer } from '#server/db/stored-answers.ts'
import { documentOrThrow, lazyText } from '#server/documents/index.ts'
import { findPassages } from '#server/texts/index.ts'
import type { AnswerScope, ConversationMessage } from '#shared/contract/conversations.ts'

/**
 * Returns an answer about one document. After a change of the text its passages are searched in the present text, nearest to
 * their former page.
 */
export async function presentChat(
  actor: Actor,
  scope: AnswerScope,
  { chat, text_version }: StoredChatAnswer,
): Promise<ConversationMessage['chat']> {
  const documentId = scope.kind === 'papers' ? scope.document_ids[0]! : ''
  const document = await asActor(actor, (tx) => documentOrThrow(tx, documentId, 'read'))
  if (document.text_version === text_version || !document.has_text) return chat
  const quotes = chat.statements.flatMap(({ passages }) => passages)
  const wanted = quotes.map(({ quote, page }) => ({ quote: quote ?? '', nearPage: page ?? undefined }))
  const found = await findPassages({ person: actor.userId }, await lazyText(actor, documentId), wanted)
  let next = 0
  const statements = chat.statements.map((statement) => ({
    ...statement,
    passages: statement.passages.map(() => found[next++]!),
  }))
  return { ...chat, statements }
}
