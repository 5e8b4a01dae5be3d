import type { Actor } from '#server/db/actor.ts'
import { asActor } from '#server/db/client.ts'
import { documentOrThrow, lazyText } from '#server/documents/index.ts'
import { findPlaces } from '#server/texts/index.ts'
import type { WantedPassage } from '#server/texts/index.ts'
import type { Evidence } from '#shared/contract/evidence.ts'

/** Finds quotes in the text of a document, in the given order. Throws 'not_found' if the caller cannot read the document. */
export async function findEvidence(
  actor: Actor,
  documentId: string,
  wanted: readonly WantedPassage[],
  signal?: AbortSignal,
): Promise<Evidence[]> {
  const { text_version } = await asActor(actor, (tx) => documentOrThrow(tx, documentId, 'read'))
  const places = await findPlaces({ person: actor.userId, signal }, await lazyText(actor, documentId), wanted)
  return places.map((place) => ({ document_id: documentId, text_version, ...place }))
}
