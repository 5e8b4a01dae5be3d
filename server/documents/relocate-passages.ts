import type { Actor } from '#server/db/actor.ts'
import { relocatePlaces } from '#server/texts/index.ts'
import type { FoundPassage, Passage } from '#shared/contract/passages.ts'
import { normalizeWithMap } from '#shared/passages/letters-and-digits.ts'
import type { Place } from '#shared/passages/place-of.ts'
import { lazyText } from './lazy-text.ts'

/** Minimum number of letters and digits of a long quote. A long quote rarely occurs twice in a text. */
const LONG_QUOTE = 40

/**
 * Corrects the places of quotes (`found`) that were found in a new text of a document. A quote can occur several times in a
 * text. So the place of the quote in the current text (`former`) is used: the corresponding place in the new text is the one
 * with the same surrounding text.
 */
export async function relocatePassages(
  actor: Actor,
  documentId: string,
  newText: string,
  former: readonly (Passage | undefined)[],
  found: readonly FoundPassage[],
): Promise<FoundPassage[]> {
  const known = former.flatMap((passage, index) => {
    if (!passage) return []
    const { page, start, end } = passage
    return page === null || start === null || end === null ? [] : [{ index, passage, place: { page, start, end } }]
  })
  if (known.length === 0) return [...found]
  const current = await lazyText(actor, documentId)
  const places = await relocatePlaces(
    { person: actor.userId },
    current,
    newText,
    known.map(({ place }) => place),
  )
  const corrected = new Map(
    known.map(({ index, passage }, at) => [index, correctedPlace(passage, places[at]!, found[index]!)]),
  )
  return found.map((one, index) => corrected.get(index) ?? one)
}

function correctedPlace(former: Passage, place: Place, found: FoundPassage): FoundPassage {
  if (place.match === 'none') return isCertain(former, found) ? found : { ...found, ...NOWHERE }
  if (found.page === place.page && found.start! < place.end! && place.start! < found.end!) return found
  const { page, start, end } = place
  // The words at the former place may differ from the quote already.
  const weaker = former.score < place.score || former.match === 'approximate' ? former : place
  return { quote: found.quote, page, start, end, match: weaker.match, score: weaker.score }
}

const NOWHERE = { page: null, start: null, end: null, match: 'none', score: 0 } as const

/**
 * Returns whether a found quote is certainly at the right place: its match is 'exact' or 'letters', and it is on the former
 * page or long.
 */
const isCertain = (former: Passage, { match, page, quote }: FoundPassage) =>
  (match === 'exact' || match === 'letters') &&
  (page === former.page || normalizeWithMap(quote ?? '').text.length >= LONG_QUOTE)
