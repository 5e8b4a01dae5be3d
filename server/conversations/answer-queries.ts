import { and, desc, eq, inArray, ne, notInArray, sql } from 'drizzle-orm'
import type { CslName } from '#shared/contract/references.ts'
import type { Tx } from '#server/db/client.ts'
import { documents } from '#server/db/tables/documents.ts'
import { runs } from '#server/db/tables/runs.ts'
import { conversations, messages } from '#server/db/tables/conversations.ts'
import type { StoredPassage, StoredSource } from '#server/db/stored-answers.ts'

/**
 * Maximum number of consecutive merges of duplicate papers that are followed. The paper that was kept in a merge can later be
 * merged into another paper.
 */
const MOST_JOINS = 20

/** The name of the unique index that allows a user only one unfinished answer at a time. */
export const ONE_ANSWER = 'messages_answering'

/**
 * Changes an answer that is being written. Returns false if the answer has ended, or if the caller may not change it any more.
 */
export async function updateAnswer(
  tx: Tx,
  id: string,
  change: Partial<Pick<typeof messages.$inferSelect, 'status' | 'error' | 'answer' | 'passages' | 'run_id'>>,
): Promise<boolean> {
  const { rowCount } = await tx
    .update(messages)
    .set(change.passages ? { ...change, passages: withoutDeleted(change.passages) } : change)
    .where(and(eq(messages.id, id), eq(messages.status, 'answering')))
  return rowCount === 1
}

/** Returns the SQL of `passages` without the passages of papers that were deleted during the answer. */
const withoutDeleted = (passages: readonly StoredPassage[]) => sql`(
  select coalesce(jsonb_agg(p.passage order by p.place), '[]') from
    jsonb_array_elements(${JSON.stringify(passages)}::jsonb) with ordinality p(passage, place)
  where exists (select from documents d where d.id = (p.passage ->> 'document_id')::uuid))`

/** Sets the title of a conversation that has none. */
export async function nameConversation(tx: Tx, id: string, title: string): Promise<void> {
  await tx
    .update(conversations)
    .set({ title })
    .where(and(eq(conversations.id, id), eq(conversations.title, '')))
}

/** Returns the sources (cited papers, each with its number) of all answers of a conversation. */
export async function listSources(tx: Tx, conversationId: string): Promise<StoredSource[]> {
  const rows = await tx
    .select({ sources: messages.sources })
    .from(messages)
    .where(eq(messages.conversation_id, conversationId))
  return rows.flatMap(({ sources }) => sources)
}

/**
 * Adds sources (cited papers, each with its number) to an answer that is being written, and sorts all sources of the answer by
 * number. Skips papers that are sources already. Does not replace stored sources, because a merge of duplicate papers can have
 * changed them during the answer.
 */
export async function addSources(tx: Tx, messageId: string, sources: readonly StoredSource[]): Promise<void> {
  if (sources.length === 0) return
  const [row] = await tx
    .select({ sources: messages.sources })
    .from(messages)
    .where(and(eq(messages.id, messageId), eq(messages.status, 'answering')))
    .for('update')
  if (!row) return
  const cited = new Set(row.sources.map(({ document_id }) => document_id))
  const added = sources.filter(({ document_id }) => !cited.has(document_id))
  if (added.length > 0)
    await tx
      .update(messages)
      .set({ sources: [...row.sources, ...added].toSorted((one, other) => one.number - other.number) })
      .where(eq(messages.id, messageId))
}

/**
 * Returns the papers in `ids` that were merged into a duplicate: maps the id of each to the id of the paper that was kept, also
 * after several consecutive merges. Other papers in `ids` have no entry. Must run as the database role that owns the tables.
 */
