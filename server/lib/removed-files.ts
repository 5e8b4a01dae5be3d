import { asOwner } from '#server/db/client.ts'
import { log } from '#server/lib/log.ts'
import { storage } from '#server/lib/storage.ts'
import { forgetRemovedFiles, listRemovedFiles } from './removed-file-queries.ts'

export { noteRemovedFiles } from './removed-file-queries.ts'

const LOOK_MS = 60_000
const AT_ONCE = 200

let timer: NodeJS.Timeout | undefined
let sweeping: Promise<void> | undefined

/** Removes the files that were noted with `noteRemovedFiles`, now and every minute: also what an earlier process left. */
export function startFileRemoval(): void {
  timer = setInterval(removeNotedFiles, LOOK_MS)
  removeNotedFiles()
}

/** Lets the sweep that is under way end. */
export async function stopFileRemoval(): Promise<void> {
  clearInterval(timer)
  await sweeping
}

/** Begins to remove what is on the list; what cannot go now stays there for the next minute. */
export function removeNotedFiles(): void {
  sweeping ??= sweep()
    .catch((error: unknown) => log.warn({ err: error }, 'files that are no longer needed could not be removed yet'))
    .finally(() => (sweeping = undefined))
}

async function sweep(): Promise<void> {
  for (;;) {
    const keys = await asOwner((tx) => listRemovedFiles(tx, AT_ONCE))
    if (keys.length === 0) return
    for (const key of keys) await storage().remove(key)
    await asOwner((tx) => forgetRemovedFiles(tx, keys))
  }
}
