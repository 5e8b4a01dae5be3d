import type { Actor } from '#server/db/actor.ts'
import { asActor, asSystem } from '#server/db/client.ts'
import type { StoredChatAnswer } from '#server/db/stored-answers.ts'
import { documentOrThrow, lazyText } from '#server/documents/index.ts'
import { findPassages } from '#server/texts/index.ts'
import type { ConversationMessage } from '#shared/contract/conversations.ts'
import type { FoundPassage } from '#shared/contract/passages.ts'
import { storeFoundPassages, type StoredMessage } from './queries.ts'

/**
 * Returns an answer about one document for display. If the text changed after the answer, or the paper was merged into a
 * duplicate, the quotes are searched in the current text, near their former page, and the places found are stored for later
 * calls.
 */
export async function presentChat(
  actor: Actor,
  { id, document_id: documentId, scope }: StoredMessage,
  { chat, text_version, now }: StoredChatAnswer,
): Promise<ConversationMessage['chat']> {
  if (documentId === null) return chat
  const document = await asActor(actor, (tx) => documentOrThrow(tx, documentId, 'read'))
  const isOfPaper = scope.kind === 'papers' && scope.document_ids[0] === documentId
  if (!document.has_text || (isOfPaper && document.text_version === text_version)) return chat
  if (now?.document_id === documentId && now.text_version === document.text_version)
    return withPlaces(chat, now.passages)
  const quotes = chat.statements.flatMap(({ passages }) => passages)
  const wanted = quotes.map(({ quote, page }) => ({ quote: quote ?? '', nearPage: page ?? undefined }))
  const passages = await findPassages({ person: actor.userId }, await lazyText(actor, documentId), wanted)
  const found = { document_id: documentId, text_version: document.text_version, passages }
  await asSystem((tx) => storeFoundPassages(tx, id, found))
  return withPlaces(chat, passages)
}

function withPlaces(chat: StoredChatAnswer['chat'], found: readonly FoundPassage[]): StoredChatAnswer['chat'] {
  const next = found.values()
  const statements = chat.statements.map((statement) => ({
    ...statement,
    passages: statement.passages.map((passage) => next.next().value ?? passage),
  }))
  return { ...chat, statements }
}
