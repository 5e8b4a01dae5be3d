import { and, asc, desc, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { documents } from '#server/db/tables/documents.ts'
import { evidence } from '#server/db/tables/evidence.ts'
import { CHANNELS } from '#server/events/listen.ts'
import type { Slice } from '#server/http/list-page.ts'
import type { FailedDocument } from '#server/lib/recent-failures.ts'
import { mayIn } from '#server/members/index.ts'

/** Maximum number of papers that are ranked, because ranking reads the index entry of each. */
const MOST_RANKED = 2000

/**
 * Returns the ids of papers of a project that contain words of a text: first papers with all words, then papers with any of
 * them, each best match first.
 */
export async function findPapersWith(tx: Tx, projectId: string, words: string, limit: number): Promise<string[]> {
  const found = await tx.execute<{ id: string }>(sql`
    with asked as materialized (select plainto_tsquery('english', search_plain(${words})) as every),
    either as materialized (select every, replace(every::text, ' & ', ' | ')::tsquery as any_word from asked),
    with_every as materialized (
      select s.document_id, s.whole from document_search s, either
      where s.project_id = ${projectId} and s.whole @@ either.every limit ${MOST_RANKED}),
    with_any as materialized (
      select s.document_id, s.whole from document_search s, either
      where s.project_id = ${projectId} and s.whole @@ either.any_word limit ${MOST_RANKED})
    select document_id as id from (
      select document_id, 1 as part, ts_rank(whole, every) as rank from with_every, either
      union all
      select document_id, 2, ts_rank(whole, any_word) from with_any, either
      where document_id not in (select document_id from with_every)
    ) ranked order by part, rank desc, document_id limit ${limit}`)
  return found.rows.map(({ id }) => id)
}

/**
 * Returns the ids of the `limit` newest papers of a project that have a text or an abstract and are not in `except`. `count` is
 * the number of all such papers, without the limit.
 */
export async function findNewestPapers(
  tx: Tx,
  projectId: string,
  { except, limit }: { except: readonly string[]; limit: number },
): Promise<{ ids: string[]; count: number }> {
  const { rows } = await tx.execute<{ ids: string[]; count: number }>(sql`
    select coalesce((array_agg(id order by created_at desc, id))[1:${limit}], '{}') as ids, count(*)::int as count
    from documents where project_id = ${projectId} and (extracted_text is not null or abstract is not null)
      and not id = any(${sql.param([...except])}::uuid[])`)
  return rows[0]!
}

type NewEvidence = typeof evidence.$inferInsert
export type EvidenceRow = typeof evidence.$inferSelect

/**
 * Inserts rows of evidence (quotes with their places in papers). Sorts them by document, so that concurrent transactions lock
 * the documents in the same order.
 */
export async function insertEvidence(tx: Tx, rows: readonly (NewEvidence & { id: string })[]): Promise<void> {
  if (rows.length === 0) return
  await tx.insert(evidence).values(rows.toSorted((one, other) => (one.document_id < other.document_id ? -1 : 1)))
}

/** Returns the evidence of the subjects (such as answers) with these ids that the caller can read. */
export const listEvidence = (
  tx: Tx,
  kind: EvidenceRow['subject_kind'],
  ids: readonly string[],
): Promise<EvidenceRow[]> =>
  tx
    .select()
    .from(evidence)
    .where(and(eq(evidence.subject_kind, kind), inArray(evidence.subject_id, [...ids])))

/**
 * A document with stale evidence (quotes not yet searched in its changed text), with the data that are needed to read its text.
 */
export type StaleDocument = Awaited<ReturnType<typeof readDocument>>

/**
 * Returns a random document that has stale evidence (quotes not yet searched in its changed text), without the documents in
 * `except` whose text has still the same version. In a fixed order, some documents could wait for a long time.
 */
export async function findStaleDocument(tx: Tx, except: readonly FailedDocument[]) {
  const ids = sql.param(except.map(({ id }) => id))
  const versions = sql.param(except.map(({ version }) => version))
  const { rows } = await tx.execute<{ id: string }>(sql`
    with skipped as (select d.id from documents d
      join unnest(${ids}::uuid[], ${versions}::int[]) as failed (id, version) on failed.id = d.id and failed.version = d.text_version)
    select document_id as id from (
      (select document_id, 1 as part from evidence where is_stale and document_id > gen_random_uuid()
        and not document_id = any(array(select id from skipped)) order by document_id limit 1)
      union all
      (select document_id, 2 from evidence where is_stale
        and not document_id = any(array(select id from skipped)) order by document_id limit 1)
    ) stale order by part limit 1`)
  return rows[0] && readDocument(tx, rows[0].id)
}

/**
 * Returns the data of a document that are needed to read the text in which quotes are searched; undefined if there is no such
 * document. Locks the row of the document against changes until the transaction ends.
 */
export async function readDocument(tx: Tx, id: string) {
  const [row] = await tx
    .select({
      id: documents.id,
      project_id: documents.project_id,
      owner_id: documents.owner_id,
      text_version: documents.text_version,
      has_text: sql<boolean>`${documents.extracted_text} is not null`,
      text_bytes: sql<number>`coalesce(octet_length(${documents.extracted_text}), 0)`,
      title: documents.title,
      abstract: documents.abstract,
    })
    .from(documents)
    .where(eq(documents.id, id))
    .for('share')
  return row
}

/** Returns up to `limit` pieces of stale evidence of a document: quotes that were not yet searched in its changed text. */
export const listStale = async (tx: Tx, documentId: string, limit: number): Promise<EvidenceRow[]> =>
  staleRows(tx, documentId).limit(limit)

/** Returns those of the given pieces of evidence that are still stale, and locks their rows until the transaction ends. */
export const lockStale = async (tx: Tx, documentId: string, ids: readonly string[]): Promise<EvidenceRow[]> =>
  staleRows(tx, documentId, inArray(evidence.id, [...ids])).for('no key update')

const staleRows = (tx: Tx, documentId: string, among?: SQL) =>
  tx
    .select()
    .from(evidence)
    .where(and(eq(evidence.document_id, documentId), eq(evidence.is_stale, true), among))
    .orderBy(asc(evidence.id))

/** Changes where the quote of evidence is in the text of its paper (page, offsets and the text around it). */
export async function updateEvidence(tx: Tx, id: string, place: Partial<NewEvidence>): Promise<void> {
  await tx.update(evidence).set(place).where(eq(evidence.id, id))
}

/** Selects the lost evidence of a project, or of one document in it. */
export interface LostScope {
  projectId: string
  documentId?: string | undefined
}

const isLost = ({ projectId, documentId }: LostScope) =>
  and(
    eq(evidence.project_id, projectId),
    eq(evidence.lost, true),
    documentId === undefined ? undefined : eq(evidence.document_id, documentId),
  )

/** Returns lost evidence with the data of its papers, newest first. */
export function listLost(tx: Tx, scope: LostScope, { limit, offset }: Slice) {
  const rows = tx
    .select({
      evidence,
      title: documents.title,
      filename: documents.filename,
      has_file: sql<boolean>`${documents.source_url} is not null`,
    })
    .from(evidence)
    .innerJoin(documents, and(eq(documents.id, evidence.document_id), isNull(documents.deleted_at)))
    .where(isLost(scope))
    .orderBy(desc(evidence.created_at), asc(evidence.id))
    .offset(offset)
  return limit === undefined ? rows : rows.limit(limit)
}

/** Returns the number of pieces of lost evidence whose papers the caller can read. */
export async function countLost(tx: Tx, scope: LostScope): Promise<number> {
  const [row] = await tx
    .select({ count: sql<number>`count(*)::int` })
    .from(evidence)
    .innerJoin(documents, and(eq(documents.id, evidence.document_id), isNull(documents.deleted_at)))
    .where(isLost(scope))
  return row!.count
}

const evidenceRow = (tx: Tx, id: string) =>
  tx
    .select({ row: evidence, may: mayIn(sql`${evidence}.project_id`) })
    .from(evidence)
    .where(eq(evidence.id, id))

/** Returns a piece of evidence with the caller's rights in its project. */
export async function findEvidenceRow(tx: Tx, id: string) {
  const [found] = await evidenceRow(tx, id)
  return found && { ...found.row, may: found.may }
}

/** Returns a piece of evidence as `findEvidenceRow` does, and locks its row until the transaction ends. */
export async function lockEvidenceRow(tx: Tx, id: string) {
  const [found] = await evidenceRow(tx, id).for('no key update', { of: evidence })
  return found && { ...found.row, may: found.may }
}

/**
 * Moves evidence (quotes) from the paper `from` to the paper `to`: the evidence with the given ids, or all evidence. Returns
 * the moved evidence. After the commit, the quotes are searched in the text of `to`. Must run as the database role that owns
 * the tables.
 */
export async function moveEvidence(
  tx: Tx,
  { from, to, ids }: { from: string; to: string; ids?: readonly string[] },
): Promise<Pick<EvidenceRow, 'id' | 'subject_id'>[]> {
  const moved = await tx
    .update(evidence)
    .set({ document_id: to, is_stale: true })
    .where(and(eq(evidence.document_id, from), ids ? inArray(evidence.id, [...ids]) : undefined))
    .returning({ id: evidence.id, subject_id: evidence.subject_id })
  if (moved.length > 0) await tx.execute(sql`select pg_notify(${CHANNELS.evidence}, '')`)
  return moved
}
