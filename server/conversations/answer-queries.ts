import { and, desc, eq, inArray, ne, notInArray, sql } from 'drizzle-orm'
import type { CslName } from '#shared/contract/references.ts'
import type { Tx } from '#server/db/client.ts'
import { documents } from '#server/db/tables/documents.ts'
import { conversations, messages } from '#server/db/tables/conversations.ts'
import type { StoredPassage, StoredSource } from '#server/db/stored-answers.ts'

/** The index that allows a user one answer at a time. */
export const ONE_ANSWER = 'messages_answering'

/** Stores the state of an answer that is being written. Returns false if it has ended, or the caller may not change it any more. */
export async function updateAnswer(
  tx: Tx,
  id: string,
  change: Partial<
    Pick<typeof messages.$inferSelect, 'status' | 'error' | 'answer' | 'sources' | 'passages' | 'run_id'>
  >,
): Promise<boolean> {
  const { rowCount } = await tx
    .update(messages)
    .set(change.passages ? { ...change, passages: withoutDeleted(change.passages) } : change)
    .where(and(eq(messages.id, id), eq(messages.status, 'answering')))
  return rowCount === 1
}

/** The passages of papers that were not deleted during the answer. */
const withoutDeleted = (passages: readonly StoredPassage[]) => sql`(
  select coalesce(jsonb_agg(p.passage order by p.place), '[]') from
    jsonb_array_elements(${JSON.stringify(passages)}::jsonb) with ordinality p(passage, place)
  where exists (select from documents d where d.id = (p.passage ->> 'document_id')::uuid))`

/** Names a conversation without a title. */
export async function nameConversation(tx: Tx, id: string, title: string): Promise<void> {
  await tx
    .update(conversations)
    .set({ title })
    .where(and(eq(conversations.id, id), eq(conversations.title, '')))
}

/** Returns the sources of the other answers of a conversation. */
export async function listOtherSources(
  tx: Tx,
  message: { id: string; conversationId: string },
): Promise<StoredSource[]> {
  const rows = await tx
    .select({ sources: messages.sources })
    .from(messages)
    .where(and(eq(messages.conversation_id, message.conversationId), ne(messages.id, message.id)))
  return rows.flatMap(({ sources }) => sources)
}

/** Returns the last answered questions of a conversation, newest first. */
export const listTurns = (tx: Tx, conversationId: string, limit: number) =>
  tx
    .select({ question: messages.question, answer: messages.answer })
    .from(messages)
    .where(and(eq(messages.conversation_id, conversationId), inArray(messages.status, ['done', 'stopped'])))
    .orderBy(desc(messages.asked_at), desc(messages.id))
    .limit(limit)

/** Returns the data of papers for sources, without deleted papers. */
export const listCited = (tx: Tx, ids: readonly string[]) =>
  tx
    .select({
      id: documents.id,
      title: documents.title,
      authors: documents.authors,
      author_names: sql<CslName[] | null>`${documents.reference}->'author'`,
      year: sql<number | null>`${documents}.ref_year`,
      evidence_level: documents.evidence_level,
      retracted: documents.retracted,
    })
    .from(documents)
    .where(inArray(documents.id, [...ids]))

/** Stores that this server still writes the answers. Needs the role of the table owner. */
export async function touchAnswers(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await tx
    .update(messages)
    .set({ alive_at: sql`now()` })
    .where(and(inArray(messages.id, [...ids]), eq(messages.status, 'answering')))
}

/**
 * Marks answers as stopped if their server has not reported for `silence` seconds. Their verified sentences stay. `own`: the
 * answers of this process, which do not change. `isAlone`: this server is the only one and has just started, so all other
 * answers are marked at once. Needs the role of the table owner.
 */
export async function endSilentAnswers(
  tx: Tx,
  { own, isAlone, silence, error }: { own: readonly string[]; isAlone: boolean; silence: number; error: string },
): Promise<void> {
  await tx
    .update(messages)
    .set({ status: 'stopped', error })
    .where(
      and(
        eq(messages.status, 'answering'),
        isAlone ? undefined : sql`${messages.alive_at} < now() - make_interval(secs => ${silence})`,
        own.length > 0 ? notInArray(messages.id, [...own]) : undefined,
      ),
    )
}

/** Returns the messages of a conversation whose answers are being written. */
export async function listAnswering(tx: Tx, conversationId: string): Promise<string[]> {
  const rows = await tx
    .select({ id: messages.id })
    .from(messages)
    .where(and(eq(messages.conversation_id, conversationId), eq(messages.status, 'answering')))
  return rows.map(({ id }) => id)
}

/** Notifies all servers that an answer must stop. */
export async function tellStop(tx: Tx, channel: string, id: string): Promise<void> {
  await tx.execute(sql`select pg_notify(${channel}, ${id})`)
}
