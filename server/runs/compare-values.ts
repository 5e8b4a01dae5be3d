import type { ComparedRow, ComparedValue, DiffPart, RunValue } from '#shared/contract/runs.ts'
import { compareWords } from '#shared/text/compare-words.ts'

/** The values of the two runs (recorded analyses or answers) to compare. */
export interface ComparedInput {
  one: readonly RunValue[]
  other: readonly RunValue[]
  /** The texts of the prompts of both runs (recorded analyses or answers). */
  prompts: { one: string; other: string }
}

/** The result of a comparison. `prompts` is null if the prompts are equal. */
export interface Compared {
  rows: Row[]
  prompts: { one: DiffPart[]; other: DiffPart[] } | null
}

type Row = Omit<ComparedRow, 'why_missing'>

/** Minimum share of common words (0 to 1) at which two values with the same key are shown as a pair. */
const LEAST_COMMON = 0.3

/**
 * Compares the values and the prompts of two runs (recorded analyses or answers) word by word. The rows of the result have the
 * order of the values of the run `one`.
 */
export function compareValues({ one, other, prompts }: ComparedInput): Compared {
  const [ofOne, ofOther] = [Map.groupBy(one, ({ key }) => key), Map.groupBy(other, ({ key }) => key)]
  const keys = [...new Set([...ofOne.keys(), ...ofOther.keys()])]
  return {
    rows: keys.flatMap((key) => pair(ofOne.get(key) ?? [], ofOther.get(key) ?? []).map(compareRow)),
    prompts: prompts.one === prompts.other ? null : compareWords(prompts.one, prompts.other),
  }
}

type Pair = [one: RunValue | undefined, other: RunValue | undefined]

/**
 * Pairs values of both runs (recorded analyses or answers) that have the same key: first values with equal texts, then the most
 * similar values. A value without a partner is paired with undefined.
 */
function pair(one: readonly RunValue[], other: readonly RunValue[]): Pair[] {
  if (one.length === 1 && other.length === 1) return [[one[0], other[0]]]
  const partner = new Map<RunValue, RunValue>()
  const free = new Set(other)
  for (const value of one) {
    const same = [...free].find(({ text }) => text === value.text)
    if (!same) continue
    partner.set(value, same)
    free.delete(same)
  }
  const candidates = one
    .filter((value) => !partner.has(value))
    .flatMap((value) => [...free].map((found) => ({ value, found, common: commonShare(value.text, found.text) })))
    .filter(({ common }) => common >= LEAST_COMMON)
    .toSorted((first, second) => second.common - first.common)
  for (const { value, found } of candidates) {
    if (partner.has(value) || !free.has(found)) continue
    partner.set(value, found)
    free.delete(found)
  }
  return [
    ...one.map((value): Pair => [value, partner.get(value)]),
    ...[...free].map((value): Pair => [undefined, value]),
  ]
}

/** Returns the Dice coefficient of the sets of words of two texts: 1 for equal sets, 0 without a common word. */
function commonShare(one: string, other: string): number {
  const [a, b] = [wordsOf(one), wordsOf(other)]
  return a.size + b.size === 0 ? 0 : (2 * [...a].filter((word) => b.has(word)).length) / (a.size + b.size)
}
const wordsOf = (text: string) => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu))

function compareRow([one, other]: Pair): Row {
  const { label, of } = (one ?? other)!
  if (!one || !other)
    return {
      state: one ? 'only one' : 'only other',
      has_other_quotes: (one ?? other)!.evidence.length > 0,
      label,
      of,
      one: one ? whole(one) : null,
      other: other ? whole(other) : null,
    }
  const text = compareWords(one.text, other.text)
  const quotes = one.evidence.map(({ quote }, at) => compareWords(quote, other.evidence[at]?.quote ?? ''))
  const rest = other.evidence.slice(one.evidence.length).map(({ quote }) => compareWords('', quote))
  const compared = {
    one: { text: text.one, evidence: one.evidence.map((place, at) => placed(place, quotes[at]!.one)) },
    other: {
      text: text.other,
      evidence: other.evidence.map((place, at) => placed(place, (quotes[at] ?? rest[at - quotes.length]!).other)),
    },
  }
  return {
    state: one.text === other.text ? 'equal' : 'changed',
    has_other_quotes: quotesOf(one) !== quotesOf(other),
    label,
    of,
    ...compared,
  }
}

const quotesOf = ({ evidence }: RunValue) => JSON.stringify(evidence.map(({ quote }) => quote))

/** Returns a value that only one run has, with all of its text marked as different. */
const whole = ({ text, evidence }: RunValue): ComparedValue => ({
  text: [{ text, differs: true }],
  evidence: evidence.map((place) => placed(place, [{ text: place.quote, differs: true }])),
})

const placed = (
  { document_id, page, start, end, match }: RunValue['evidence'][number],
  quote: DiffPart[],
): ComparedValue['evidence'][number] => ({ document_id, page, start, end, match, quote })
