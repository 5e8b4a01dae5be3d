import { isEnglishText } from '#server/language/english.ts'
import { partAsked } from '#server/language/question-part.ts'
import type { CrossEncoder } from './score-sentences.ts'

/** Passages that are read, best first: further ones contain more sentences that only seem to answer. Each takes about 40 ms. */
const MOST_READ = 5

/** The score of a text that the cross-encoder did not read: lower than any other. */
export const NOT_READ = -20

/** A lower score says nothing more. */
const LEAST_SCORE = -12

/** Returns a score that is not below LEAST_SCORE. */
export const limited = (score: number): number => Math.max(score, LEAST_SCORE)

/** Texts of passages, and their places in each passage. */
interface Passages {
  texts: readonly string[]
  passages: readonly (readonly number[])[]
}

/**
 * Reads a question together with each of the first passages. Returns for each text how likely it answers (see `scoreSentences`). Returns
 * null for another language than English, which the model does not know, and for a general question, which sections answer.
 */
export async function readTogether(
  question: string,
  { texts, passages }: Passages,
  { scoreSentences }: CrossEncoder,
): Promise<number[] | null> {
  if (partAsked(question)) return null
  if (!isEnglishText(question) || !isEnglishText(texts.join(' ').slice(0, 20_000))) return null
  const read = passages.slice(0, MOST_READ)
  const scores = await scoreSentences(
    question,
    read.map((places) => places.map((place) => texts[place]!)),
  )
  const byText = texts.map(() => NOT_READ)
  read.forEach((places, passage) => places.forEach((place, at) => (byText[place] = scores[passage]![at] ?? NOT_READ)))
  return byText
}
