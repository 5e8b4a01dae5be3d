import type { FormerPlace } from '#server/db/stored-evidence.ts'
import type { Place } from '#shared/passages/place-of.ts'
import type { Anchor } from '#shared/passages/reanchor.ts'
import type { EvidenceRow } from './queries.ts'

/** Maximum number of former places of evidence that are stored: the first place and the newest ones. */
const MOST_PLACES = 20

type Known = Pick<EvidenceRow, keyof Place | 'text_version' | 'lost' | 'history'>

/**
 * Returns the words to search for in a new text: those of the first place, or of the place that a user chose last. The words of
 * later places are not used, because they can contain errors of an extracted text.
 */
export function anchorOf({ history, ...now }: Known): Anchor {
  const chosen = history.findLastIndex(({ replaced_by_user }) => replaced_by_user)
  const { quote, prefix, suffix, page } = history[chosen + 1] ?? now
  return { quote, prefix, suffix, page }
}

/**
 * Returns the new values of a row of the evidence table after a search for its quote in a version of the text. If the found
 * place differs from the stored one, the stored place is added to the history with `until`, the ISO time until which it was
 * valid. `isChosen`: a user chose the new place.
 */
export function nextPlace(
  row: Known,
  place: Place,
  { textVersion, until, isChosen }: { textVersion: number; until: string; isChosen?: true },
) {
  const isFound = place.match !== 'none'
  const isSame = (['page', 'start', 'end', 'quote'] as const).every((name) => row[name] === place[name])
  const hadPlace = row.match !== 'none'
  const { quote, prefix, suffix } = isFound ? place : row
  return {
    ...place,
    quote,
    prefix,
    suffix,
    text_version: textVersion,
    lost: !isFound && (row.lost || hadPlace),
    is_stale: false,
    history: hadPlace && !isSame ? withPlace(row, until, isChosen) : markedChosen(row.history, isChosen),
  }
}

function withPlace({ history, ...row }: Known, until: string, isChosen?: true): FormerPlace[] {
  const { text_version, page, start, end, quote, prefix, suffix, match, score } = row
  const former = { text_version, page, start, end, quote, prefix, suffix, match, score, until }
  const places = [...history, { ...former, ...(isChosen ? { replaced_by_user: true as const } : {}) }]
  return places.length > MOST_PLACES ? [places[0]!, ...places.slice(1 - MOST_PLACES)] : places
}

/**
 * Marks the last entry of the history as replaced by the user, if `isChosen` is set. The last place of lost evidence is already
 * in the history, so no entry is added.
 */
const markedChosen = (history: FormerPlace[], isChosen?: true): FormerPlace[] =>
  isChosen
    ? history.map((former, index) =>
        index === history.length - 1 ? { ...former, replaced_by_user: true as const } : former,
      )
    : history
