import { asActor } from '#server/db/client.ts'
import type { Actor } from '#server/db/actor.ts'
import type { LazyText } from '#server/texts/index.ts'
import { findDocumentText, measureDocumentText } from './queries.ts'

/** Returns a document's text, '' without one, which a worker loads when its task starts. */
export async function lazyText(actor: Actor, id: string): Promise<LazyText> {
  const size = await asActor(actor, (tx) => measureDocumentText(tx, id))
  return { size, load: async () => (await asActor(actor, (tx) => findDocumentText(tx, id))) ?? '' }
}
