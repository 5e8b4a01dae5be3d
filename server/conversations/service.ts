import type { Actor } from '#server/db/actor.ts'
import { asActor, type Tx } from '#server/db/client.ts'
import { documentOrThrow } from '#server/documents/index.ts'
import { CHANNELS } from '#server/events/listen.ts'
import { withOwnerRole } from '#server/events/owner-role.ts'
import type { Listed, Slice } from '#server/http/list-page.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import { authorize, type Authorized, listNames } from '#server/members/index.ts'
import { checkProject } from '#server/projects/index.ts'
import {
  type AnswerFeedback,
  type Conversation,
  type ConversationWithMessages,
  MOST_CONVERSATIONS,
  MOST_QUESTIONS,
  type NewConversation,
  ONLY_AUTHOR,
  type ReadPassage,
  TOO_MANY_CONVERSATIONS,
  TOO_MANY_QUESTIONS,
} from '#shared/contract/conversations.ts'
import type { ProjectRight } from '#shared/contract/roles.ts'
import { tellStop } from './answer-queries.ts'
import { presentMessages, presentPassages } from './present.ts'
import {
  countOwn,
  deleteFeedback,
  findConversation,
  findMessage,
  insertConversation,
  listConversationRows,
  listMessages,
  lockConversationRow,
  storeFeedback,
  type StoredConversation,
  type StoredMessage,
} from './queries.ts'

/** Returns a page of the conversations over a project that the caller may read, newest first. */
export const listConversations = (actor: Actor, projectId: string, slice: Slice): Promise<Listed<Conversation>> =>
  asActor(
    actor,
    async (tx) => {
      await checkProject(tx, projectId, 'read')
      return presentPage(tx, actor, await listConversationRows(tx, { projectId }, slice))
    },
    projectId,
  )

/** Returns a page of the conversations about a document that the caller may read, newest first. */
export const listDocumentConversations = (
  actor: Actor,
  documentId: string,
  slice: Slice,
): Promise<Listed<Conversation>> =>
  asActor(actor, async (tx) => {
    await documentOrThrow(tx, documentId, 'read')
    return presentPage(tx, actor, await listConversationRows(tx, { documentId }, slice))
  })

/** Creates a conversation over a project. Throws 'refused' if the caller has too many. */
export const createConversation = (actor: Actor, projectId: string, given: NewConversation): Promise<Conversation> =>
  asActor(actor, async (tx) => {
    await checkProject(tx, projectId, 'ask')
    await refuseTooMany(tx, actor, projectId)
    const row = { project_id: projectId, document_id: null, created_by: actor.userId, ...given }
    return presentOne(tx, actor, await readableConversation(tx, await insertConversation(tx, row)))
  })

/** Throws 'refused' if the caller cannot have another conversation in a project. */
export async function refuseTooMany(tx: Tx, actor: Actor, projectId: string | null): Promise<void> {
  if ((await countOwn(tx, { projectId, userId: actor.userId })) >= MOST_CONVERSATIONS)
    throw new AppError('refused', TOO_MANY_CONVERSATIONS)
}

/** Returns a conversation with its messages, oldest first. Throws 'Conversation not found'. */
export async function getConversation(actor: Actor, id: string): Promise<ConversationWithMessages> {
  const { conversation, rows } = await asActor(actor, async (tx) => ({
    conversation: await presentOne(tx, actor, await readableConversation(tx, id)),
    rows: await listMessages(tx, id),
  }))
  return { ...conversation, messages: await presentMessages(actor, rows) }
}

/** Returns whether the conversation is a shared conversation of another user, in a project that the caller owns. */
export const isModerated = ({ created_by, visibility, may }: StoredConversation, actor: Actor) =>
  created_by !== actor.userId && visibility === 'project' && may.includes('manage')

/** Throws 'refused' if a conversation has the maximum number of questions. */
export function refuseFull({ questions }: StoredConversation): void {
  if (questions >= MOST_QUESTIONS) throw new AppError('refused', TOO_MANY_QUESTIONS)
}

/** Stores the caller's feedback about an answer. Throws 'Message not found'. */
export const giveFeedback = (actor: Actor, messageId: string, given: AnswerFeedback): Promise<AnswerFeedback> =>
  asActor(actor, async (tx) => {
    await messageOrThrow(tx, messageId, 'read')
    await storeFeedback(tx, { message_id: messageId, user_id: actor.userId, ...given })
    return given
  })

