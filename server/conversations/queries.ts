import { and, asc, desc, eq, getTableColumns, inArray, isNull, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import type { FoundInText, StoredPassage } from '#server/db/stored-answers.ts'
import { conversations, messageFeedback, messages } from '#server/db/tables/conversations.ts'
import { runs } from '#server/db/tables/runs.ts'
import type { Listed, Slice } from '#server/http/list-page.ts'
import { mayIn } from '#server/members/index.ts'
import type { ProjectRight } from '#shared/contract/roles.ts'

export type StoredConversation = typeof conversations.$inferSelect & {
  /** The rights of the caller in the project of the conversation. */
  may: ProjectRight[]
  questions: number
}
/** A message without the column `passages`, which is large: it has the passages that the model read. */
export type StoredMessage = Omit<typeof messages.$inferSelect, 'passages' | 'alive_at'> & {
  /** The document that the conversation of the message is about; null for a conversation over a project. */
  document_id: string | null
}
export type StoredFeedback = typeof messageFeedback.$inferSelect

const columns = {
  ...getTableColumns(conversations),
  may: mayIn(sql`${conversations}.project_id`),
  questions: sql<number>`(select count(*)::int from messages m where m.conversation_id = ${conversations}.id)`,
}

/** Returns a page of the conversations over a project, or about a document, that the caller can read, latest question first. */
export async function listConversationRows(
  tx: Tx,
  of: { projectId: string } | { documentId: string },
  { limit, offset }: Slice,
): Promise<Listed<StoredConversation>> {
  const wanted =
    'projectId' in of
      ? and(eq(conversations.project_id, of.projectId), isNull(conversations.document_id))
      : eq(conversations.document_id, of.documentId)
  const rows = tx
    .select(columns)
    .from(conversations)
    .where(wanted)
    .orderBy(desc(conversations.updated_at), conversations.id)
    .offset(offset)
  const data = await (limit === undefined ? rows : rows.limit(limit))
  return { data, count: await tx.$count(conversations, wanted) }
}

/** Returns a conversation that the caller can read, or undefined. */
export async function findConversation(tx: Tx, id: string): Promise<StoredConversation | undefined> {
  const [row] = await tx.select(columns).from(conversations).where(eq(conversations.id, id))
  return row
}

/**
 * Locks a conversation that the caller can read, and returns its project and visibility; undefined if the caller cannot read
 * it. Until the transaction ends, other transactions can read the conversation but neither change nor delete it. `strength` is
 * the row lock of PostgreSQL. With 'share', other transactions can hold a 'share' lock at the same time.
 */
export async function lockConversationRow(
  tx: Tx,
  id: string,
  strength: 'share' | 'no key update' | 'update',
): Promise<Pick<StoredConversation, 'project_id' | 'visibility'> | undefined> {
  const { project_id, visibility } = conversations
  const [row] = await tx
    .select({ project_id, visibility })
    .from(conversations)
    .where(eq(conversations.id, id))
    .for(strength)
  return row
}

/** Inserts a conversation and returns its id. */
export async function insertConversation(
  tx: Tx,
  row: Pick<typeof conversations.$inferInsert, 'project_id' | 'document_id' | 'created_by' | 'title' | 'visibility'>,
): Promise<string> {
  const [inserted] = await tx.insert(conversations).values(row).returning({ id: conversations.id })
  return inserted!.id
}

/** Changes the title or the visibility of a conversation. */
export async function updateConversation(
  tx: Tx,
  id: string,
  change: Partial<Pick<StoredConversation, 'title' | 'visibility'>>,
): Promise<void> {
  await tx.update(conversations).set(change).where(eq(conversations.id, id))
}

/** Deletes a conversation with its messages. */
export async function deleteConversationRow(tx: Tx, id: string): Promise<void> {
  await tx.delete(conversations).where(eq(conversations.id, id))
}

const { passages: _passages, alive_at: _alive, ...shortMessage } = getTableColumns(messages)
const messageColumns = { ...shortMessage, document_id: conversations.document_id }

/** Returns the messages of a conversation, oldest first. */
export const listMessages = (tx: Tx, conversationId: string): Promise<StoredMessage[]> =>
  tx
    .select(messageColumns)
    .from(messages)
    .innerJoin(conversations, eq(conversations.id, messages.conversation_id))
    .where(eq(messages.conversation_id, conversationId))
    .orderBy(asc(messages.asked_at), messages.id)

/** Returns a message that the caller can read, or undefined. */
export async function findMessage(tx: Tx, id: string): Promise<StoredMessage | undefined> {
  const [row] = await tx
    .select(messageColumns)
    .from(messages)
    .innerJoin(conversations, eq(conversations.id, messages.conversation_id))
    .where(eq(messages.id, id))
  return row
}

/** Returns the passages that the model read for an answer. */
export async function listPassages(tx: Tx, messageId: string): Promise<StoredPassage[]> {
  const [row] = await tx.select({ passages: messages.passages }).from(messages).where(eq(messages.id, messageId))
  return row?.passages ?? []
}

/**
 * Returns the number of conversations of a user in a project, including conversations about its papers. If `projectId` is null,
 * counts conversations that belong to no project.
 */
export const countOwn = (
  tx: Tx,
  { projectId, userId }: { projectId: string | null; userId: string },
): Promise<number> =>
  tx.$count(
    conversations,
    and(
      eq(conversations.created_by, userId),
      projectId === null ? isNull(conversations.project_id) : eq(conversations.project_id, projectId),
    ),
  )

/**
 * Stores where the quotes of a chat answer are in a newer text of the paper, or in the text of the paper into which it was
 * merged as a duplicate. Must run as the database role that owns the tables.
 */
export async function storeFoundPassages(tx: Tx, messageId: string, now: FoundInText): Promise<void> {
  await tx
    .update(messages)
    .set({ answer: sql`${messages.answer} || jsonb_build_object('now', ${JSON.stringify(now)}::jsonb)` })
    .where(and(eq(messages.id, messageId), sql`${messages.answer} ? 'chat'`))
}

/** Returns the caller's feedback about messages. The key is the id of the message. */
export async function listFeedback(tx: Tx, messageIds: readonly string[]): Promise<Map<string, StoredFeedback>> {
  const rows = await tx
    .select()
    .from(messageFeedback)
    .where(inArray(messageFeedback.message_id, [...messageIds]))
  return new Map(rows.map((row) => [row.message_id, row]))
}

/** Inserts or replaces the feedback of a user about a message. */
export async function storeFeedback(tx: Tx, row: typeof messageFeedback.$inferInsert): Promise<void> {
  const { helpful, note } = row
  await tx
    .insert(messageFeedback)
    .values(row)
    .onConflictDoUpdate({
      target: [messageFeedback.message_id, messageFeedback.user_id],
      set: { helpful, note, created_at: sql`now()` },
    })
}

/** Deletes the caller's feedback about a message. */
export async function deleteFeedback(tx: Tx, messageId: string): Promise<void> {
  await tx.delete(messageFeedback).where(eq(messageFeedback.message_id, messageId))
}

/**
 * Returns the numbers of the specified runs (recorded analyses or answers) that the caller can read. The key is the id of the
 * run.
 */
export async function listRunNumbers(tx: Tx, ids: readonly string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map()
  const rows = await tx
    .select({ id: runs.id, number: runs.number })
    .from(runs)
    .where(inArray(runs.id, [...ids]))
  return new Map(rows.map(({ id, number }) => [id, number]))
}

/**
 * Returns the ids of the runs (records of calls of a model) that wrote the answers of a conversation. Omits the runs of another
 * project, to which the paper of the conversation belonged before.
 */
export async function listRunIds(tx: Tx, conversationId: string): Promise<string[]> {
  const rows = await tx
    .select({ id: runs.id })
    .from(messages)
    .innerJoin(runs, and(eq(runs.id, messages.run_id), eq(runs.project_id, messages.project_id)))
    .where(eq(messages.conversation_id, conversationId))
  return rows.map(({ id }) => id)
}

/** Inserts a message with a question, updates the time of its conversation, and returns the id of the message. */
export async function insertMessage(tx: Tx, row: typeof messages.$inferInsert): Promise<string> {
  const [inserted] = await tx.insert(messages).values(row).returning({ id: messages.id })
  await tx
    .update(conversations)
    .set({ updated_at: sql`now()` })
    .where(eq(conversations.id, row.conversation_id))
  return inserted!.id
}
