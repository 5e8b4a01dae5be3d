import search from 'approx-string-match'
import type { PageText } from '../pdf-text/page-text.ts'
import { approximateHits, type Placed, verbatimHits } from './find-passage.ts'
import { normalizeWithMap } from './letters-and-digits.ts'
import { contextOf, notFound, type Place, placeAt } from './place-of.ts'
import { splitSentences } from './sentences.ts'

/** A quote with its place in an older text: its page, and the text before (`prefix`) and after it (`suffix`). */
export interface Anchor {
  quote: string
  prefix: string
  suffix: string
  /** Null if the older text had no pages. */
  page: number | null
}

/**
 * Number of characters before or after a place that are compared with the prefix or suffix of the quote. It is three times the
 * length of a prefix, because a running head can be between the place and the same words.
 */
const WINDOW = 96
/**
 * Minimum number of letters and digits of a prefix or suffix (the text before and after a quote). A shorter one is not compared
 * with the new text.
 */
const SHORTEST_CONTEXT = 4
/**
 * Weights in the choice of the place of a quote in a new text, if several places have similar words. CONTEXT_WEIGHT weights how
 * similar the text around a place is to the former text around the quote. Subtracted are OTHER_PAGE for a place on another page
 * than before, and EACH_PAGE for each page of distance, at most five. So a place with equal words but different text around it
 * ranks below a place with the score .75 and equal text around it.
 */
const CONTEXT_WEIGHT = 0.6
const OTHER_PAGE = 0.1
const EACH_PAGE = 0.01
/**
 * Minimum similarity of the text around a place on another page, or around a short quote on the former page. For unrelated
 * texts it is about .4.
 */
const LEAST_CONTEXT = 0.55
/** Minimum number of letters and digits of a long quote. Such a quote rarely occurs twice on a page. */
const LONG_QUOTE = 20

interface Candidate {
  hit: Placed
  /**
   * Similarity of the text around the hit to the text around the quote in the older text, 0 to 1; null if the prefix and the
   * suffix of the quote are too short to compare.
   */
  context: number | null
  distance: number
}

/**
 * Finds a quote of an older text in a new text of the same paper. Of several places it prefers the one with the most similar
 * text around it, then the page nearest to the former page. If the text around the best place is not similar to the former
 * text, the match is 'none', except for a long quote on its former page. A lost place is better than a wrong one: a user can
 * choose another place for it, but does not notice a wrong place.
 */
export function reanchor(pages: readonly PageText[], anchor: Anchor): Place {
  const quote = anchor.quote.trim()
  if (quote === '') return notFound(anchor.quote)
  const compared = (hits: readonly Placed[]) => hits.map((hit) => compare(pages, hit, anchor))
  const near = pages.filter(({ page }) => anchor.page !== null && Math.abs(page - anchor.page) <= 1)
  const verbatim = compared(verbatimHits(pages, quote))
  const letters = normalizeWithMap(quote).text.length
  // The former place may have an error of OCR while another place has the same words.
  const found =
    bestTrusted(verbatim.filter(isSamePlace), letters) ??
    bestTrusted([...verbatim, ...compared(approximateHits(near, quote))], letters) ??
    bestTrusted(compared(approximateHits(pages, quote)), letters)
  return found ? placeAt(pages, found.hit) : notFound(anchor.quote)
}

/**
 * Finds the words at places of an older text (`pages`) in a new text of the same paper (`newPages`). Returns the new places in
 * the order of `places`; `match` is 'none' for words that were not found.
 */
export function relocate(
  pages: readonly PageText[],
  newPages: readonly PageText[],
  places: readonly { page: number; start: number; end: number }[],
): Place[] {
  const textOf = new Map(pages.map(({ page, text }) => [page, text]))
  return places.map(({ page, start, end }) => {
    const text = textOf.get(page) ?? ''
    return reanchor(newPages, { quote: text.slice(start, end), ...contextOf(text, start, end), page })
  })
}

const isSamePlace = ({ context, distance }: Candidate) => distance === 0 && (context ?? 1) > 0.8