export async function listKept(tx: Tx, ids: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await tx.execute<{ id: string; kept_id: string }>(sql`
    with recursive kept (id, kept_id, joins) as (
      select j.joined_id, j.kept_id, 1 from joined_papers j join documents d on d.id = j.joined_id
        where j.undone_at is null and d.deleted_at is not null and d.id = any(${sql.param([...ids])}::uuid[])
      union all
      select kept.id, j.kept_id, kept.joins + 1 from kept join joined_papers j on j.joined_id = kept.kept_id
        where j.undone_at is null and kept.joins < ${MOST_JOINS})
    select distinct on (id) id, kept_id from kept order by id, joins desc`)
  return new Map(rows.map(({ id, kept_id }) => [id, kept_id]))
}

/**
 * Returns the `limit` latest questions of a conversation with their answers, if any, newest first. Omits a question whose
 * answer is being written. With `before`, returns only questions before the message with this id.
 */
export const listTurns = (tx: Tx, conversationId: string, { limit, before }: { limit: number; before?: string }) =>
  tx
    .select({ question: messages.question, answer: messages.answer })
    .from(messages)
    .where(
      and(
        eq(messages.conversation_id, conversationId),
        // A question after a failed answer, for example after a timeout, can still refer to the failed question.
        ne(messages.status, 'answering'),
        before === undefined ? undefined : isUpTo(before, '<'),
      ),
    )
    .orderBy(desc(messages.asked_at), desc(messages.id))
    .limit(limit)

/**
 * Returns the messages of a conversation that have the same question as the message `id`, up to and including this message,
 * oldest first. `turns` is the hash of the earlier questions and answers that the model received; null for a message without a
 * recorded run.
 */
export const listRepeated = (tx: Tx, conversationId: string, id: string) =>
  tx
    .select({ id: messages.id, turns: sql<string | null>`${runs.input}->'options'->>'turns'` })
    .from(messages)
    .leftJoin(runs, eq(runs.id, messages.run_id))
    .where(
      and(
        eq(messages.conversation_id, conversationId),
        eq(messages.question, sql`(SELECT question FROM ${messages} WHERE id = ${id})`),
        isUpTo(id, '<='),
      ),
    )
    .orderBy(messages.asked_at, messages.id)

const isUpTo = (id: string, operator: '<' | '<=') =>
  sql`(${messages.asked_at}, ${messages.id}) ${sql.raw(operator)} (SELECT asked_at, id FROM ${messages} WHERE id = ${id})`

/** Returns the bibliographic data of papers that an answer cites. Deleted papers are omitted. */
export const listCited = (tx: Tx, ids: readonly string[]) =>
  tx
    .select({
      id: documents.id,
      title: sql<string>`coalesce(nullif(${documents.title}, ''), ${documents.filename})`,
      authors: documents.authors,
      author_names: sql<CslName[] | null>`${documents.reference}->'author'`,
      year: sql<number | null>`${documents}.ref_year`,
      evidence_level: documents.evidence_level,
      retracted: documents.retracted,
    })
    .from(documents)
    .where(inArray(documents.id, [...ids]))

/**
 * Stores the current time with these answers, which shows that a server is still writing them. Must run as the database role
 * that owns the tables.
 */
export async function touchAnswers(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await tx
    .update(messages)
    .set({ alive_at: sql`now()` })
    .where(and(inArray(messages.id, [...ids]), eq(messages.status, 'answering')))
}

/**
 * Marks answers as stopped, with the message `error`, if their server has not reported for `silence` seconds. Their verified
 * sentences stay. The answers of this process (`own`, the ids of their messages) do not change. `isAlone` is true if this
 * server is the only one and has just started: then all answers except `own` are marked at once. Must run as the database role
 * that owns the tables.
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

/** Returns the ids of the messages of a conversation whose answers are being written. */
export async function listAnswering(tx: Tx, conversationId: string): Promise<string[]> {
  const rows = await tx
    .select({ id: messages.id })
    .from(messages)
    .where(and(eq(messages.conversation_id, conversationId), eq(messages.status, 'answering')))
  return rows.map(({ id }) => id)
}

/** Notifies all servers, on the notification channel `channel`, that the answer to the message `id` must stop. */
export async function tellStop(tx: Tx, channel: string, id: string): Promise<void> {
  await tx.execute(sql`select pg_notify(${channel}, ${id})`)
}
