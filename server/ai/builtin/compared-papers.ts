import { isEnglishQuestion } from '#server/language/english.ts'
import { searchTerms } from '#server/language/search-terms.ts'
import type { PaperPassage } from './paper-passage.ts'

/** Matches the words between the two things that a question compares. The first pattern that matches counts. */
const JOINS: readonly RegExp[] = [
  / (?:compared (?:with|to)|versus|vs\.?|(?:else |other )?than|as (?:\p{Ll}+ )?as) /iu,
  / or /i,
  /,? and /i,
]
/** Matches words that compare. Without one, 'and' does not join two compared things. */
const COMPARES =
  /\b(?:agree|apart|between|both|compar\p{Ll}+|contrast\p{Ll}*|differ\p{Ll}*|each|same|similar|which of)\b|\b(?:more|less|fewer|\p{Ll}{2,}er)\b|how much .* and how much/iu
/**
 * A paper is added for a compared thing if the quoted papers contain less than this share of the words that the paper contains
 * (by IDF).
 */
const MOST_KNOWN = 0.75
/** A paper is added only if it contains at least this share of the words of the compared thing (by IDF). */
const LEAST_COVERED = 0.4
/** A paper is added only if the value of its best quote is at least this share of the highest value. */
const LEAST_VALUE = 0.4

/**
 * Returns the two parts of an English question that compares two things: 'Which study was longer, the walks' and 'the stair
 * training'. Returns an empty list for other questions.
 */
export function comparedParts(question: string): string[] {
  if (!isEnglishQuestion(question)) return []
  for (const [at, join] of JOINS.entries()) {
    const found = join.exec(question)
    if (!found || (at === 2 && !COMPARES.test(question))) continue
    return [question.slice(0, found.index), question.slice(found.index + found[0].length)]
  }
  return []
}

/**
 * Returns the quotes `shown` of an answer, and for each thing that the question compares the best quote of the paper about it,
 * if no shown paper is about this thing. `papers` are the best quotes of all papers, best first, and `weights` the IDF of the
 * terms of the question. Returns at most `most` quotes: a quote that is added replaces the last one.
 */
export function withCompared<T extends { passage: number; value: number }>(
  question: string,
  { shown, papers, passages, weights, most }: Choice<T>,
): T[] {
  const idf = new Map(weights)
  const terms = new Map<string, Set<string>>()
  for (const { document_id: id, title, content } of passages)
    terms.set(id, new Set([...(terms.get(id) ?? []), ...searchTerms(`${title ?? ''}\n${content}`)]))
  const near = papers.filter(({ value }) => value >= LEAST_VALUE * papers[0]!.value)
  const added = comparedParts(question).flatMap((part) => {
    const asked = [...new Set(searchTerms(part))].filter((term) => idf.has(term))
    // One common word does not identify a thing.
    if (asked.length < 2 && !/\p{Lu}/u.test(part)) return []
    const sumOf = (list: readonly string[]) => list.reduce((sum, term) => sum + idf.get(term)!, 0)
    const coveredBy = ({ passage }: T) => {
      const known = terms.get(passages[passage]!.document_id)!
      return sumOf(asked.filter((term) => known.has(term)))
    }
    const best = near.toSorted((a, b) => coveredBy(b) - coveredBy(a))[0]
    if (!best || coveredBy(best) < LEAST_COVERED * sumOf(asked)) return []
    const known = Math.max(0, ...shown.map(coveredBy))
    return known < MOST_KNOWN * coveredBy(best) ? [best] : []
  })
  const missing = [...new Set(added)]
  return [...shown.slice(0, most - missing.length), ...missing]
}

interface Choice<T> {
  shown: readonly T[]
  papers: readonly T[]
  passages: readonly PaperPassage[]
  weights: readonly (readonly [term: string, idf: number])[]
  most: number
}
