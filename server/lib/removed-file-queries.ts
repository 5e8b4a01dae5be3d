import { and, asc, inArray, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { removedFiles } from '#server/db/tables/removed-files.ts'
import { withOwnerRole } from './events/owner-role.ts'

/** More parameters than this do not fit into one statement comfortably. */
const AT_ONCE = 1000
const now = sql`now()`

/** Notes files that are to go when `tx` commits, which may be bound by row-level security. */
export const noteRemovedFiles = (tx: Tx, keys: readonly string[]): Promise<void> =>
  withOwnerRole(tx, () => noteFiles(tx, keys, now))

/** Notes files that are about to be stored: they go in an hour unless a row that names them takes them off the list. */
export const noteComingFiles = (tx: Tx, keys: readonly string[]): Promise<void> =>
  noteFiles(tx, keys, sql`now() + interval '1 hour'`)

async function noteFiles(tx: Tx, keys: readonly string[], due_at: typeof now) {
  for (let at = 0; at < keys.length; at += AT_ONCE)
    await tx
      .insert(removedFiles)
      .values(keys.slice(at, at + AT_ONCE).map((key) => ({ key, due_at })))
      .onConflictDoUpdate({ target: removedFiles.key, set: { due_at } })
}

/**
 * Takes files off the list whose row is written in `tx`, and answers how many were on it still. What is due is left: it may
 * be gone already. Asked by the clock, because the transaction may have begun before.
 */
export function keepFiles(tx: Tx, keys: readonly string[]): Promise<number> {
  return withOwnerRole(tx, async () => {
    const rows = await tx
      .delete(removedFiles)
      .where(and(inArray(removedFiles.key, [...keys]), sql`${removedFiles.due_at} > clock_timestamp()`))
      .returning({ key: removedFiles.key })
    return rows.length
  })
}

/** Has files that are on the list go now; those that are not belong to a row. */
export async function hurryFiles(tx: Tx, keys?: readonly string[]): Promise<void> {
  await tx
    .update(removedFiles)
    .set({ due_at: now })
    .where(keys && inArray(removedFiles.key, [...keys]))
}

/**
 * The files that are due, those that have waited longest first; of `keys` alone when they are given. None while a backup
 * copies what the rows of its moment name, and none that a transaction under way is taking off the list.
 */
export async function listRemovedFiles(tx: Tx, limit: number, keys?: readonly string[]): Promise<string[]> {
  const lock = await tx.execute<{ free: boolean }>(
    sql`select pg_try_advisory_xact_lock(hashtext('lectern:files')) as free`,
  )
  if (!lock.rows[0]!.free) return []
  const rows = await tx
    .select({ key: removedFiles.key })
    .from(removedFiles)
    .where(and(sql`${removedFiles.due_at} <= now()`, keys && inArray(removedFiles.key, [...keys])))
    .orderBy(asc(removedFiles.due_at))
    .limit(limit)
    .for('update', { skipLocked: true })
  return rows.map(({ key }) => key)
}

/** Takes files off the list: they are gone. */
export async function forgetRemovedFiles(tx: Tx, keys: readonly string[]): Promise<void> {
  await tx.delete(removedFiles).where(inArray(removedFiles.key, [...keys]))
}
