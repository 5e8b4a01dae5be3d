import { and, asc, eq, getTableColumns, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { profiles } from '#server/db/tables/profiles.ts'
import { projects } from '#server/db/tables/projects.ts'
import { savedSearches } from '#server/db/tables/search.ts'

type NewRow = typeof savedSearches.$inferInsert
export type SavedRow = typeof savedSearches.$inferSelect

/** Returns the caller's saved searches of a project, oldest first. */
export const listSavedRows = (tx: Tx, projectId: string): Promise<SavedRow[]> =>
  tx
    .select()
    .from(savedSearches)
    .where(eq(savedSearches.project_id, projectId))
    .orderBy(asc(savedSearches.created_at), asc(savedSearches.id))

/** Inserts a saved search. */
export async function insertSavedRow(tx: Tx, values: NewRow): Promise<SavedRow> {
  const [row] = await tx.insert(savedSearches).values(values).returning()
  return row!
}

/** Changes a saved search of the caller and returns it; undefined if the caller has no saved search with this id. */
export async function updateSavedRow(tx: Tx, id: string, change: Partial<NewRow>): Promise<SavedRow | undefined> {
  const [row] = await tx.update(savedSearches).set(change).where(eq(savedSearches.id, id)).returning()
  return row
}

/** Returns a saved search of the caller and locks it until the transaction ends; undefined if there is none. */
export async function lockSavedRow(tx: Tx, id: string): Promise<SavedRow | undefined> {
  const [row] = await tx.select().from(savedSearches).where(eq(savedSearches.id, id)).for('update')
  return row
}

/** Deletes a saved search of the caller. Returns whether there was one. */
export async function deleteSavedRow(tx: Tx, id: string): Promise<boolean> {
  const { rowCount } = await tx.delete(savedSearches).where(eq(savedSearches.id, id))
  return (rowCount ?? 0) > 0
}

/**
 * Returns the saved search that is the next to be searched for new papers. Its e-mails are switched on, and its last search is
 * the oldest and more than a day ago. Returns undefined if there is none. Omits the ids `except`, deleted projects, and users
 * who are disabled or have switched off e-mails.
 */
export async function findDueSearch(tx: Tx, except: readonly string[]) {
  const [row] = await tx
    .select({ ...getTableColumns(savedSearches), email: profiles.email, project_name: projects.name })
    .from(savedSearches)
    .innerJoin(profiles, eq(profiles.id, savedSearches.created_by))
    .innerJoin(projects, eq(projects.id, savedSearches.project_id))
    .where(
      and(
        savedSearches.notify,
        sql`${savedSearches.last_notified_at} < now() - interval '1 day'`,
        sql`${profiles.email_notifications} and ${profiles.disabled_at} is null and ${projects.deleted_at} is null`,
        sql`not ${savedSearches.id} = any(${sql.param([...except])}::uuid[])`,
      ),
    )
    .orderBy(asc(savedSearches.last_notified_at))
    .limit(1)
  return row
}

/** Switches off the e-mails about new matches of a saved search. */
export async function stopNotifying(tx: Tx, id: string): Promise<void> {
  await tx
    .update(savedSearches)
    .set({ notify: false, last_notified_at: sql`now()` })
    .where(eq(savedSearches.id, id))
}

/**
 * Stores the time of a search for new papers, and the reported papers. Returns false, without a change, if the e-mails were
 * switched off or the stored time is not `last_notified_at` any more, for example because another server searched.
 */
export async function recordSearch(
  tx: Tx,
  { id, last_notified_at: before }: Pick<SavedRow, 'id' | 'last_notified_at'>,
  reported: string[],
): Promise<boolean> {
  const { rowCount } = await tx
    .update(savedSearches)
    .set({ last_notified_at: sql`now()`, reported })
    .where(
      and(
        eq(savedSearches.id, id),
        savedSearches.notify,
        // Times in the server have milliseconds.
        sql`date_trunc('milliseconds', ${savedSearches.last_notified_at}) = ${before}::timestamptz`,
      ),
    )
  return (rowCount ?? 0) > 0
}