/** Deletes the caller's feedback about an answer. Throws 'Message not found'. */
export const withdrawFeedback = (actor: Actor, messageId: string): Promise<void> =>
  asActor(actor, async (tx) => {
    await messageOrThrow(tx, messageId, 'read')
    await deleteFeedback(tx, messageId)
  })

/** Returns the passages that the model read for an answer, best first. Throws 'Message not found'. */
export const listReadPassages = (actor: Actor, messageId: string): Promise<ReadPassage[]> =>
  asActor(actor, async (tx) => presentPassages(tx, (await messageOrThrow(tx, messageId, 'read')).message))

/**
 * Stops an answer of the caller on the server that writes it. The verified sentences stay. Throws 'not_found', or 'role' for
 * the answer of another user.
 */
export async function stopAnswer(actor: Actor, messageId: string): Promise<void> {
  await asActor(actor, async (tx) => {
    const { conversation } = await messageOrThrow(tx, messageId, 'ask')
    if (conversation.created_by !== actor.userId) throw new AppError('role', ONLY_AUTHOR)
    await withOwnerRole(tx, () => tellStop(tx, CHANNELS.answer, messageId))
  })
}

/** Returns a conversation that the caller may read. Throws 'Conversation not found'. */
export async function readableConversation(tx: Tx, id: string): Promise<Authorized<StoredConversation>> {
  return authorize(await findConversation(tx, id), 'read', 'Conversation')
}

/**
 * Returns a conversation of the caller. Throws 'not_found', or 'role' for a conversation of another user and for a caller
 * without the right to ask questions.
 */
export async function ownConversation(tx: Tx, actor: Actor, id: string): Promise<Authorized<StoredConversation>> {
  const row = authorize(await findConversation(tx, id), 'ask', 'Conversation')
  if (row.created_by !== actor.userId) throw new AppError('role', ONLY_AUTHOR)
  return row
}

/**
 * Returns the project and visibility of a conversation of the caller, and locks it: until the transaction ends, other
 * transactions can neither change nor delete it. With 'share', other transactions can also lock it with 'share'. Throws
 * 'not_found', or 'role' for a conversation of another user and for a caller without the right to ask questions.
 */
export async function lockConversation(
  tx: Tx,
  actor: Actor,
  id: string,
  strength: 'share' | 'update',
): Promise<Pick<StoredConversation, 'project_id' | 'visibility'>> {
  await ownConversation(tx, actor, id)
  const row = await lockConversationRow(tx, id, strength)
  if (!row) throw notFound('Conversation')
  return row
}

/**
 * Returns a message with its conversation. Throws 'Message not found', or 'role' if the caller lacks the right in the project.
 */
export async function messageOrThrow(
  tx: Tx,
  id: string,
  right: ProjectRight,
): Promise<{ message: StoredMessage; conversation: Authorized<StoredConversation> }> {
  const message = await findMessage(tx, id)
  if (!message) throw notFound('Message')
  return {
    message,
    conversation: authorize(await findConversation(tx, message.conversation_id), right, 'Message'),
  }
}

async function presentPage(
  tx: Tx,
  actor: Actor,
  { data, count }: Listed<StoredConversation>,
): Promise<Listed<Conversation>> {
  const authors = [...new Set(data.flatMap(({ created_by }) => created_by ?? []))]
  const names = await withOwnerRole(tx, () => listNames(tx, authors))
  return { data: data.map((row) => present(row, actor, names)), count }
}

/** Converts a stored conversation to the form in which the API returns it to the caller. */
export const presentOne = async (tx: Tx, actor: Actor, row: StoredConversation): Promise<Conversation> =>
  (await presentPage(tx, actor, { data: [row], count: 1 })).data[0]!

function present(row: StoredConversation, actor: Actor, names: ReadonlyMap<string, string>): Conversation {
  const { id, project_id, document_id, title, visibility, created_by, created_at, updated_at, questions } = row
  const name = created_by === null ? undefined : names.get(created_by)
  const author = created_by === null || name === undefined ? null : { id: created_by, name }
  return {
    id,
    project_id,
    document_id,
    title,
    visibility,
    created_by: author,
    is_mine: created_by === actor.userId,
    may_remove: isModerated(row, actor),
    created_at,
    updated_at,
    questions,
    version: row.version,
  }
}
