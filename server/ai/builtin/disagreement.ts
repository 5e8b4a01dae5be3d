import { searchTerms } from '#server/language/search-terms.ts'
import type { PaperPassage, PaperQuote } from './paper-passage.ts'
import type { Finding } from './read-findings.ts'
import { areOpposite, findingReader, sidesOf, subjectOf } from './sides.ts'

/** A sentence that an answer can quote, with its value for the question. */
export interface ValuedQuote extends PaperQuote {
  value: number
}

interface Candidates {
  /** The quotes of the answer, one for each paper, best first. */
  shown: readonly ValuedQuote[]
  /** All quotable sentences. */
  quotes: readonly ValuedQuote[]
  passages: readonly PaperPassage[]
  /** Maximum number of papers in the answer. */
  most: number
}

/** A quote of a paper with its finding about the question; null without one. */
interface Reported {
  quote: ValuedQuote
  finding: Finding | null
  /** The quote of the paper if its finding belongs to no side. */
  best: ValuedQuote
}

/** A paper replaces its quote by a sentence with a finding if the value of this sentence is at least this share. */
const NEAR_SHARE = 0.8
/** A paper that contradicts the answer is added if the value of its finding is at least this share of the highest value. */
const CONTRARY_SHARE = 0.5
/** Maximum number of papers that are added because they contradict the answer. */
const MOST_ADDED = 2

/**
 * Divides the quotes of an answer into the sides of a disagreement, and returns those of a side together and the quotes without
 * a side at the end. Adds up to two papers that contradict the answer, in place of the last papers if the answer is full.
 * Returns the quotes unchanged if no paper contradicts another. A paper with contradictory findings of its own belongs to no
 * side.
 */
export function quoteSides(question: string, { shown, quotes, passages, most }: Candidates): PaperQuote[] {
  const paperOf = ({ passage }: PaperQuote) => passages[passage]!.document_id
  const found = findByPaper(question, quotes, passages)
  const reports = shown.map((quote): Reported => {
    const own = found.get(paperOf(quote))?.find((one) => one.quote.value >= NEAR_SHARE * quote.value)
    return own ? { ...own, best: quote } : { quote, finding: null, best: quote }
  })
  const least = CONTRARY_SHARE * (shown[0]?.value ?? 0)
  const known = new Set(shown.map(paperOf))
  const others = [...found].flatMap(([id, [first]]) =>
    known.has(id) || !first || first.quote.value < least ? [] : [first],
  )
  const all = withContrary(reports, others, most)
  const sides = sidesOf(all)
  if (sides.every((side) => side === null)) return shown.map(({ passage, text }) => ({ passage, text }))
  const quoted = all.map(({ quote, best }, at) => {
    const { passage, text } = sides[at] ? quote : best
    return { passage, text, side: sides[at]! }
  })
  const names = [...new Set(sides.filter((side) => side !== null)), null]
  return names.flatMap((name) => quoted.filter(({ side }) => side === name))
}

/**
 * Returns the sentences of each paper with a finding about the question, best first. A paper that contradicts itself has none.
 */
function findByPaper(
  question: string,
  quotes: readonly ValuedQuote[],
  passages: readonly PaperPassage[],
): ReadonlyMap<string, (Reported & { finding: Finding })[]> {
  const read = findingReader(question)
  const papers = Map.groupBy(quotes, ({ passage }) => passages[passage]!.document_id)
  return new Map(
    [...papers].map(([id, own]) => {
      const texts = passages.filter(({ document_id }) => document_id === id)
      let terms: ReadonlySet<string> | undefined
      const paperTerms = () =>
        (terms ??= new Set(texts.flatMap(({ title, content }) => searchTerms(`${title ?? ''}\n${content}`))))
      const found = own.flatMap((quote) => {
        const finding = read(quote.text, paperTerms)
        return finding ? [{ quote, finding, best: quote }] : []
      })
      const isMixed = found.some((one) => found.some((other) => areOpposite(one.finding, other.finding)))
      return [id, isMixed ? [] : found.toSorted((one, other) => other.quote.value - one.quote.value)] as const
    }),
  )
}

/**
 * Adds up to MOST_ADDED papers that contradict a quote of the answer and report a direction that the answer lacks. If needed,
 * they replace the last papers, but not the first paper of each direction.
 */
function withContrary(shown: readonly Reported[], others: readonly Reported[], most: number): readonly Reported[] {
  const isShown = (other: Reported) => shown.some((one) => isSame(one, other))
  const added = others
    .filter((other) => !isShown(other) && shown.some((one) => isContrary(one, other)))
    .toSorted((one, other) => other.quote.value - one.quote.value)
    .slice(0, MOST_ADDED)
  const isFirst = (report: Reported) => report.finding !== null && shown.find((one) => isSame(one, report)) === report
  const last = shown.toReversed().filter((report) => !isFirst(report))
  const replaced = new Set(last.slice(0, Math.max(0, shown.length + added.length - most)))
  return [...shown.filter((report) => !replaced.has(report)), ...added].slice(0, most)
}

const isSame = ({ finding: one }: Reported, { finding: other }: Reported) =>
  one?.direction === other?.direction && (one && subjectOf(one)) === (other && subjectOf(other))

const isContrary = (one: Reported, other: Reported) =>
  one.finding !== null && other.finding !== null && areOpposite(one.finding, other.finding)
