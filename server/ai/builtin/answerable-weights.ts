/**
 * Measures of a question, 0..1 each. They detect a question that no sentence answers, although its words occur in different
 * sentences of the passages.
 */
export interface ApartMeasures {
  /** 1 if the text does not contain a name or number of the question. */
  missingName: number
  /** 1 if the text does not contain a word of the question that is neither a name nor a number. */
  missingWord: number
  /** 1 if the question asks for a value: a number, or 'what was the …'. */
  value: number
  /** How well one sentence matches the whole question: the mean cosine of the question's words to the best sentence. */
  alignment: number
  /**
   * Detects a sentence that covers only a part of the question: high if it covers about half of the question's words by
   * meaning, low if it covers almost all or almost none (covered share times uncovered share).
   */
  partly: number
  /** Like `partly`, but counts search terms that the sentence contains literally (contained share times missing share). */
  split: number
  /**
   * 1 if the question has a concrete word, such as 'bread' (see concrete-words.ts), that the best sentence does not contain.
   */
  lostThing: number
}

/** Measures of a question, 0..1 each. They detect a question about a subject that the passages do not contain. */
export interface FarMeasures {
  /** How well one passage matches the whole question: the mean cosine of the question's words to the best passage. */
  passageAlignment: number
  /**
   * Low if at least one word of the question has no word of similar meaning in the passages: for each word, the highest cosine
   * to a word of the passages is computed, and this is the lowest of them.
   */
  strangest: number
  /** The share of the question's words, weighted by IDF, that no paper contains; 0 for a question about one paper. */
  absent: number
}

/**
 * Weights of a logistic regression that decides whether a question is unanswerable: it is if `intercept` plus the sum of all
 * weights times their measures is above 0.
 */
type Weights<T> = T & { intercept: number }

/**
 * Weights that detect a question to several papers whose words occur only in different sentences (see ApartMeasures). Fitted
 * with an L2 penalty of 2 (standardized measures) on the 202 English questions of the development half of
 * tests/bench/library-set. The intercept includes the threshold, which refuses 3 % of the answerable questions in an eightfold
 * cross-validation by subjects.
 */
export const LIBRARY_APART: Weights<ApartMeasures> = {
  missingName: 3.49,
  missingWord: 0.94,
  value: 0.89,
  alignment: -1.32,
  partly: 9.81,
  split: 7.14,
  lostThing: 2.21,
  intercept: -3.3,
}

/**
 * Weights that detect a question about a subject that the passages do not contain (see FarMeasures). They only decide how a
 * refusal is worded. `library` is for questions to several papers. It was fitted with the method of LIBRARY_APART, on questions
 * about subjects that no paper has, and refuses 1.5 % of the answerable questions. `paper` is for questions to one paper. It
 * was fitted on 294 questions about other papers, with an L2 penalty of 3.3 and a threshold that 1 % of the answerable
 * questions exceed.
 */
export const FAR: Record<'paper' | 'library', Weights<FarMeasures>> = {
  paper: { passageAlignment: -11.71, strangest: -9.66, absent: 0, intercept: 6.24 },
  library: { passageAlignment: -4.94, strangest: -5.06, absent: 5.08, intercept: 0.88 },
}

/**
 * Weights that decide whether a question to several papers is unanswerable, if the cross-encoder (a model that reads the
 * question together with a passage) has scored the passages. `score` is the highest score of a sentence (see readTogether).
 * Fitted with an L2 penalty of 4 on 562 English questions of the development half of tests/bench/library-set. The intercept
 * includes the threshold: in an eightfold cross-validation by subjects, 5 % of the answerable questions are refused. Most
 * questions of development.json need several papers; of the other answerable questions, 1 % are refused.
 */
export const LIBRARY_READ: Weights<ApartMeasures & FarMeasures & { score: number }> = {
  missingName: 2.01,
  missingWord: 0.17,
  value: 0.25,
  alignment: 2.58,
  partly: 5.15,
  split: 8.58,
  lostThing: 0.44,
  passageAlignment: -6.31,
  strangest: 2.34,
  absent: 2.67,
  score: -0.38,
  intercept: -4.49,
}
