import { and, eq, isNotNull, sql, type SQL } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { documents } from '#server/db/tables/documents.ts'
import { projects } from '#server/db/tables/projects.ts'
import { trashPass } from '#server/db/tables/trash.ts'
import { deletedWith, KEPT, REMOVABLE } from './queries.ts'

/** The columns of a deleted document that its permanent removal needs. */
export type GoneDocument = Pick<typeof documents.$inferSelect, 'id' | 'owner_id' | 'project_id' | 'source_url'>

/** Returns the SQL condition that the thirty days of a deleted row are over now and were already over at the previous pass. */
const isOver = (deletedAt: typeof projects.deleted_at | typeof documents.deleted_at, previousPass: string) =>
  sql`${deletedAt} <= least(now(), ${previousPass}::timestamptz) - ${KEPT}`

/**
 * Returns the SQL condition that a row was deleted at the time `before` or earlier. The API shows these times in milliseconds,
 * without the microseconds of the database. Without `before`, every deleted row meets the condition.
 */
const isDeletedBy = (deletedAt: typeof projects.deleted_at | typeof documents.deleted_at, before: string | undefined) =>
  before === undefined ? isNotNull(deletedAt) : sql`${deletedAt} < ${before}::timestamptz + interval '1 millisecond'`

/** A project in the trash. `deleted_at` is a text with microseconds, which a Date would lose. */
interface DeletedProject {
  id: string
  deleted_at: string
}

const removedColumns = {
  id: documents.id,
  owner_id: documents.owner_id,
  project_id: documents.project_id,
  source_url: documents.source_url,
}

/**
 * Permanently deletes a document in the trash, with all dependent rows. Returns a list with the document, or an empty list if
 * it is not in the trash or the caller may not delete it.
 */
export function removeDocument(tx: Tx, id: string): Promise<GoneDocument[]> {
  return tx
    .delete(documents)
    .where(and(eq(documents.id, id), REMOVABLE))
    .returning(removedColumns)
}

/**
 * Permanently deletes up to `limit` documents in the trash that the caller may delete, and returns them. With `before`, only
 * documents that were deleted at this time or earlier. Needs row-level security.
 */
export const removeSomeDocuments = (tx: Tx, limit: number, before?: string): Promise<GoneDocument[]> =>
  removeSome(tx, and(REMOVABLE, isDeletedBy(documents.deleted_at, before))!, limit)

/** Permanently deletes up to `limit` documents that were deleted with the given project, and returns them. */
export const removeSomeOf = (tx: Tx, { id, deleted_at }: DeletedProject, limit: number): Promise<GoneDocument[]> =>
  removeSome(tx, deletedWith(id, deleted_at), limit)

const removeSome = (tx: Tx, where: SQL, limit: number) => {
  const chosen = tx.select({ id: documents.id }).from(documents).where(where).limit(limit).for('update')
  // An array, because a join could read the subquery more than once, and with it more rows than the limit.
  return tx
    .delete(documents)
    .where(sql`${documents.id} = any(array(${chosen}))`)
    .returning(removedColumns)
}

/**
 * Begins a pass that permanently deletes old items of the trash; there is at most one pass a day. Returns the start time of the
 * previous pass. Returns null if the caller must delete nothing: this is the first pass, or the previous pass began less than a
 * day ago.
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

/**
 * Permanently deletes up to `limit` documents of all users whose thirty days in the trash were already over at the previous
 * pass.
 */
export const removeOldDocuments = (tx: Tx, previousPass: string, limit: number): Promise<GoneDocument[]> =>
  tx
    .delete(documents)
    .where(
      sql`${documents.id} in (select id from ${documents} where ${isOver(documents.deleted_at, previousPass)} limit ${limit} for update skip locked)`,
    )
    .returning(removedColumns)

/**
 * Returns up to 10,000 projects in the trash that the caller may manage, and locks them. With `before`, only projects that were
 * deleted at this time or earlier. Needs row-level security.
 */
export const lockAllDeletedProjects = (tx: Tx, before?: string) =>
  lockProjects(tx, isDeletedBy(projects.deleted_at, before))

/**
 * Returns up to `limit` projects of all users whose thirty days in the trash were already over at the previous pass, and locks
 * them.
 */
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
 * Permanently deletes a project and the documents that were deleted with it, and returns these documents. Other documents of
 * the project stay in the trash for the rest of their thirty days. They then have no project and belong to the user
 * `successorId`.
 */
export async function removeProject(
  tx: Tx,
  { id, deleted_at }: DeletedProject,
  successorId: string,
): Promise<GoneDocument[]> {
  const removed = await tx.delete(documents).where(deletedWith(id, deleted_at)).returning(removedColumns)
  await tx.update(documents).set({ project_id: null, owner_id: successorId }).where(eq(documents.project_id, id))
  await tx.delete(projects).where(eq(projects.id, id))
  return removed
}
