import { asSystem } from '#server/db/client.ts'
import { findDocumentText, searchedAbstract, withoutPage } from '#server/documents/index.ts'
import { publish } from '#server/events/events.ts'
import { readersOf } from '#server/events/event-queries.ts'
import type { FailedDocument } from '#server/lib/recent-failures.ts'
import { reanchorQuotes } from '#server/texts/index.ts'
import { anchorOf, nextPlace } from './next-place.ts'
import { findStaleDocument, listStale, lockStale, readDocument, type StaleDocument, updateEvidence } from './queries.ts'

/** Maximum number of pieces of evidence whose quotes are searched together. This takes about a second in a long text. */
const PART = 100

/**
 * Returns a random document that has stale evidence (quotes not yet searched in its changed text), without the documents in
 * `except` whose text has not changed.
 */
export const findStale = (except: readonly FailedDocument[]): Promise<StaleDocument> =>
  asSystem((tx) => findStaleDocument(tx, except))

/**
 * Searches for some of the stale quotes of a document (quotes that were found in an older text) in its current text, and stores
 * their new places. If the text changes meanwhile, stores nothing, and the quotes stay stale.
 */
export async function reanchorPart(document: NonNullable<StaleDocument>, signal: AbortSignal): Promise<void> {
  const rows = await asSystem((tx) => listStale(tx, document.id, PART))
  const ids = rows.map(({ id }) => id)
  const abstract = searchedAbstract(document)
  const text = abstract ?? {
    size: document.text_bytes,
    load: async () => (await asSystem((tx) => findDocumentText(tx, document.id))) ?? '',
  }
  // Not the queue of the user's own requests: the loop, and so all other documents, would wait for all of them.
  const person = `evidence ${document.owner_id}`
  const places = await reanchorQuotes({ signal, person }, text, rows.map(anchorOf))
  await asSystem(async (tx) => {
    const now = await readDocument(tx, document.id)
    if (!now || now.text_version !== document.text_version || searchedAbstract(now) !== abstract) return
    // Another server may have searched some of them, or a user may have chosen their places.
    const stale = new Map((await lockStale(tx, document.id, ids)).map((row) => [row.id, row]))
    const until = new Date().toISOString()
    for (const [index, id] of ids.entries()) {
      const row = stale.get(id)
      if (!row) continue
      const place = abstract === null ? places[index]! : withoutPage(places[index]!)
      await updateEvidence(tx, id, nextPlace(row, place, { textVersion: document.text_version, until }))
    }
    await publish(tx, readersOf(now), {
      event: 'document',
      data: { id: now.id, project_id: now.project_id, change: 'updated' },
    })
  })
}
