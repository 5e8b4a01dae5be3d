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
 * Starts to delete the files in the table `removed_files`, now and every minute. On the embedded database, which only one
 * process uses, files that a previous process was about to store are deleted at once.
 */
export async function startFileRemoval(): Promise<void> {
  if (database().embedded) await asSystem((tx) => hurryFiles(tx))
  timer = setInterval(removeNotedFiles, LOOK_MS)
  removeNotedFiles()
}

/** Stops the deletion of files. Waits until a running sweep (one pass over the table) has ended. */
export async function stopFileRemoval(): Promise<void> {
  clearInterval(timer)
  await sweeping
}

/**
 * Starts to delete the files in the table `removed_files`, and returns at once. If a file cannot be deleted, its deletion is
 * repeated every minute.
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
 * Deletes the files in the table `removed_files` before it returns. If a file cannot be deleted, its deletion is repeated every
 * minute.
 */
export const removeListedFiles = (): Promise<void> => sweep().catch(warn)

/**
 * Deletes the files `keys` before it returns. They must be in the table `removed_files`. A task that runs every minute
 * deletes the others: those beyond the first 200, those that cannot be deleted, and all files during a backup.
 */
export async function removeNow(keys: readonly string[]): Promise<void> {
  if (keys.length > 0) await removeSome(keys).catch(warn)
}

/**
 * Announces files that will be stored soon: adds them to the list of files to delete (the table `removed_files`), so that no
 * file stays without a row that refers to it. The transaction that writes this row must call `keepStoredFiles`. After a failure
 * call `giveUpFiles`.
 */
export const expectFiles = (keys: readonly string[]): Promise<void> => asSystem((tx) => noteComingFiles(tx, keys))

/**
 * Keeps stored files that `expectFiles` has announced: removes them from the list of files to delete (the table
 * `removed_files`). Call it in the transaction that writes the row that refers to the files. Throws 'conflict' if more than an
 * hour has passed since `expectFiles` for any of the files.
 */
export async function keepStoredFiles(tx: Tx, keys: readonly string[]): Promise<void> {
  if (!(await keepFiles(tx, keys)))
    throw new AppError('conflict', 'The file took too long to be stored. Please try again.')
}

/**
 * Deletes files after a failure of the transaction that writes their row. If this transaction was committed nevertheless, the
 * files stay.
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
