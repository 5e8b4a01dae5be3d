import type { Actor } from '#server/db/actor.ts'
import { asActor, type Tx } from '#server/db/client.ts'
import type { LazyText } from '#server/texts/index.ts'
import { findDocumentText, measureDocumentText } from './queries.ts'

/**
 * Maximum number of bytes of a text that is read before its task is queued. A worker that waits for the database cannot run
 * another task, so small texts are read early. The texts of the longest possible queue occupy 256 MB of memory.
 */
const SMALL = 128 * 1024
/** Minimum size in bytes of a text that a worker caches for several tasks, so that it is read from the database only once. */
const LARGE = 256 * 1024

/**
 * Returns the size of a document's text in bytes, the version of the text, and a function that loads it ('' if there is no
 * text). A large text is read only when the function is called, and can then be newer.
 */
export const lazyText = (actor: Actor, id: string): Promise<LazyText & { version: number }> =>
  asActor(actor, (tx) => lazyTextIn(tx, actor, id))

/**
 * Returns the size of a document's text in bytes, the version of the text, and a function that loads it ('' if there is no
 * text). A small text is read in the transaction `tx`. A large text is read only when the function is called, in a separate
 * transaction, and can then be newer.
 */
export async function lazyTextIn(tx: Tx, actor: Actor, id: string): Promise<LazyText & { version: number }> {
  const { bytes, version = 0, text } = await measureDocumentText(tx, id, SMALL)
  return {
    size: bytes,
    version,
    load: async () => text ?? (await asActor(actor, (tx) => findDocumentText(tx, id))) ?? '',
    key: bytes > LARGE ? `${id} ${version}` : undefined,
  }
}
