import { and, eq, getTableColumns, inArray, isNotNull, isNull, ne, or, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { documents } from '#server/db/tables/documents.ts'
import { jobs } from '#server/db/tables/jobs.ts'
import { projects } from '#server/db/tables/projects.ts'
import { zoteroItems, zoteroLibraries } from '#server/db/tables/zotero.ts'
import { mayIn } from '#server/members/index.ts'
import type { ZoteroInterval } from '#shared/contract/zotero.ts'

export type StoredLibrary = typeof zoteroLibraries.$inferSelect
export type LibraryChange = Partial<typeof zoteroLibraries.$inferInsert>

const INTERVAL: Record<ZoteroInterval, string | null> = { never: null, daily: '1 day', hourly: '1 hour' }

/** Returns the SQL of the time of the next synchronization; null without a schedule. */
const nextSync = (interval: ZoteroInterval) => {
  const length = INTERVAL[interval]
  return length === null ? null : sql<string>`now() + ${length}::interval`
}

/** Returns the Zotero libraries from which a project imports, ordered by name. */
export const listLibraryRows = (tx: Tx, projectId: string): Promise<StoredLibrary[]> =>
  tx
    .select()
    .from(zoteroLibraries)
    .where(eq(zoteroLibraries.project_id, projectId))
    .orderBy(zoteroLibraries.library_name, zoteroLibraries.id)

/** Returns the name of a library and of its chosen collections: 'My library, Nap trials'. */
export const nameOf = ({ library_name, collection_names }: StoredLibrary): string =>
  [library_name, ...collection_names].join(', ')

/** Returns a library that the caller may see, with the rights of the caller (`may`), or undefined. */
export async function findLibraryRow(tx: Tx, id: string) {
  const [found] = await tx
    .select({ row: zoteroLibraries, may: mayIn(sql`${zoteroLibraries}.project_id`) })
    .from(zoteroLibraries)
    .where(eq(zoteroLibraries.id, id))
  return found && { ...found.row, may: found.may }
}

/**
 * Returns the stored row of a Zotero library from which a project imports, and locks it until the transaction ends; undefined
 * if there is none. `server` and `library` are the address of the Zotero server and the library there, such as 'users/123'.
 */
export async function lockLibraryRow(tx: Tx, of: { project_id: string; server: string; library: string }) {
  const { project_id, server, library } = zoteroLibraries
  const isSame = and(eq(project_id, of.project_id), eq(server, of.server), eq(library, of.library))
  const [row] = await tx.select().from(zoteroLibraries).where(isSame).for('update')
  return row
}

/** Locks a stored library until the transaction ends, if the caller may change it. */
export async function lockLibrary(tx: Tx, id: string): Promise<void> {
  await tx.select({ id: zoteroLibraries.id }).from(zoteroLibraries).where(eq(zoteroLibraries.id, id)).for('update')
}

/** Inserts a Zotero library from which a project imports papers, and returns it. */
export async function insertLibraryRow(tx: Tx, row: typeof zoteroLibraries.$inferInsert): Promise<StoredLibrary> {
  const [saved] = await tx
    .insert(zoteroLibraries)
    .values({ ...row, next_sync_at: nextSync(row.synchronize) })
    .returning()
  return saved!
}

/**
 * Changes a library and returns it; undefined if the caller may not change it. A new interval also sets the time of the next
 * synchronization.
 */
export async function updateLibraryRow(tx: Tx, id: string, change: LibraryChange): Promise<StoredLibrary | undefined> {
  const schedule = change.synchronize ? { next_sync_at: nextSync(change.synchronize) } : {}
  const [row] = await tx
    .update(zoteroLibraries)
    .set({ ...change, ...schedule })
    .where(eq(zoteroLibraries.id, id))
    .returning()
  return row
}

/**
 * Stops the scheduled synchronization of a library and stores the reason. Returns false if it had no schedule. Must run as
 * the database role that owns the tables.
 */
export async function stopSchedule(tx: Tx, id: string, reason: string): Promise<boolean> {
  const { rowCount } = await tx
    .update(zoteroLibraries)
    .set({ synchronize: 'never', next_sync_at: null, last_error: reason })
    .where(and(eq(zoteroLibraries.id, id), ne(zoteroLibraries.synchronize, 'never')))
  return (rowCount ?? 0) > 0
}

/**
 * Returns the name and the owner of a project; undefined if it does not exist. Must run as the database role that owns the
 * tables.
 */
export async function findProject(tx: Tx, id: string): Promise<{ name: string; owner_id: string | null } | undefined> {
  const [row] = await tx
    .select({ name: projects.name, owner_id: projects.owner_id })
    .from(projects)
    .where(eq(projects.id, id))
  return row
}

/** Stops all scheduled synchronizations that use the Zotero key of a user. */
export async function stopSchedulesOf(tx: Tx, userId: string): Promise<void> {
  await tx
    .update(zoteroLibraries)
    .set({ synchronize: 'never', next_sync_at: null })
    .where(and(eq(zoteroLibraries.created_by, userId), ne(zoteroLibraries.synchronize, 'never')))
}

/**
 * Returns whether documents that came from a library were deleted in Lectern. If so, an import that a user requests reads all
 * items of the library, to add these documents again.
 */
export async function hasDeletedDocuments(tx: Tx, libraryId: string): Promise<boolean> {
  const rows = await tx
    .select({ id: zoteroItems.id })
    .from(zoteroItems)
    .leftJoin(documents, eq(documents.id, zoteroItems.document_id))
    .where(
      and(
        eq(zoteroItems.zotero_library_id, libraryId),
        sql`${zoteroItems.reference} <> '{}'`,
        or(sql`${documents.id} is null`, isNotNull(documents.deleted_at)),
      ),
    )
    .limit(1)
  return rows.length > 0
}

/** Locks the start of imports from Zotero into a project until the transaction ends, so that only one import starts. */
export async function lockZotero(tx: Tx, projectId: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`zotero ${projectId}`}, 0))`)
}

/**
 * Returns whether an import from Zotero into the project is queued or running. Must run as the database role that owns the
 * tables.
 */
export async function hasActiveImport(tx: Tx, projectId: string): Promise<boolean> {
  const isActive = inArray(jobs.status, ['queued', 'running'])
  const count = await tx.$count(jobs, and(eq(jobs.kind, 'zotero'), eq(jobs.project_id, projectId), isActive))
  return count > 0
}

const IS_DUE = sql`${zoteroLibraries.next_sync_at} <= now()`

/**
 * Returns up to `limit` libraries that are due for synchronization, except in deleted projects. Must run as the database role
 * that owns the tables.
 */
export const listDueLibraries = (tx: Tx, limit: number): Promise<Pick<StoredLibrary, 'id' | 'project_id'>[]> =>
  tx
    .select({ id: zoteroLibraries.id, project_id: zoteroLibraries.project_id })
    .from(zoteroLibraries)
    .innerJoin(projects, and(eq(projects.id, zoteroLibraries.project_id), isNull(projects.deleted_at)))
    .where(IS_DUE)
    .orderBy(zoteroLibraries.next_sync_at)
    .limit(limit)

/**
 * Sets the time of the next synchronization of a due library and returns the library; undefined if another process has done
 * so. `may` is false if the member whose Zotero key is used may no longer change the project. Must run as the database role
 * that owns the tables.
 */
export async function takeDueLibrary(tx: Tx, id: string): Promise<(StoredLibrary & { may: boolean }) | undefined> {
  const [row] = await tx
    .update(zoteroLibraries)
    .set({
      next_sync_at: sql`now() + case synchronize when 'hourly' then interval '1 hour' else interval '1 day' end`,
    })
    .where(and(eq(zoteroLibraries.id, id), IS_DUE))
    .returning({
      ...getTableColumns(zoteroLibraries),
      may: sql<boolean>`exists (select from project_members m join profiles p on p.id = m.user_id
        where m.project_id = zotero_libraries.project_id and m.user_id = zotero_libraries.created_by
        and p.disabled_at is null and 'edit' = any (app_rights(m.role)))`,
    })
  return row
}
