import type { Actor } from '#server/db/actor.ts'
import { asActor } from '#server/db/client.ts'
import type { LazyText } from '#server/texts/index.ts'
import { findDocumentText, findTextVersion, measureDocumentText } from './queries.ts'

/** A text of this size in bytes is read from the database once for several tasks. */
const LARGE = 256 * 1024

/** Returns a document's text ('' if it has none) as a function, which is called when the task of a worker starts. */
export async function lazyText(actor: Actor, id: string): Promise<LazyText> {
  const { size, version } = await asActor(actor, async (tx) => ({
    size: await measureDocumentText(tx, id),
    version: await findTextVersion(tx, id),
  }))
  return {
    size,
    load: async () => (await asActor(actor, (tx) => findDocumentText(tx, id))) ?? '',
    key: size > LARGE ? `${id} ${version}` : undefined,
  }
}
