import { asksForAgreement } from '#server/language/agreement-question.ts'
import { searchTerms } from '#server/language/search-terms.ts'
import { asksForEffect } from './question-kind.ts'
import { type Direction, type Finding, readFindings } from './read-findings.ts'
import { differIn, ofTreatment, outcomePart } from './treatment.ts'

/** Returns whether an answer to a question can have a side for each result: it asks for an effect, or whether studies agree. */
export const asksForSides = (question: string): boolean => asksForEffect(question) || asksForAgreement(question)

const OPPOSITE: Readonly<Record<Direction, readonly Direction[]>> = {
  increase: ['decrease', 'none', 'no increase'],
  decrease: ['increase', 'none', 'no decrease'],
  better: ['worse', 'none', 'no better'],
  worse: ['better', 'none', 'no worse'],
  none: ['increase', 'decrease', 'better', 'worse'],
  'no increase': ['increase'],
  'no decrease': ['decrease'],
  'no better': ['better'],
  'no worse': ['worse'],
}

/** Returns whether two findings about one outcome contradict each other. 'No decrease' does not contradict an increase. */
export const areOpposite = (one: Finding, other: Finding): boolean =>
  one.outcome.key === other.outcome.key &&
  OPPOSITE[one.direction].includes(other.direction) &&
  !differIn(one.agents.join(' '), other.agents.join(' '))

const SUBGROUP =
  /\b(?:in|among|for|of) (?:the )?(?:\w+ )?(wom[ae]n|men|boys|girls|males?|females?|smokers|nonsmokers|diabetics|patients with|participants with|those)\b/i

/**
 * Returns the finding of a sentence that answers a question, or null. Its outcome has at least half of its terms in the
 * question, and it is about the treatment of the question. `paperTerms` are the search terms of the paper, for a sentence that
 * does not name the treatment. A comparison with the treatment on the other side ('was higher with placebo than with
 * melatonin') is reversed. Null also if the sentence has several such findings.
 */
export function findingOn(question: string, sentence: string, paperTerms: ReadonlySet<string>): Finding | null {
  const asked = new Set(searchTerms(outcomePart(question)))
  const subgroup = SUBGROUP.exec(sentence)?.[1]
  if (subgroup !== undefined && !searchTerms(subgroup).every((term) => asked.has(term))) return null
  const found = readFindings(sentence).flatMap((finding) => {
    const { terms } = finding.outcome
    if (terms.filter((term) => asked.has(term)).length < terms.length / 2) return []
    if (finding.outcome.head.some((term) => !asked.has(term))) return []
    return ofTreatment(finding, question, paperTerms) ?? []
  })
  return found.length === 1 ? found[0]! : null
}

const PHRASES: Readonly<Record<Direction, readonly [change: string, comparison: string]>> = {
  increase: ['an increase in', 'higher values of'],
  decrease: ['a decrease in', 'lower values of'],
  better: ['an improvement in', 'an improvement in'],
  worse: ['a worsening of', 'a worsening of'],
  none: ['no clear difference in', 'no clear difference in'],
  'no increase': ['no clear increase in', 'no clear increase in'],
  'no decrease': ['no clear decrease in', 'no clear decrease in'],
  'no better': ['no clear improvement in', 'no clear improvement in'],
  'no worse': ['no clear worsening of', 'no clear worsening of'],
}
/** Maximum length of the name of an outcome in the phrase of a side, in characters. */
const LONGEST_NAME = 50

/**
 * Returns a phrase for each quote with its finding that belongs to a side of a disagreement, such as 'a decrease in the rate of
 * falls', and null for the other quotes. The sides are about the outcome that most quotes report, and at least two of them
 * contradict each other. All are null if no quotes contradict each other.
 */
export function sidesOf(quotes: readonly { finding: Finding | null }[]): (string | null)[] {
  const findings = quotes.flatMap(({ finding }) => finding ?? [])
  const opposed = findings.filter((one) => findings.some((other) => areOpposite(one, other)))
  const keys = Map.groupBy(opposed, ({ outcome }) => outcome.key)
  const most = [...keys.values()].toSorted((one, other) => other.length - one.length)[0]
  if (!most) return quotes.map(() => null)
  const { key } = most[0]!.outcome
  const sides = Map.groupBy(
    findings.filter(({ outcome }) => outcome.key === key),
    ({ direction }) => direction,
  )
  return quotes.map(({ finding }) => {
    const side = finding?.outcome.key === key ? sides.get(finding.direction)! : null
    return side && phraseOf(side)
  })
}

function phraseOf(side: readonly Finding[]): string {
  const [{ outcome, direction }] = side as readonly [Finding, ...Finding[]]
  const phrase = PHRASES[direction][side.some(({ isComparison }) => isComparison) ? 1 : 0]
  const isSame = side.every((one) => one.outcome.name.toLowerCase() === outcome.name.toLowerCase())
  const name = isSame ? outcome.name : outcome.core
  const words = /^\p{Lu}\p{Ll}/u.test(name) ? name.charAt(0).toLowerCase() + name.slice(1) : name
  return words.length > LONGEST_NAME ? phrase.replace(/ (?:in|of)$/, '') : `${phrase} ${words}`
}
