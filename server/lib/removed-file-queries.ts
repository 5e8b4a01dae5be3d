import { asc, inArray, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { removedFiles } from '#server/db/tables/removed-files.ts'

/** More parameters than this do not fit into one statement comfortably. */
const AT_ONCE = 1000

/** Notes files that are to go when `tx` commits. */
export async function noteRemovedFiles(tx: Tx, keys: readonly string[]): Promise<void> {
  for (let at = 0; at < keys.length; at += AT_ONCE)
    await tx
      .insert(removedFiles)
      .values(keys.slice(at, at + AT_ONCE).map((key) => ({ key })))
      .onConflictDoNothing()
}

/** The files that have waited longest; none while a backup copies what the rows of its moment name. */
export async function listRemovedFiles(tx: Tx, limit: number): Promise<string[]> {
  const lock = await tx.execute<{ free: boolean }>(
    sql`select pg_try_advisory_xact_lock(hashtext('lectern:files')) as free`,
  )
  if (!lock.rows[0]!.free) return []
  const rows = await tx
    .select({ key: removedFiles.key })
    .from(removedFiles)
    .orderBy(asc(removedFiles.created_at))
    .limit(limit)
  return rows.map(({ key }) => key)
}

/** Takes files off the list: they are gone. */
export async function forgetRemovedFiles(tx: Tx, keys: readonly string[]): Promise<void> {
  await tx.delete(removedFiles).where(inArray(removedFiles.key, [...keys]))
}
