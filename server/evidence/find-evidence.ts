import type { Actor } from '#server/db/actor.ts'
import { asActor } from '#server/db/client.ts'
import { documentOrThrow, lazyTextIn, searchedAbstract, withoutPage } from '#server/documents/index.ts'
import { findPlaces } from '#server/texts/index.ts'
import type { WantedPassage } from '#server/texts/index.ts'
import type { Evidence } from '#shared/contract/evidence.ts'

declare const found: unique symbol

/**
 * Evidence (a quote with its place in a paper) that the server has found in a text. Only `findEvidence` creates such a value,
 * and `storeEvidence` accepts no other evidence.
 */
export type FoundEvidence = Evidence & { readonly [found]: true }

/**
 * Finds quotes in the text of a document and returns their places in the given order. A paper without a text is searched
 * in its title and abstract; these places have no page. Throws 'not_found' if the caller cannot read the document.
 */
export async function findEvidence(
  actor: Actor,
  documentId: string,
  wanted: readonly WantedPassage[],
  signal?: AbortSignal,
): Promise<FoundEvidence[]> {
  const { document, abstract, text } = await asActor(actor, async (tx) => {
    const document = await documentOrThrow(tx, documentId, 'read')
    const abstract = searchedAbstract(document)
    return { document, abstract, text: abstract ?? (await lazyTextIn(tx, actor, documentId)) }
  })
  const places = await findPlaces({ person: actor.userId, signal }, text, wanted)
  return places.map((place) => {
    const { text_version } = document
    const evidence: Evidence = {
      document_id: documentId,
      text_version,
      ...(abstract === null ? place : withoutPage(place)),
    }
    return evidence as FoundEvidence
  })
}
