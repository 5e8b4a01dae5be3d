import { and, desc, eq, isNotNull, isNull, not, or, sql, type SQL } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { hasRight, mayIn } from '#server/members/index.ts'
import { documents } from '#server/db/tables/documents.ts'
import { joinedPapers } from '#server/db/tables/duplicates.ts'
import { projects } from '#server/db/tables/projects.ts'
import { documentTitle } from '#shared/contract/documents.ts'
import { TRASH_DAYS } from '#shared/contract/trash.ts'
import { storedColumns } from '#server/documents/index.ts'

/** Time for which a deleted row stays in the trash, as an SQL interval. */
export const KEPT = sql.raw(`interval '${TRASH_DAYS} days'`)
/**
 * Documents that were deleted at most this long before their project count as deleted with it. A project must be empty to be
 * deleted, so users delete its documents first.
 */
const WITH_IT = sql.raw(`interval '1 hour'`)

const removalTime = (deletedAt: typeof projects.deleted_at | typeof documents.deleted_at) =>
  sql<string>`${deletedAt} + ${KEPT}`.mapWith(documents.deleted_at)
const canReturn = (deletedAt: typeof projects.deleted_at | typeof documents.deleted_at) =>
  and(isNotNull(deletedAt), sql`${deletedAt} > now() - ${KEPT}`)
/**
 * Returns the SQL condition that a document counts as deleted with its project: it was deleted at most an hour before the
 * project, or later. `at` is the time at which the project was deleted.
 */
export const deletedWith = (projectId: string, at: string): SQL =>
  and(eq(documents.project_id, projectId), sql`${documents.deleted_at} >= ${at}::timestamptz - ${WITH_IT}`)!

/**
 * SQL condition that a join with a duplicate paper deleted a document. Such a document stays deleted when its project is
 * restored. A user can have restored a joined document without an undo of the join and deleted it later.
 */
const isJoined = sql`exists (select from ${joinedPapers} j
  where j.joined_id = ${documents}.id and j.undone_at is null and j.joined_at = ${documents}.deleted_at)`

/**
 * Returns the deleted projects that the caller may restore, the latest deletion first. `document_count` is the number of
 * documents that are restored with the project. Run it in `asActorWithDeleted`, which makes deleted rows visible, or without
 * row-level security. This applies to all queries of this file.
 */
export const listDeletedProjects = (tx: Tx) =>
  tx
    .select({
      id: projects.id,
      name: projects.name,
      document_count: sql<number>`(select count(*)::int from ${documents} where ${documents}.project_id = ${projects}.id
        and ${documents}.deleted_at >= ${projects}.deleted_at - ${WITH_IT} and not ${isJoined})`,
      deleted_at: sql<string>`${projects.deleted_at}`.mapWith(projects.deleted_at),
      gone_at: removalTime(projects.deleted_at),
    })
    .from(projects)
    .where(and(canReturn(projects.deleted_at), hasRight(projects.id, 'manage')))
    .orderBy(desc(projects.deleted_at), projects.id)

/** SQL condition that a document was deleted with its project. */
const WITH_PROJECT = sql`exists (select from ${projects} where ${projects.id} = ${documents.project_id}
  and ${documents.deleted_at} >= ${projects.deleted_at} - ${WITH_IT})`

/**
 * SQL condition that the caller may permanently delete a document in the trash. If it was deleted with its project, the caller
 * needs the right to manage the project.
 */
export const REMOVABLE = and(
  isNotNull(documents.deleted_at),
  or(hasRight(documents.project_id, 'manage'), not(WITH_PROJECT)),
)!

const onTheirOwn = and(canReturn(documents.deleted_at), hasRight(documents.project_id, 'edit'), not(WITH_PROJECT))

/**
 * SQL for the join of duplicate papers that deleted a document, with the paper that remained. It is null if a user deleted the
 * document, or if the remaining paper is deleted or the caller may not edit it. A restore then does not undo the join.
 */
const LAST_JOIN = sql<{ id: string; title: string | null; filename: string } | null>`(
  select json_build_object('id', ${joinedPapers.id}, 'title', kept.title, 'filename', kept.filename)
  from ${joinedPapers} join ${documents} kept on kept.id = ${joinedPapers.kept_id}
  where ${joinedPapers.joined_id} = ${documents.id} and ${joinedPapers.undone_at} is null
    and ${joinedPapers.joined_at} = ${documents.deleted_at} and kept.deleted_at is null
    and ${hasRight(joinedPapers.project_id, 'edit')}
  limit 1)`

/**
 * Returns those documents in the trash that were not deleted with their project and that the caller may restore. `rows` has at
 * most `limit` of them, the latest deletion first; `count` is the number of all of them.
 */
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
      gone_at: removalTime(documents.deleted_at),
      join: LAST_JOIN,
    })
    .from(documents)
    .leftJoin(projects, eq(projects.id, documents.project_id))
    .where(onTheirOwn)
    .orderBy(desc(documents.deleted_at), documents.id)
    .limit(limit)
  const [total] = await tx
    .select({ n: sql<number>`count(*)::int` })
    .from(documents)
    .where(onTheirOwn)
  const listed = rows.map(({ join, ...row }) => ({
    ...row,
    join: join && { id: join.id, kept_title: documentTitle(join) },
  }))
  return { rows: listed, count: total?.n ?? 0 }
}

