import { isEnglishText } from '#server/language/english.ts'
import { partAsked } from '#server/language/question-part.ts'
import { notMentionedAnswer, notTogetherAnswer } from '#shared/contract/chat.ts'
import type { AlignedWord } from './align-words.ts'
import { questionKind } from './question-kind.ts'

interface QuestionInput {
  question: string
  /** The text of the passages that retrieval found. */
  content: string
  /** Asked words that the paper contains nowhere. */
  missing: readonly string[]
}

/** The comparison of the question with the passages. */
interface Compared {
  /** The words of the question with their cosines to texts of the passages. */
  words: readonly AlignedWord[]
  /** The places of texts that are read together: see textsToCompare. */
  units: readonly (readonly number[])[]
  /** The IDF in the paper of each term of the question. */
  idf: ReadonlyMap<string, number>
}

/** Measures of a question, 0..1 each. */
interface Features {
  /** 1 if a name or number of the question occurs nowhere in the paper. */
  missingName: number
  /** 1 if another asked word occurs nowhere. */
  missingWord: number
  /** 1 if the question asks for a value: a number, or 'what was the …'. */
  value: number
  /** The mean cosine of the question's words to the best sentence. */
  alignment: number
  /** The covered share of the question's words in the best sentence, multiplied by the uncovered share. */
  partly: number
}

/**
 * Weights of a logistic regression on the development half of tests/bench/questions (English papers), and its intercept.
 * docs/decisions/0009-retrieval.md says how they were calibrated. missingWord is less than the fitted 3.3, because the rules
 * for missing words were written on the same half.
 */
const WEIGHTS: Features = { missingName: 3.91, missingWord: 2.5, value: 1.95, alignment: -1.7, partly: 14.48 }
const INTERCEPT = -3
/** Above this the question counts as unanswerable: 2 % of the answerable questions of the development half are. */
const REFUSE = 0.15

/** A word of the question is covered above, and uncovered below these cosines, with soft limits. */
const COVERED = { cosine: 0.6, width: 0.06 }
const UNCOVERED = { cosine: 0.42, width: 0.05 }

const ASKS_VALUE = /^(?:what|which) (?:brand|version|grade|dose)\b|\b(?:what|which) (?:was|were|is|are) the\b/i
/** Words that a text expresses by numbers. */
const MEASURE = /^(?:shares?|percentages?|proportions?|fractions?|numbers?|averages?)$/i
const NAME = /\p{N}|\p{Lu}/u

/** Most words that the reply names. */
const MOST_NAMED = 3

/**
 * Returns the reply to a question that the paper does not answer; null for all other questions. The reply names a word
 * that the paper never mentions, or words that no sentence has together with the others. General questions ('What did
 * the study find?') are never refused. The decision is a logistic regression over the Features. Without `compared`, and
 * for texts that are not English, only missing words count.
 */
export function refuse({ question, content, missing }: QuestionInput, compared: Compared | null): string | null {
  if (partAsked(question)) return null
  const isEnglish = isEnglishText(question) && isEnglishText(content.slice(0, 20_000))
  const measured = compared && isEnglish ? measure({ question, missing }, compared) : null
  if (!measured) return missing.length > 0 ? notMentionedAnswer(missing) : null
  const { uncovered, ...features } = measured
  const score = Object.entries(features).reduce(
    (sum, [name, value]) => sum + WEIGHTS[name as keyof Features] * value,
    INTERCEPT,
  )
  if (score <= REFUSE) return null
  return missing.length > 0 ? notMentionedAnswer(missing) : notTogetherAnswer(uncovered.slice(0, MOST_NAMED))
}

/**
 * Returns the Features of a question, and its words that the best sentence does not cover. Null if no word of the
 * question occurs in the paper or there is no text to compare with.
 */
export function measure(
  { question, missing }: Omit<QuestionInput, 'content'>,
  { words, units, idf }: Compared,
): (Features & { uncovered: string[] }) | null {
  const weighted = words.flatMap(({ word, term, cosines }) => {
    const weight = term === null ? undefined : idf.get(term)
    const nearest = units.map((unit) => Math.max(...unit.map((at) => cosines[at]!)))
    return weight && !MEASURE.test(word) ? [{ word, weight, nearest }] : []
  })
  const total = weighted.reduce((sum, { weight }) => sum + weight, 0)
  if (weighted.length === 0 || units.length === 0) return null
  const mean = (at: number, of: (cosine: number) => number) =>
    weighted.reduce((sum, { weight, nearest }) => sum + (weight * of(nearest[at]!)) / total, 0)
  const all = units.map((_, at) => mean(at, (cosine) => cosine))
  const best = all.indexOf(Math.max(...all))
  const partly = mean(best, (cosine) => above(cosine, COVERED)) * mean(best, (cosine) => 1 - above(cosine, UNCOVERED))
  const isName = (word: string) => NAME.test(word) && !question.startsWith(word)
  return {
    missingName: missing.some(isName) ? 1 : 0,
    missingWord: missing.some((word) => !isName(word)) ? 1 : 0,
    value: questionKind(question) === 'number' || ASKS_VALUE.test(question) ? 1 : 0,
    alignment: all[best]!,
    partly,
    uncovered: weighted.filter(({ nearest }) => nearest[best]! < UNCOVERED.cosine).map(({ word }) => word),
  }
}

/** Returns the share of a soft step, 0..1. */
const above = (cosine: number, { cosine: limit, width }: typeof COVERED) => 1 / (1 + Math.exp((limit - cosine) / width))
