import { and, desc, eq, isNotNull, isNull, ne, or, sql, type SQL } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { documents } from '#server/db/tables/documents.ts'
import { projects } from '#server/db/tables/projects.ts'
import { trashPass } from '#server/db/tables/trash.ts'
import { TRASH_DAYS } from '#shared/contract/trash.ts'
import { storedColumns } from '#server/documents/index.ts'

/** The columns of a deleted document that its permanent removal needs. */
export type GoneDocument = Pick<typeof documents.$inferSelect, 'id' | 'owner_id' | 'project_id' | 'source_url'>

const KEPT = sql.raw(`interval '${TRASH_DAYS} days'`)
/**
 * Only an empty project can be deleted, so users delete its documents first. Documents deleted within the hour before
 * their project count as deleted with it.
 */
const WITH_IT = sql.raw(`interval '1 hour'`)

const goneAt = (deletedAt: typeof projects.deleted_at | typeof documents.deleted_at) =>
  sql<string>`${deletedAt} + ${KEPT}`.mapWith(documents.deleted_at)
const canReturn = (deletedAt: typeof projects.deleted_at | typeof documents.deleted_at) =>
  and(isNotNull(deletedAt), sql`${deletedAt} > now() - ${KEPT}`)
/** True if the thirty days were over at the previous pass and are over now. */
const isOver = (deletedAt: typeof projects.deleted_at | typeof documents.deleted_at, previousPass: string) =>
  sql`${deletedAt} <= least(now(), ${previousPass}::timestamptz) - ${KEPT}`
const deletedWith = (projectId: string, at: string): SQL =>
  and(eq(documents.project_id, projectId), sql`${documents.deleted_at} >= ${at}::timestamptz - ${WITH_IT}`)!

/** Every query of this file must see deleted rows: run it in `asActorWithDeleted` or without row-level security. */
export const listDeletedProjects = (tx: Tx) =>
  tx
    .select({
      id: projects.id,
      name: projects.name,
      document_count: sql<number>`(select count(*)::int from ${documents} where ${documents}.project_id = ${projects}.id
        and ${documents}.deleted_at >= ${projects}.deleted_at - ${WITH_IT})`,
      deleted_at: sql<string>`${projects.deleted_at}`.mapWith(projects.deleted_at),
      gone_at: goneAt(projects.deleted_at),
    })
    .from(projects)
    .where(canReturn(projects.deleted_at))
    .orderBy(desc(projects.deleted_at), projects.id)

const onTheirOwn = and(
  canReturn(documents.deleted_at),
  sql`(${projects.deleted_at} is null or ${documents.deleted_at} < ${projects.deleted_at} - ${WITH_IT})`,
)

/** Deleted documents that were not deleted with their project, newest first, with the exact count. */
export async function listDeletedDocuments(tx: Tx, limit: number) {
  const rows = await tx
    .select({
      id: documents.id,
      title: documents.title,
      filename: documents.filename,
      retracted: documents.retracted,
      project_id: documents.project_id,
      project_name: projects.name,
      project_deleted: sql<boolean>`${projects.deleted_at} is not null`,
      deleted_at: sql<string>`${documents.deleted_at}`.mapWith(documents.deleted_at),
      gone_at: goneAt(documents.deleted_at),
    })
    .from(documents)
    .leftJoin(projects, eq(projects.id, documents.project_id))
    .where(onTheirOwn)
    .orderBy(desc(documents.deleted_at), documents.id)
    .limit(limit)
  const [total] = await tx
    .select({ n: sql<number>`count(*)::int` })
    .from(documents)
    .leftJoin(projects, eq(projects.id, documents.project_id))
    .where(onTheirOwn)
  return { rows, count: total?.n ?? 0 }
}

/** Returns a deleted document that can be restored. */
export async function findDeletedDocument(tx: Tx, id: string) {
  const [row] = await tx
    .select({ id: documents.id, project_id: documents.project_id })
    .from(documents)
    .where(and(eq(documents.id, id), canReturn(documents.deleted_at)))
  return row
}

/** Returns the documents that are not deleted or that can be restored. */
export function listRestorable(tx: Tx, ids: readonly string[]) {
  return tx
    .select({ id: documents.id, project_id: documents.project_id })
    .from(documents)
    .where(
      and(
        sql`${documents.id} = any(${sql.param([...ids])}::uuid[])`,
        or(isNull(documents.deleted_at), canReturn(documents.deleted_at)),
      ),
    )
}

/** Restores the deleted ones of these documents and returns them. Locks the rows in the order of their ids. */
export function showDocumentsById(tx: Tx, ids: readonly string[]) {
  return tx
    .update(documents)
    .set({ deleted_at: null, updated_at: sql`now()` })
    .where(
      sql`${documents.id} in (select id from ${documents} where id = any(${sql.param([...ids])}::uuid[]) and deleted_at is not null order by id for update)`,
    )
    .returning({ id: documents.id, project_id: documents.project_id })
}

/** Returns a deleted project that can be restored, and locks it until the transaction ends. */
export async function lockDeletedProject(tx: Tx, id: string) {
  const [row] = await tx
    .select({
      id: projects.id,
      owner_id: projects.owner_id,
      name: projects.name,
      hero_image: projects.hero_image,
      // As text, because a JavaScript date would lose the microseconds.
      deleted_at: sql<string>`${projects.deleted_at}::text`,
    })
    .from(projects)
    .where(and(eq(projects.id, id), canReturn(projects.deleted_at)))
    .for('update')
  return row
}