function compare(pages: readonly PageText[], hit: Placed, anchor: Anchor): Candidate {
  const at = pages.findIndex(({ page }) => page === hit.page)
  const { text } = pages[at]!
  const before = `${pages[at - 1]?.text ?? ''} ${text.slice(0, hit.start)}`.slice(-WINDOW)
  const after = `${text.slice(hit.end)} ${pages[at + 1]?.text ?? ''}`.slice(0, WINDOW)
  const sides = [similarity(before, anchor.prefix), similarity(after, anchor.suffix)].filter((side) => side !== null)
  return {
    hit,
    context: sides.length === 0 ? null : sides.reduce((sum, side) => sum + side, 0) / sides.length,
    distance: anchor.page === null ? 0 : Math.abs(hit.page - anchor.page),
  }
}

/**
 * Returns the similarity of `context`, a prefix or suffix, to the most similar part of a text, 0 to 1; null if `context` is too
 * short.
 */
function similarity(text: string, context: string): number | null {
  const pattern = normalizeWithMap(context).text
  if (pattern.length < SHORTEST_CONTEXT) return null
  const errors = search(normalizeWithMap(text).text, pattern, pattern.length - 1).map((match) => match.errors)
  return 1 - Math.min(pattern.length, ...errors) / pattern.length
}

/** Minimum similarity of a passage that is offered to the user for a lost quote. */
const LEAST_SIMILAR = 0.45
const MOST_SIMILAR = 5

/**
 * Returns up to five passages of whole sentences that are similar to a lost quote, or to the quote with the text around it,
 * most similar first.
 */
export function similarPlaces(pages: readonly PageText[], anchor: Anchor): Place[] {
  const { quote, prefix, suffix } = anchor
  const hits = [
    ...verbatimHits(pages, quote.trim()),
    ...approximateHits(pages, quote, LEAST_SIMILAR),
    ...approximateHits(pages, `${prefix}${quote}${suffix}`, LEAST_SIMILAR),
  ]
  const ranked = hits
    .map((hit) => compare(pages, hit, anchor))
    .map((candidate) => ({ hit: candidate.hit, rank: rankOf(candidate) }))
    .toSorted((one, other) => other.rank - one.rank)
  const chosen: Placed[] = []
  for (const { hit: part } of ranked) {
    const hit = wholeSentences(pages.find(({ page }) => page === part.page)!.text, part)
    const overlaps = chosen.some((one) => one.page === hit.page && one.start < hit.end && hit.start < one.end)
    if (!overlaps && chosen.length < MOST_SIMILAR) chosen.push(hit)
  }
  return chosen.map((hit) => placeAt(pages, hit))
}

/** Maximum length of whole sentences that are offered, in characters. Longer ones are spaces, tables or no sentences. */
const LONGEST_OFFERED = 20_000

/** Extends a place to the sentences that contain it. */
function wholeSentences(text: string, hit: Placed): Placed {
  const touched = splitSentences(text).filter(({ start, end }) => start < hit.end && hit.start < end)
  const [start, end] = [touched[0]?.start ?? hit.start, touched.at(-1)?.end ?? hit.end]
  return end - start > LONGEST_OFFERED ? hit : { ...hit, start, end }
}

const rankOf = ({ hit, context, distance }: Candidate) =>
  hit.score + CONTEXT_WEIGHT * (context ?? 0.5) - (distance === 0 ? 0 : OTHER_PAGE + EACH_PAGE * Math.min(distance, 5))

function bestTrusted(candidates: readonly Candidate[], letters: number): Candidate | null {
  const [best] = candidates
    .map((candidate) => ({ candidate, rank: rankOf(candidate) }))
    .toSorted((one, other) => other.rank - one.rank)
  if (!best) return null
  const { context, distance } = best.candidate
  const isKnown = (context ?? 1) >= LEAST_CONTEXT
  return isKnown || (distance === 0 && letters >= LONG_QUOTE) ? best.candidate : null
}