/** Returns a document in the trash that can be restored, or undefined. */
export async function findDeletedDocument(tx: Tx, id: string) {
  const [row] = await tx
    .select({ id: documents.id, project_id: documents.project_id })
    .from(documents)
    .where(and(eq(documents.id, id), canReturn(documents.deleted_at)))
  return row
}

/**
 * Returns the documents of `ids` that are not deleted, or that can still be restored from the trash, each with the caller's
 * rights.
 */
export function listRestorable(tx: Tx, ids: readonly string[]) {
  return tx
    .select({ id: documents.id, project_id: documents.project_id, may: mayIn(sql`${documents}.project_id`) })
    .from(documents)
    .where(
      and(
        sql`${documents.id} = any(${sql.param([...ids])}::uuid[])`,
        or(isNull(documents.deleted_at), canReturn(documents.deleted_at)),
      ),
    )
}

/** Restores the documents of `ids` that are deleted, and returns them. Locks the rows in the order of their ids. */
export function showDocumentsById(tx: Tx, ids: readonly string[]) {
  return tx
    .update(documents)
    .set({ deleted_at: null, updated_at: sql`now()` })
    .where(
      sql`${documents.id} in (select id from ${documents} where id = any(${sql.param([...ids])}::uuid[]) and deleted_at is not null order by id for update)`,
    )
    .returning({ id: documents.id, project_id: documents.project_id })
}

/** Returns a deleted project that can be restored, and locks it until the transaction ends; undefined if there is none. */
export async function lockDeletedProject(tx: Tx, id: string) {
  const [row] = await tx
    .select({
      id: projects.id,
      owner_id: projects.owner_id,
      name: projects.name,
      hero_image: projects.hero_image,
      // As text, because a JavaScript date would lose the microseconds.
      deleted_at: sql<string>`${projects.deleted_at}::text`,
      documents_since: sql<string>`(${projects.deleted_at} - ${WITH_IT})::text`,
    })
    .from(projects)
    .where(and(eq(projects.id, id), canReturn(projects.deleted_at)))
    .for('update')
  return row
}

/** Returns whether a project of the caller is deleted, even if the thirty days in the trash are over. */
export async function isDeleted(tx: Tx, id: string): Promise<boolean> {
  const [row] = await tx
    .select({ id: projects.id })
    .from(projects)
    .where(and(eq(projects.id, id), isNotNull(projects.deleted_at)))
  return Boolean(row)
}

/** Returns the names of the projects that a user owns, in lower case. Needs the database role that owns the tables. */
export async function listNames(tx: Tx, ownerId: string): Promise<Set<string>> {
  const rows = await tx
    .select({ name: sql<string>`lower(${projects.name})` })
    .from(projects)
    .where(and(eq(projects.owner_id, ownerId), isNull(projects.deleted_at)))
  return new Set(rows.map(({ name }) => name))
}

/** Restores a project from the trash with the name `name`. */
export async function showProject(tx: Tx, id: string, name: string): Promise<void> {
  await tx
    .update(projects)
    .set({ deleted_at: null, name, updated_at: sql`now()` })
    .where(eq(projects.id, id))
}

/** Restores a document and returns it. Returns undefined if the document is not deleted. */
export async function showDocument(tx: Tx, id: string) {
  const [row] = await tx
    .update(documents)
    .set({ deleted_at: null, updated_at: sql`now()` })
    .where(and(eq(documents.id, id), isNotNull(documents.deleted_at)))
    .returning(storedColumns)
  return row
}

/**
 * Restores up to `limit` documents of a project that were deleted at the time `since` or later. Skips documents that were
 * deleted by a join (the merge of duplicate papers). If `isWithProject` is true, also restores documents whose own thirty days
 * are over, because those of their project are not.
 */
export function showDocumentsOf(tx: Tx, projectId: string, since: string, isWithProject: boolean, limit: number) {
  const isSince = sql`${documents.deleted_at} >= ${since}::timestamptz`
  const isInTime = isWithProject ? undefined : canReturn(documents.deleted_at)
  const chosen = tx
    .select({ id: documents.id })
    .from(documents)
    .where(and(eq(documents.project_id, projectId), isSince, isInTime, not(isJoined)))
    .limit(limit)
  return tx
    .update(documents)
    .set({ deleted_at: null })
    .where(sql`${documents.id} = any(array(${chosen.for('update')}))`)
    .returning({ id: documents.id, project_id: documents.project_id })
}

/**
 * Finds the documents of a project that were deleted last: the latest deleted document, and all that were deleted in the hour
 * before it. Returns the start of this hour; null if no document of the project can be restored.
 */
export async function lastDeletionOf(tx: Tx, projectId: string): Promise<string | null> {
  const [row] = await tx
    .select({ at: sql<string | null>`(max(${documents.deleted_at}) - ${WITH_IT})::text` })
    .from(documents)
    .where(and(eq(documents.project_id, projectId), canReturn(documents.deleted_at)))
  return row?.at ?? null
}