/** Returns true if a project of the caller is deleted, even after the thirty days. */
export async function isDeleted(tx: Tx, id: string): Promise<boolean> {
  const [row] = await tx
    .select({ id: projects.id })
    .from(projects)
    .where(and(eq(projects.id, id), isNotNull(projects.deleted_at)))
  return Boolean(row)
}

/** The names of a user's projects, in lower case. */
export async function listNames(tx: Tx, ownerId: string): Promise<Set<string>> {
  const rows = await tx
    .select({ name: sql<string>`lower(${projects.name})` })
    .from(projects)
    .where(and(eq(projects.owner_id, ownerId), isNull(projects.deleted_at)))
  return new Set(rows.map(({ name }) => name))
}

/** Restores a project under `name`. It becomes the default if the user has no other project. */
export async function showProject(tx: Tx, id: string, ownerId: string, name: string): Promise<void> {
  const other = tx
    .select({ id: projects.id })
    .from(projects)
    .where(and(eq(projects.owner_id, ownerId), isNull(projects.deleted_at), ne(projects.id, id)))
  await tx
    .update(projects)
    .set({ deleted_at: null, name, is_default: sql`not exists ${other}`, updated_at: sql`now()` })
    .where(eq(projects.id, id))
}

/** Restores a document. Returns undefined when it is not deleted (any more). */
export async function showDocument(tx: Tx, id: string) {
  const [row] = await tx
    .update(documents)
    .set({ deleted_at: null, updated_at: sql`now()` })
    .where(and(eq(documents.id, id), isNotNull(documents.deleted_at)))
    .returning(storedColumns)
  return row
}

/** Restores the documents that were deleted with a project. */
export function showDocumentsOf(tx: Tx, projectId: string, deletedAt: string) {
  return tx
    .update(documents)
    .set({ deleted_at: null })
    .where(and(deletedWith(projectId, deletedAt), canReturn(documents.deleted_at)))
    .returning({ id: documents.id, project_id: documents.project_id })
}

/** The latest deletion time of a project's restorable documents, or null. */
export async function lastDeletedOf(tx: Tx, projectId: string): Promise<string | null> {
  const [row] = await tx
    .select({ at: sql<string | null>`max(${documents.deleted_at})::text` })
    .from(documents)
    .where(and(eq(documents.project_id, projectId), canReturn(documents.deleted_at)))
  return row?.at ?? null
}

const gone = {
  id: documents.id,
  owner_id: documents.owner_id,
  project_id: documents.project_id,
  source_url: documents.source_url,
}

/** Permanently deletes a document that is in the trash, with all dependent rows. */
export function removeDocument(tx: Tx, id: string): Promise<GoneDocument[]> {
  return tx
    .delete(documents)
    .where(and(eq(documents.id, id), isNotNull(documents.deleted_at)))
    .returning(gone)
}

/** Permanently deletes all deleted documents of the caller. */
export const removeAllDocuments = (tx: Tx, ownerId: string): Promise<GoneDocument[]> =>
  tx
    .delete(documents)
    .where(and(eq(documents.owner_id, ownerId), isNotNull(documents.deleted_at)))
    .returning(gone)

/**
 * Begins a pass over the trash and returns the start of the previous one. Null if there was none, or if it began less
 * than a day ago.
 */
export async function beginPass(tx: Tx): Promise<string | null> {
  const [previous] = await tx
    .select({ at: trashPass.began_at, isOld: sql<boolean>`began_at not between now() - interval '1 day' and now()` })
    .from(trashPass)
    .for('update')
  if (!previous) await tx.insert(trashPass).values({}).onConflictDoNothing()
  if (!previous?.isOld) return null
  await tx.update(trashPass).set({ began_at: sql`now()` })
  return previous.at
}

/** Permanently deletes up to `limit` documents of all users whose thirty days were over at the previous pass too. */
export const removeOldDocuments = (tx: Tx, previousPass: string, limit: number): Promise<GoneDocument[]> =>
  tx
    .delete(documents)
    .where(
      sql`${documents.id} in (select id from ${documents} where ${isOver(documents.deleted_at, previousPass)} limit ${limit} for update skip locked)`,
    )
    .returning(gone)

/** Returns and locks all deleted projects of a user. */
export const lockAllDeletedProjects = (tx: Tx, ownerId: string) =>
  lockProjects(tx, and(eq(projects.owner_id, ownerId), isNotNull(projects.deleted_at))!)

/** Returns and locks up to `limit` projects of all users whose thirty days were over at the previous pass too. */
export const lockOldProjects = (tx: Tx, previousPass: string, limit: number) =>
  lockProjects(tx, isOver(projects.deleted_at, previousPass), limit)

function lockProjects(tx: Tx, where: SQL, limit = 10_000) {
  return tx
    .select({
      id: projects.id,
      owner_id: projects.owner_id,
      hero_image: projects.hero_image,
      deleted_at: sql<string>`${projects.deleted_at}::text`,
    })
    .from(projects)
    .where(where)
    .limit(limit)
    .for('update', { skipLocked: true })
}

/**
 * Permanently deletes a project and the documents that were deleted with it. Documents that were deleted earlier keep
 * their own thirty days and lose their project.
 */
export async function removeProject(tx: Tx, id: string, deletedAt: string): Promise<GoneDocument[]> {
  const removed = await tx.delete(documents).where(deletedWith(id, deletedAt)).returning(gone)
  await tx.update(documents).set({ project_id: null }).where(eq(documents.project_id, id))
  await tx.delete(projects).where(eq(projects.id, id))
  return removed
}
