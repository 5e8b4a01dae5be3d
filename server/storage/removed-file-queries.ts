import { and, asc, eq, exists, inArray, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { documents } from '#server/db/tables/documents.ts'
import { removedFiles } from '#server/db/tables/removed-files.ts'
import { withOwnerRole } from '#server/events/owner-role.ts'

/** Keys per statement: PostgreSQL bounds the number of parameters. */
const AT_ONCE = 1000
const now = sql`now()`

/** Lists files for deletion at the commit of `tx`, to which row-level security may apply. */
export const noteRemovedFiles = (tx: Tx, keys: readonly string[]): Promise<void> =>
  withOwnerRole(tx, () => noteFiles(tx, keys, now))

/**
 * Lists files that are about to be stored. They are deleted after an hour unless the transaction of their row removes
 * them from the list.
 */
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
 * Takes files off the list of files to delete, because a row written in `tx` refers to them. Returns how many of them
 * were on the list and are not due yet: a file that is due may be deleted already. Compares with `clock_timestamp()`,
 * because the transaction may have begun earlier.
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

/**
 * Makes listed files due now: those of `keys`, or all. Keys that are not listed are ignored, because rows refer to their files.
 */
export async function hurryFiles(tx: Tx, keys?: readonly string[]): Promise<void> {
  await tx
    .update(removedFiles)
    .set({ due_at: now })
    .where(keys && inArray(removedFiles.key, [...keys]))
}

/**
 * Prevents the removal of stored files until the transaction ends. A document that is inserted meanwhile can refer to the
 * file of another document, even if that document is removed before the commit.
 */
export async function lockStoredFiles(tx: Tx): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock_shared(hashtext('lectern:files'))`)
}

/**
 * Returns due files, longest waiting first, optionally of `keys` only. Returns none while a backup copies files or
 * documents are copied, and none that a running transaction is removing from the list. Files to which a document refers,
 * such as a copy of the removed one, leave the list.
 */
export async function listRemovedFiles(tx: Tx, limit: number, keys?: readonly string[]): Promise<string[]> {
  const lock = await tx.execute<{ free: boolean }>(
    sql`select pg_try_advisory_xact_lock(hashtext('lectern:files')) as free`,
  )
  if (!lock.rows[0]!.free) return []
  const due = and(sql`${removedFiles.due_at} <= now()`, keys && inArray(removedFiles.key, [...keys]))
  const inUse = exists(
    tx.select({ id: documents.id }).from(documents).where(eq(documents.source_url, removedFiles.key)),
  )
  await tx.delete(removedFiles).where(and(due, inUse))
  const rows = await tx
    .select({ key: removedFiles.key })
    .from(removedFiles)
    .where(due)
    .orderBy(asc(removedFiles.due_at))
    .limit(limit)
    .for('update', { skipLocked: true })
  return rows.map(({ key }) => key)
}

/** Removes deleted files from the list. */
export async function forgetRemovedFiles(tx: Tx, keys: readonly string[]): Promise<void> {
  await tx.delete(removedFiles).where(inArray(removedFiles.key, [...keys]))
}
