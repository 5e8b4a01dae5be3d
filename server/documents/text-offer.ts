import { asActor } from '#server/db/client.ts'
import type { Actor } from '#server/db/actor.ts'
import { notFound } from '#server/lib/errors.ts'
import type { DocumentDetail } from '#shared/contract/documents.ts'
import { storable } from '#shared/text/storable-text.ts'
import { presentDocument } from './present.ts'
import { findDocumentText, findOfferedText } from './queries.ts'
import { type ExtractedForDocument, saveExtractedText } from './results.ts'
import { lockedOrThrow, publishChange, type StillRunning } from './rows.ts'
import { updateDocumentRow } from './write-queries.ts'

/**
 * Stores an OCR text that is poorer than the document's current text, so that the user can choose one of them. The current text
 * stays unchanged, and the status becomes 'completed'. `letters` has the numbers of letters and digits of both texts.
 */
export function offerText(
  actor: Actor,
  id: string,
  extracted: ExtractedForDocument,
  letters: { letters: number; currentLetters: number },
  assertStillRunning: StillRunning,
): Promise<void> {
  return asActor(actor, async (tx) => {
    await assertStillRunning(tx)
    const row = await updateDocumentRow(tx, await lockedOrThrow(tx, id), {
      offered_text: storable({ ...extracted, letters: letters.letters, current_letters: letters.currentLetters }),
      status: 'completed',
      status_message: null,
    })
    await publishChange(tx, row, 'updated')
  })
}

/**
 * Stores the user's choice between a document's current text and the offered text (a text by OCR that is poorer than the
 * current text). 'offered' replaces the current text; 'current' only removes the offered text. Throws 'not_found' if `use` is
 * 'offered' and there is no offered text.
 */
export async function chooseText(actor: Actor, id: string, use: 'current' | 'offered'): Promise<DocumentDetail> {
  const chosen = await asActor(actor, async (tx) => {
    const before = await lockedOrThrow(tx, id)
    if (use === 'offered') {
      const offered = await findOfferedText(tx, id)
      if (!offered) throw notFound('Offered text')
      return { offered }
    }
    const row = await updateDocumentRow(tx, before, { offered_text: null })
    await publishChange(tx, row, 'updated')
    return { document: presentDocument(row, await findDocumentText(tx, id)) }
  })
  return chosen.document ?? saveExtractedText(actor, id, chosen.offered)
}
