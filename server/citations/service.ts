import type { Actor } from '#server/db/actor.ts'
import { asActor } from '#server/db/client.ts'
import { env } from '#server/lib/env.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import type { CitationInput, Citations, CitationStyles } from '#shared/contract/citations.ts'
import { format, listStyles } from './format.ts'
import { findCitedRows } from './queries.ts'
import { referenceOf } from './reference-of.ts'

/** Throws 'not_found' if CITATIONS is off, as for an address without a route. */
function requireCitations() {
  if (!env.CITATIONS) throw new AppError('not_found', 'There is nothing at this address.')
}

/** Returns all styles and languages. Throws 'not_found' if citations are off. */
export async function getStyles(): Promise<CitationStyles> {
  requireCitations()
  const { styles, locales } = await listStyles()
  return { data: styles, count: styles.length, locales }
}

/**
 * Cites documents in the given order. Throws 'not_found' if the caller cannot read one of them, and 'refused' for an
 * unknown style or language.
 */
export async function citeDocuments(actor: Actor, { ids, ...wanted }: CitationInput): Promise<Citations> {
  requireCitations()
  const rows = new Map((await asActor(actor, (tx) => findCitedRows(tx, ids))).map((row) => [row.id, row]))
  const items = [...new Set(ids)].map((id) => {
    const row = rows.get(id)
    if (!row) throw notFound('Document')
    return referenceOf(row)
  })
  const { intext, bibliography } = await format({ ...wanted, items })
  return { intext: intext[0] ?? '', bibliography }
}
