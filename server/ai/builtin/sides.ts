import { asksForAgreement } from '#server/language/agreement-question.ts'
import { searchTerms } from '#server/language/search-terms.ts'
import { takeNounPhrase } from './outcome.ts'
import { asksForEffect } from './question-kind.ts'
import { type Direction, type Finding, readFindings } from './read-findings.ts'
import { comparatorOf, differIn, ofTreatment, readQuestion } from './treatment.ts'

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

/**
 * Returns the outcome of a finding and the treatment with which it compares, as one text. Only findings with equal texts can
 * contradict each other: a comparison with placebo does not contradict a comparison with another drug.
 */
export const subjectOf = (finding: Finding): string => `${finding.outcome.key}, ${comparatorOf(finding)}`

/** Returns whether two findings contradict each other. 'No decrease' does not contradict an increase. */
export const areOpposite = (one: Finding, other: Finding): boolean =>
  subjectOf(one) === subjectOf(other) &&
  OPPOSITE[one.direction].includes(other.direction) &&
  !differIn(one.agents.join(' '), other.agents.join(' '))

const SUBGROUP =
  /\b(?:in|among|for|of) (?:the )?(?:\w+ )?(?:(wom[ae]n|men|boys|girls|males?|females?|smokers|nonsmokers|diabetics|those(?! (?:receiving|taking|given|assigned|allocated|treated|using|who (?:received|took|used)))\b)|(?:patients|participants) with (.*))/gi

/**
 * Returns whether a sentence is about a part of the participants that the question does not name, such as 'in women' or 'in
 * patients with diabetes'.
 */
const isOfSubgroup = (sentence: string, asked: ReadonlySet<string>): boolean =>
  [...sentence.matchAll(SUBGROUP)].some(([, group, condition]) => {
    const terms = searchTerms(group ?? takeNounPhrase(condition!).phrase ?? '')
    return terms.length === 0 || terms.some((term) => !asked.has(term))
  })

/**
 * Returns a function that returns the finding of a sentence that answers a question, or null. Its outcome has at least half of
 * its terms in the question, and it is about the treatment of the question. `paperTerms` returns the search terms of the paper,
 * for a sentence that does not name the whole treatment. A comparison with the treatment on the other side ('was higher with
 * placebo than with melatonin') is reversed. Null also if the sentence has several such findings.
 */
export function findingReader(
  question: string,
): (sentence: string, paperTerms: () => ReadonlySet<string>) => Finding | null {
  const asked = readQuestion(question)
  const terms = new Set(searchTerms(question))
  return (sentence, paperTerms) => {
    const found = readFindings(sentence).flatMap((finding) => {
      const { outcome } = finding
      if (outcome.terms.filter((term) => asked.outcome.has(term)).length < outcome.terms.length / 2) return []
      if (outcome.head.some((term) => !asked.outcome.has(term))) return []
      return ofTreatment(finding, asked, paperTerms) ?? []
    })
    return found.length === 1 && !isOfSubgroup(sentence, terms) ? found[0]! : null
  }
}

const PHRASES: Readonly<Record<Direction, string>> = {
  increase: 'an increase in',
  decrease: 'a decrease in',
  better: 'an improvement in',
  worse: 'a worsening of',
  none: 'no clear difference in',
  'no increase': 'no clear increase in',
  'no decrease': 'no clear decrease in',
  'no better': 'no clear improvement in',
  'no worse': 'no clear worsening of',
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
  const subjects = [...Map.groupBy(opposed, subjectOf)].toSorted(([, one], [, other]) => other.length - one.length)
  const subject = subjects[0]?.[0]
  const sides = Map.groupBy(
    findings.filter((finding) => subjectOf(finding) === subject),
    ({ direction }) => direction,
  )
  return quotes.map(({ finding }) =>
    finding && subjectOf(finding) === subject ? phraseOf(sides.get(finding.direction)!) : null,
  )
}

const withoutArticle = (name: string) => name.toLowerCase().replace(/^(?:the|an?) /, '')

function phraseOf(side: readonly Finding[]): string {
  const [{ outcome, direction }] = side as readonly [Finding, ...Finding[]]
  const form = (['name', 'short'] as const).find((one) =>
    side.every((other) => withoutArticle(other.outcome[one]) === withoutArticle(outcome[one])),
  )
  const name = outcome[form ?? 'core']
  const words = /^\p{Lu}\p{Ll}/u.test(name) ? name.charAt(0).toLowerCase() + name.slice(1) : name
  const phrase = PHRASES[direction]
  return words.length > LONGEST_NAME ? phrase.replace(/ (?:in|of)$/, '') : `${phrase} ${words}`
}
