import type { Actor } from '#server/db/actor.ts'
import { asActor, type Tx } from '#server/db/client.ts'
import type { LazyText } from '#server/texts/index.ts'
import { findDocumentText, measureDocumentText } from './queries.ts'

/**
 * A text of up to this many bytes is read before its task is queued, because a worker that waits for the database can run no
 * other task. The texts of the longest possible queue then take 256 MB.
 */
const SMALL = 128 * 1024
/** A text of more than this many bytes is read from the database once for several tasks. */
const LARGE = 256 * 1024

/** Returns a document's text ('' if it has none) as a function. A large text is read when the task of a worker starts. */
export const lazyText = (actor: Actor, id: string): Promise<LazyText> =>
  asActor(actor, (tx) => lazyTextIn(tx, actor, id))

/** `lazyText` in a transaction of the caller. A large text is read in a transaction of its own. */
export async function lazyTextIn(tx: Tx, actor: Actor, id: string): Promise<LazyText> {
  const { bytes, version, text } = await measureDocumentText(tx, id, SMALL)
  return {
    size: bytes,
    load: async () => text ?? (await asActor(actor, (tx) => findDocumentText(tx, id))) ?? '',
    key: bytes > LARGE ? `${id} ${version}` : undefined,
  }
}
