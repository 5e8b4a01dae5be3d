import { and, desc, eq, getTableColumns, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { AppError } from '#server/lib/errors.ts'
import { mayIn } from '#server/members/index.ts'
import { documents } from '#server/db/tables/documents.ts'
import { jobs } from '#server/db/tables/jobs.ts'
import { researchRecommendation } from '#server/db/tables/recommendations.ts'
import type { RecommendationsQuery } from '#shared/contract/recommendations.ts'
import { ROLE_TOO_SMALL, type ProjectRight } from '#shared/contract/roles.ts'
import type { Identity } from './same-work.ts'

export type StoredRecommendation = typeof researchRecommendation.$inferSelect & {
  /** The rights of the caller in the project of the recommendation. */
  may: ProjectRight[]
}
export type NewRecommendation = typeof researchRecommendation.$inferInsert

const columns = { ...getTableColumns(researchRecommendation), may: mayIn(sql`${researchRecommendation}.project_id`) }
const { project_id, status, added_at, created_at, score } = researchRecommendation
/**
 * Maximum number of papers of a project that are read as known. It is larger than any real project; papers beyond this limit
 * may be recommended again.
 */
const KNOWN_MAX = 50_000

/**
 * Returns a page of the recommendations that have the status in `query` and were not added to the project, with their exact
 * number. The recommendations of the newest search come first, and within a search the best paper.
 */
export async function listRecommendationRows(tx: Tx, query: RecommendationsQuery) {
  const wanted = and(eq(project_id, query.project_id), eq(status, query.status), isNull(added_at))
  const data = await tx
    .select(columns)
    .from(researchRecommendation)
    .where(wanted)
    .orderBy(desc(created_at), desc(score), researchRecommendation.id)
    .limit(query.limit)
    .offset((query.page - 1) * query.limit)
  return { data, count: await tx.$count(researchRecommendation, wanted) }
}

/** Returns those ids in `ids` that belong to existing documents that the caller may see. */
export async function listExisting(tx: Tx, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await tx
    .select({ id: documents.id })
    .from(documents)
    .where(inArray(documents.id, [...new Set(ids)]))
  return new Set(rows.map(({ id }) => id))
}

/** Returns a recommendation that the caller may see, or undefined. */
export async function findRecommendationRow(tx: Tx, id: string): Promise<StoredRecommendation | undefined> {
  const [row] = await tx.select(columns).from(researchRecommendation).where(eq(researchRecommendation.id, id))
  return row
}

/** Inserts recommendations and returns them. */
export const insertRecommendationRows = (tx: Tx, rows: NewRecommendation[]): Promise<StoredRecommendation[]> =>
  tx.insert(researchRecommendation).values(rows).returning(columns)

/** Changes a recommendation. Throws 'role' when the caller lost the right to change it since it was read. */
export async function updateRecommendationRow(
  tx: Tx,
  id: string,
  change: Partial<NewRecommendation>,
): Promise<StoredRecommendation> {
  const [row] = await tx
    .update(researchRecommendation)
    .set(change)
    .where(eq(researchRecommendation.id, id))
    .returning(columns)
  if (!row) throw new AppError('role', ROLE_TOO_SMALL)
  return row
}

/** Returns the pending recommendations that have a DOI, newest first. */
export async function listPendingDois(tx: Tx, projectId: string, limit: number) {
  const rows = await tx
    .select({ id: researchRecommendation.id, doi: researchRecommendation.doi_link })
    .from(researchRecommendation)
    .where(
      and(
        eq(project_id, projectId),
        eq(status, 'pending'),
        isNull(added_at),
        isNotNull(researchRecommendation.doi_link),
      ),
    )
    .orderBy(desc(created_at))
    .limit(limit)
  return rows.map(({ id, doi }) => ({ id, doi: doi! }))
}

/** Deletes recommendations; unknown ids are ignored. */
export const deleteRecommendationRows = (tx: Tx, ids: readonly string[]) =>
  tx.delete(researchRecommendation).where(inArray(researchRecommendation.id, [...ids]))

/** Serializes concurrent changes to a project's recommendations (advisory lock, released at commit). */
export async function lockRecommendations(tx: Tx, projectId: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`recommend ${projectId}`}, 0))`)
}

/** Returns the project's queued or running research job, if any. */
export async function findActiveResearch(tx: Tx, projectId: string) {
  const [row] = await tx
    .select()
    .from(jobs)
    .where(and(eq(jobs.kind, 'research'), eq(jobs.project_id, projectId), sql`${jobs.status} in ('queued', 'running')`))
    .limit(1)
  return row
}

/**
 * Returns the identifying fields (DOI, title, date) of the documents of a project (at most the newest 50,000) and of its
 * recommendations with any status (at most 50,000).
 */
export async function listKnown(tx: Tx, projectId: string): Promise<Identity[]> {
  const date = sql<string | null>`coalesce(${documents.publication_date}::text, ${documents.ref_year}::text)`
  const papers = await tx
    .select({ doi: documents.doi_key, title: documents.title, date })
    .from(documents)
    .where(eq(documents.project_id, projectId))
    .orderBy(desc(documents.created_at))
    .limit(KNOWN_MAX)
  const recommended = await tx
    .select({
      doi: researchRecommendation.doi_link,
      title: researchRecommendation.title,
      date: researchRecommendation.publication_date,
    })
    .from(researchRecommendation)
    .where(eq(project_id, projectId))
    .limit(KNOWN_MAX)
  return [...papers, ...recommended]
}

/** Returns the newest documents of a project that have a title and are not retracted. */
export function listKept(tx: Tx, projectId: string, limit: number) {
  return tx
    .select({ id: documents.id, title: documents.title, keywords: documents.keywords })
    .from(documents)
    .where(and(eq(documents.project_id, projectId), isNotNull(documents.title), eq(documents.retracted, false)))
    .orderBy(desc(documents.created_at))
    .limit(limit)
}

/** Returns the titles of the dismissed recommendations of a project, newest first. */
export async function listDismissedTitles(tx: Tx, projectId: string, limit: number): Promise<string[]> {
  const rows = await tx
    .select({ title: researchRecommendation.title })
    .from(researchRecommendation)
    .where(and(eq(project_id, projectId), eq(status, 'rejected')))
    .orderBy(desc(created_at))
    .limit(limit)
  return rows.map(({ title }) => title)
}

/**
 * Assigns all recommendations of the document `from` (those whose paper was added to the project as this document) to the
 * document `to`, because the two documents are duplicates and are merged. Returns the ids of these recommendations.
 */
export async function moveRecommendations(tx: Tx, { from, to }: { from: string; to: string }): Promise<string[]> {
  const rows = await tx
    .update(researchRecommendation)
    .set({ document_id: to })
    .where(eq(researchRecommendation.document_id, from))
    .returning({ id: researchRecommendation.id })
  return rows.map(({ id }) => id)
}

/**
 * Undoes `moveRecommendations`: assigns those recommendations in `ids` that belong to the document `from` to the document `to`.
 */
export async function returnRecommendations(
  tx: Tx,
  ids: readonly string[],
  { from, to }: { from: string; to: string },
): Promise<void> {
  const own = and(inArray(researchRecommendation.id, [...ids]), eq(researchRecommendation.document_id, from))
  await tx.update(researchRecommendation).set({ document_id: to }).where(own)
}
