import { limited } from './cross-encoder/read-together.ts'

/**
 * Measures of one word of a question, 0..1 each. The doubt whether a paper covers the word is computed from them: `nearest` and
 * `last` lower it; the other measures raise it.
 */
export interface WordMeasures {
  /** How well the passages express the word: its highest cosine to a word of the passages. */
  nearest: number
  /**
   * How far `nearest` is below 0.5, below which a word has no word of similar meaning in the passages; 0 if `nearest` is
   * higher.
   */
  lack: number
  /** 1 for a rare English word (rare-words.ts). */
  rare: number
  /** 1 for a concrete word, such as 'bread' (concrete-words.ts). */
  concrete: number
  /** 1 for a name or a number. */
  name: number
  /**
   * 1 for the last of the question's words that are compared with the passages. Some words, such as 'number', are not compared.
   */
  last: number
}

/** Measures of a whole question, 0..1 each. The doubt whether a paper answers the question is computed from them. */
export interface QuestionMeasures {
  /**
   * How well one sentence matches the whole question: the mean cosine of the question's words to the best sentence, which is
   * the one with the highest mean.
   */
  alignment: number
  /**
   * How well one passage matches the whole question: the mean cosine of the question's words to the passage with the highest
   * mean.
   */
  passageAlignment: number
  /**
   * Detects a sentence with only a part of the question's meaning: low if the best sentence covers almost all words of the
   * question or almost none, high if it covers about half of them. Computed as covered share times uncovered share; a word is
   * covered if a word of the sentence has a similar meaning (by cosine).
   */
  partly: number
  /**
   * Like `partly`, but counts search terms that the best sentence contains literally: low if it contains almost all terms of
   * the question or almost none, high if it contains about half of them. Computed as contained share times missing share.
   */
  split: number
  /**
   * Shows how foreign the question's most foreign word is to the passages: the lowest `nearest` of all words. Low if the
   * passages have no word of similar meaning for it.
   */
  strangest: number
  /** 1 if the question asks for a value. */
  value: number
  /** 1 for a question that asks for yes or no. */
  yesNo: number
  /** 1 if at least one name, number, unit or concrete word of the question does not occur in the paper. */
  anyMissing: number
  /** The number of the question's words that are compared with the passages, divided by 10. */
  count: number
}

/** Weights of a logistic regression. Its score is `intercept` plus the sum of each measure times its weight. */
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
/** If the cross-encoder did not read the passages, a question with a higher doubt than this is unanswerable. */
const MOST_DOUBT = 1.83
/**
 * Weights to combine the doubt (see `doubtOf`) with the cross-encoder's score of the best sentence. A question with a weighted
 * sum above 0 is unanswerable.
 */
const READ = { doubt: 1.72, score: -0.337, intercept: -3.93 }

/**
 * Returns true if a paper does not answer a question. `doubt` is the result of `doubtOf`. `score` is the highest score of a
 * sentence by the cross-encoder (see readTogether); if it is null, the doubt alone decides. The weights of the doubt and the
 * score were fitted by logistic regression with an L2 penalty of 1 on the questions that `doubtOf` describes. With these
 * weights, 2 % of the answerable questions are refused.
 */
export const isDoubtful = (doubt: number, score: number | null): boolean =>
  score === null ? doubt > MOST_DOUBT : READ.doubt * doubt + READ.score * limited(score) + READ.intercept > 0

/**
 * Returns the doubt whether a paper answers a question, 0 or more: the negative logarithm of the probability that the paper
 * covers the question and each of its words, if these probabilities are independent (noisy-or). One word that the paper
 * certainly lacks is enough for a refusal; several doubtful words are also enough.
 *
 * The weights were fitted on the 1,644 questions of the development half about English papers (296 of tests/bench/questions,
 * 1,054 of tests/bench/answerable, and 294 about other papers with the weight .3), by L-BFGS with an L2 penalty of 3 on
 * standardized measures. MOST_DOUBT refuses 2 % of the answerable questions in an eightfold cross-validation by papers.
 */
export const doubtOf = (words: readonly WordMeasures[], question: QuestionMeasures): number =>
  words.reduce((sum, word) => sum + doubtOfWord(word), softplus(scoreOf(QUESTION, question)))

/** Returns the doubt whether a paper covers one word of a question, 0 or more: one summand of `doubtOf`. */
export const doubtOfWord = (word: WordMeasures): number => softplus(scoreOf(WORD, word))

const softplus = (score: number) => Math.log1p(Math.exp(score))

/** Returns the intercept plus the sum of each weight times its measure. */
export const scoreOf = <T extends object>({ intercept, ...weights }: Weights<T>, measures: T): number =>
  Object.entries(weights).reduce(
    (sum, [name, weight]) => sum + (weight as number) * (measures as Record<string, number>)[name]!,
    intercept,
  )
