import type { AlignedWord } from './align-words.ts'
import { type ApartMeasures, FAR, type FarMeasures, LIBRARY_APART, LIBRARY_READ } from './answerable-weights.ts'
import { limited } from './cross-encoder/read-together.ts'
import { scoreOf } from './doubt.ts'

/**
 * Returns the words of a question to several papers that one sentence must cover to answer it. If the question names two or
 * more things that the papers contain ('in Kent or in Essex'), their names are omitted, because each can be in a sentence of
 * another paper. `missing` are the words that no paper contains.
 */
export function withoutSeveralNames(
  question: string,
  missing: readonly string[],
  words: readonly AlignedWord[],
): readonly AlignedWord[] {
  const isName = ({ word, term }: AlignedWord) =>
    term !== null && /\p{Lu}/u.test(word) && !question.startsWith(word) && !missing.includes(word)
  const others = words.filter((word) => !isName(word))
  return words.length - others.length >= 2 && others.some(({ term }) => term !== null) ? others : words
}

/**
 * Returns true if no paper answers a question to several papers. `score`: the highest score of a sentence by the cross-encoder;
 * null if it did not read the passages.
 */
export const isUnanswered = (
  { apart, far }: { apart: ApartMeasures; far: FarMeasures },
  score: number | null,
): boolean =>
  score === null
    ? scoreOf(LIBRARY_APART, apart) > 0 || scoreOf(FAR.library, far) > 0
    : scoreOf(LIBRARY_READ, { ...apart, ...far, score: limited(score) }) > 0
