import { and, asc, eq, exists, inArray, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { documents } from '#server/db/tables/documents.ts'
import { removedFiles } from '#server/db/tables/removed-files.ts'
import { withOwnerRole } from '#server/events/owner-role.ts'

/** Number of keys in one statement. PostgreSQL limits the number of parameters. */
const AT_ONCE = 1000
const now = sql`now()`

/**
 * Adds files to the table `removed_files`, so that they are deleted after the commit of `tx`. Row-level security may apply to
 * `tx`.
 */
export const noteRemovedFiles = (tx: Tx, keys: readonly string[]): Promise<void> =>
  withOwnerRole(tx, () => noteFiles(tx, keys, now))

/**
 * Schedules the deletion of files that will be stored soon: adds the files to the table `removed_files`, with a time of
 * deletion in an hour. To keep a file, the transaction that writes the row that refers to it must remove the file from this
 * table.
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
 * Cancels the deletion of files, because `tx` writes a row that refers to them. Deletes the rows of the files in the table
 * `removed_files`. The row of a file whose time of deletion has come stays, because the file may already be deleted. Compares
 * with `clock_timestamp()`, because `now()` is the start of the transaction. Returns false if the row of a file stays, or if no
 * file has a row; the caller must then roll `tx` back.
 */
export function keepFiles(tx: Tx, keys: readonly string[]): Promise<boolean> {
  const isWanted = inArray(removedFiles.key, [...keys])
  return withOwnerRole(tx, async () => {
    const kept = await tx
      .delete(removedFiles)
      .where(and(isWanted, sql`${removedFiles.due_at} > clock_timestamp()`))
      .returning({ key: removedFiles.key })
    const due = await tx.select({ key: removedFiles.key }).from(removedFiles).where(isWanted).limit(1)
    return kept.length > 0 && due.length === 0
  })
}

/**
 * Changes the time of deletion of files in the table `removed_files` to now: of the files `keys`, or of all files if `keys` is
 * undefined. Ignores keys that are not in the table: these files must stay, because rows refer to them.
 */
export async function hurryFiles(tx: Tx, keys?: readonly string[]): Promise<void> {
  await tx
    .update(removedFiles)
    .set({ due_at: now })
    .where(keys && inArray(removedFiles.key, [...keys]))
}

/**
 * Prevents the deletion of stored files until the transaction ends. A document that is inserted in the transaction can then
 * refer to the file of another document, even if that document is deleted before the commit.
 */
export async function lockStoredFiles(tx: Tx): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock_shared(hashtext('lectern:files'))`)
}

/**
 * Returns up to `limit` due files of the table `removed_files`, the longest waiting first. With `keys`, returns only these
 * files. Returns none while a backup copies files or documents are copied. Omits files that a running transaction is removing
 * from the table. Deletes the rows of files to which a document still refers.
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

/** Deletes the rows of files in the table `removed_files`, after the files have been deleted. */
export async function forgetRemovedFiles(tx: Tx, keys: readonly string[]): Promise<void> {
  await tx.delete(removedFiles).where(inArray(removedFiles.key, [...keys]))
}
