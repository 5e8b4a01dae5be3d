import { isEnglishQuestion, isEnglishText } from '#server/language/english.ts'
import { partAsked } from '#server/language/question-part.ts'
import type { CrossEncoder } from './score-sentences.ts'

/**
 * Maximum number of passages that the cross-encoder reads, best first. A passage takes about 40 ms, and a high score of a
 * sentence in a later passage is more often wrong.
 */
const MOST_READ = 5

/** The score of a text that the cross-encoder did not read: lower than any other. */
export const NOT_READ = -20

/** The lowest score that is used. Lower scores are replaced by it, because their differences have no meaning. */
const LEAST_SCORE = -12

/** Returns the score, or LEAST_SCORE if the score is lower. */
export const limited = (score: number): number => Math.max(score, LEAST_SCORE)

/** Texts, and for each passage the indexes of its texts. */
interface Passages {
  texts: readonly string[]
  passages: readonly (readonly number[])[]
}

/**
 * Scores with the cross-encoder how well each text (sentence) of the first MOST_READ passages answers a question (see
 * `scoreSentences`). Returns one score per element of `texts`; NOT_READ for a text that was not read. Returns null if the
 * question or the texts are not English, because the model was trained on English texts. Also returns null for a general
 * question ('What did the study find?'), which is answered from certain sections of the paper. `load` returns the
 * cross-encoder. It is not called if the result is null, which saves memory. `asked` is the text that is scored instead of the
 * question.
 */
export async function readTogether(
  question: string,
  { texts, passages }: Passages,
  load: () => Promise<CrossEncoder>,
  asked = question,
): Promise<number[] | null> {
  if (partAsked(question)) return null
  if (!isEnglishQuestion(question) || !isEnglishText(texts.join(' ').slice(0, 20_000))) return null
  const read = passages.slice(0, MOST_READ)
  const { scoreSentences } = await load()
  const scores = await scoreSentences(
    asked,
    read.map((places) => places.map((place) => texts[place]!)),
  )
  const byText = texts.map(() => NOT_READ)
  read.forEach((places, passage) => places.forEach((place, at) => (byText[place] = scores[passage]![at] ?? NOT_READ)))
  return byText
}
