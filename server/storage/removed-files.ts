import { asSystem, database, type Tx } from '#server/db/client.ts'
import { AppError } from '#server/lib/errors.ts'
import { log } from '#server/lib/log.ts'
import { storage } from './storage.ts'
import { forgetRemovedFiles, hurryFiles, keepFiles, listRemovedFiles, noteComingFiles } from './removed-file-queries.ts'

export { lockStoredFiles, noteRemovedFiles } from './removed-file-queries.ts'

const LOOK_MS = 60_000
const AT_ONCE = 200

let timer: NodeJS.Timeout | undefined
let sweeping: Promise<void> | undefined
let again = false

/**
 * Deletes the files in the table `removed_files`, now and every minute, including those of an earlier process. The
 * embedded database has one process, so files that an earlier process was about to store are due at once.
 */
export async function startFileRemoval(): Promise<void> {
  if (database().embedded) await asSystem((tx) => hurryFiles(tx))
  timer = setInterval(removeNotedFiles, LOOK_MS)
  removeNotedFiles()
}

/** Waits for the running sweep and stops. */
export async function stopFileRemoval(): Promise<void> {
  clearInterval(timer)
  await sweeping
}

/**
 * Starts to delete the files in the table `removed_files`, and returns at once. A file that cannot be deleted is tried
 * again every minute.
 */
export function removeNotedFiles(): void {
  if (sweeping) {
    again = true
    return
  }
  again = false
  sweeping = sweep()
    .catch(warn)
    .finally(() => {
      sweeping = undefined
      if (again) removeNotedFiles()
    })
}

/**
 * Deletes the files in the table `removed_files` before it returns. A file that cannot be deleted is tried again every
 * minute.
 */
export const removeListedFiles = (): Promise<void> => sweep().catch(warn)

/**
 * Deletes these files before it returns; they must be in the table `removed_files`. Files beyond the first 200, files that cannot
 * be deleted, and all files during a backup are left to the sweep of every minute.
 */
export async function removeNow(keys: readonly string[]): Promise<void> {
  if (keys.length > 0) await removeSome(keys).catch(warn)
}

/**
 * Lists files that are about to be stored, so that none remains without a row. The transaction that writes the row
 * calls `keepStoredFiles`; after a failure call `giveUpFiles`.
 */
export const expectFiles = (keys: readonly string[]): Promise<void> => asSystem((tx) => noteComingFiles(tx, keys))

/**
 * Removes files from the table `removed_files`, in the transaction that writes the row to which they belong. Throws
 * 'conflict' if they were not stored within an hour of `expectFiles`.
 */
export async function keepStoredFiles(tx: Tx, keys: readonly string[]): Promise<void> {
  if ((await keepFiles(tx, keys)) === 0)
    throw new AppError('conflict', 'The file took too long to be stored. Please try again.')
}

/**
 * Deletes files after a failure of the transaction that writes their row. If that transaction was committed, the files
 * remain.
 */
export async function giveUpFiles(keys: readonly string[]): Promise<void> {
  await asSystem((tx) => hurryFiles(tx, keys)).catch(warn)
  await removeNow(keys)
}

async function sweep(): Promise<void> {
  while ((await removeSome()) > 0);
}

async function removeSome(some?: readonly string[]): Promise<number> {
  const keys = await asSystem((tx) => listRemovedFiles(tx, AT_ONCE, some))
  if (keys.length === 0) return 0
  const removed: string[] = []
  const failures: unknown[] = []
  for (const key of keys)
    await storage()
      .remove(key)
      .then(
        () => removed.push(key),
        (error: unknown) => failures.push(error),
      )
  if (removed.length > 0) await asSystem((tx) => forgetRemovedFiles(tx, removed))
  // A failure does not stop the deletion of the other files. The file is tried again a minute later.
  if (failures.length > 0) throw failures[0]
  return removed.length
}

const warn = (error: unknown) => log.warn({ err: error }, 'files that are no longer needed could not be removed yet')
