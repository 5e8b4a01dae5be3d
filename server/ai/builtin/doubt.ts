/** The measures of a word of a question, 0..1 each. */
export interface WordMeasures {
  /** The highest cosine to a word of the passages. */
  nearest: number
  /** How far that cosine is below one half. */
  lack: number
  /** 1 for a rare English word (see rare-words.ts), a common thing (concrete-words.ts), a name or number. */
  rare: number
  concrete: number
  name: number
  /** 1 for the last word that counts. */
  last: number
}

/** The measures of a whole question, 0..1 each. */
export interface QuestionMeasures {
  /** The mean cosine of the words to the best sentence, and to the best passage. */
  alignment: number
  passageAlignment: number
  /** The covered share of the words in the best sentence, multiplied by the uncovered share: by cosines, and by terms. */
  partly: number
  split: number
  /** The highest cosine of the word that is least similar to all passages. */
  strangest: number
  /** 1 if the question asks for a value; for yes or no; if the paper does not contain an asked word. */
  value: number
  yesNo: number
  anyMissing: number
  /** Tenths of the number of words. */
  count: number
}

/** Weights with their intercept: the score is their sum with the measures. */
type Weights<T> = T & { intercept: number }

const WORD: Weights<WordMeasures> = {
  nearest: -1.95,
  lack: 15.84,
  rare: 1.36,
  concrete: 4.5,
  name: 3.34,
  last: -1.08,
  intercept: -4.14,
}
const QUESTION: Weights<QuestionMeasures> = {
  alignment: -6.02,
  passageAlignment: -3.69,
  partly: 3.62,
  split: 3.5,
  strangest: 4.08,
  value: 1.93,
  yesNo: -3.32,
  anyMissing: 1.27,
  count: 0.71,
  intercept: 0.66,
}
/** A question with more doubt counts as unanswerable. */
export const MOST_DOUBT = 1.83

/**
 * Returns how doubtful it is that a paper answers a question: the negative logarithm of the probability that each word of the
 * question and the question as a whole have an answer (a noisy-or: one word without a counterpart is enough for a refusal, several
 * doubtful words together, too).
 *
 * The weights were fitted on the 1,644 questions of the development half about English papers (296 of tests/bench/questions, 1,054 of
 * tests/bench/answerable, and 294 about other papers with the weight .3), by L-BFGS with an L2 penalty of 3 on standardized
 * measures. MOST_DOUBT is the doubt that 2 % of the answered questions exceed, when each eighth of the papers is judged with the
 * weights of the others.
 */
export const doubtOf = (words: readonly WordMeasures[], question: QuestionMeasures): number =>
  words.reduce((sum, word) => sum + doubtOfWord(word), softplus(scoreOf(QUESTION, question)))

/** The part of a word in the doubt about its question. */
export const doubtOfWord = (word: WordMeasures): number => softplus(scoreOf(WORD, word))

const softplus = (score: number) => Math.log1p(Math.exp(score))

const scoreOf = <T extends object>({ intercept, ...weights }: Weights<T>, measures: T): number =>
  Object.entries(weights).reduce(
    (sum, [name, weight]) => sum + (weight as number) * (measures as Record<string, number>)[name]!,
    intercept,
  )
