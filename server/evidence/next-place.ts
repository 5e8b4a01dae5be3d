import type { FormerPlace } from '#server/db/stored-evidence.ts'
import type { Place } from '#shared/passages/place-of.ts'
import type { Anchor } from '#shared/passages/reanchor.ts'
import type { EvidenceRow } from './queries.ts'

/** Former places that are stored: the first one and the newest ones. */
const MOST_PLACES = 20

type Known = Pick<EvidenceRow, keyof Place | 'text_version' | 'lost' | 'history'>

/**
 * Returns the words to search in a new text: those at the first place, or at the place that a user chose last, so that errors
 * of one text do not remain in the next ones.
 */
export function anchorOf({ history, ...now }: Known): Anchor {
  const chosen = history.findLastIndex(({ replaced_by_user }) => replaced_by_user)
  const { quote, prefix, suffix, page } = history[chosen + 1] ?? now
  return { quote, prefix, suffix, page }
}

/** Returns the columns of evidence after a search in a version of the text. The former place is added to the history. */
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

/** The last place of lost evidence is in the history already, so only this entry is marked as replaced by the user. */
const markedChosen = (history: FormerPlace[], isChosen?: true): FormerPlace[] =>
  isChosen
    ? history.map((former, index) =>
        index === history.length - 1 ? { ...former, replaced_by_user: true as const } : former,
      )
    : history
