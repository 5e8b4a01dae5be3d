import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import type { StoredSource } from '#server/db/stored-answers.ts'
import { conversations, messages } from '#server/db/tables/conversations.ts'
import { documents } from '#server/db/tables/documents.ts'
import { evidence } from '#server/db/tables/evidence.ts'

/**
 * Moves the chats with the document `from` to the document `to`, and returns their ids. All queries of this file must run as
 * the database role that owns the tables.
 */
export async function moveChats(tx: Tx, { from, to }: { from: string; to: string }): Promise<string[]> {
  const rows = await tx
    .update(conversations)
    .set({ document_id: to })
    .where(eq(conversations.document_id, from))
    .returning({ id: conversations.id })
  return rows.map(({ id }) => id)
}

/**
 * Undoes `moveChats`: moves the chats `ids` from the document `from` to the document `to`, and to the project of `to`. Skips
 * chats that no longer belong to `from`. A chat that changes its project by this becomes private.
 */
export async function returnChats(
  tx: Tx,
  { from, to, ids }: { from: string; to: string; ids: readonly string[] },
): Promise<void> {
  const project = tx.select({ id: documents.project_id }).from(documents).where(eq(documents.id, to))
  await tx
    .update(conversations)
    .set({
      document_id: to,
      project_id: sql`(${project})`,
      visibility: sql`case when ${conversations.project_id} is not distinct from (${project}) then ${conversations.visibility} else 'me' end`,
    })
    .where(and(eq(conversations.document_id, from), inArray(conversations.id, [...ids])))
}

/** Returns the sources of all messages in the conversations that contain the specified messages. */
export const listSourcesAround = (tx: Tx, messageIds: readonly string[]) =>
  tx
    .select({ id: messages.id, conversation_id: messages.conversation_id, sources: messages.sources })
    .from(messages)
    .where(
      inArray(
        messages.conversation_id,
        tx
          .select({ id: messages.conversation_id })
          .from(messages)
          .where(inArray(messages.id, [...messageIds])),
      ),
    )
    .orderBy(messages.id)
    .for('no key update')

/** Replaces the sources of a message. */
export async function updateSources(tx: Tx, messageId: string, sources: StoredSource[]): Promise<void> {
  await tx.update(messages).set({ sources }).where(eq(messages.id, messageId))
}

/** Returns the ids of the specified messages that have evidence in a document. */
export async function listCiting(tx: Tx, documentId: string, messageIds: readonly string[]): Promise<Set<string>> {
  const rows = await tx
    .selectDistinct({ id: evidence.subject_id })
    .from(evidence)
    .where(and(eq(evidence.document_id, documentId), inArray(evidence.subject_id, [...messageIds])))
  return new Set(rows.map(({ id }) => id))
}
