import type { Actor } from '#server/db/actor.ts'
import { asActor, type Tx } from '#server/db/client.ts'
import type { LazyText } from '#server/texts/index.ts'
import { findDocumentText, measureDocumentText } from './queries.ts'

/**
 * A text up to this size in bytes is read at once: a worker that waits for the database is free for no other task, and the
 * texts of the largest queue of tasks have 256 MB then.
 */
const SMALL = 128 * 1024
/** A text of this size in bytes is read from the database once for several tasks. */
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
