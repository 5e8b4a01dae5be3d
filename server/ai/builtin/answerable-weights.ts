/** Measures, 0..1 each, for questions whose words occur near a sentence but not together. */
export interface ApartMeasures {
  /** 1 if the text does not contain a name or number of the question. */
  missingName: number
  /** 1 if the text does not contain another word of the question. */
  missingWord: number
  /** 1 if the question asks for a value: a number, or 'what was the …'. */
  value: number
  /** The mean cosine of the question's words to the best sentence. */
  alignment: number
  /** The share of the question's words that the best sentence covers, multiplied by the share that it does not cover. */
  partly: number
  /** The same product, with the shares of the question's search terms that the best sentence contains and lacks. */
  split: number
  /** 1 if the best sentence does not contain a common thing of the question in any form (see concrete-words.ts). */
  lostThing: number
}

/** Measures, 0..1 each, for questions about another subject than the passages. */
export interface FarMeasures {
  /** The mean cosine of the question's words to the best passage. */
  passageAlignment: number
  /** The highest cosine of the word that is least similar to all passages. */
  strangest: number
  /** The IDF of the question's words that no paper contains, as a share of the IDF of all its words; 0 for one paper. */
  absent: number
}

/** A question is unanswerable if the intercept plus the sum of measure times weight is above 0. */
type Weights<T> = T & { intercept: number }

/**
 * The weights for several papers: fitted with an L2 penalty of 2 (standardized measures) on the 202 English questions of the
 * development half of tests/bench/library-set. The intercept includes the threshold, which refuses 3 % of the answerable
 * questions in an eightfold cross-validation by subjects.
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
 * `library`: fitted in the same way as LIBRARY_APART, on questions about absent subjects; refuses 1.5 % of the answerable
 * questions. `paper`: fitted on 294 questions about other papers (penalty 3.3, 1 %); it only decides how a refusal is worded.
 */
export const FAR: Record<'paper' | 'library', Weights<FarMeasures>> = {
  paper: { passageAlignment: -11.71, strangest: -9.66, absent: 0, intercept: 6.24 },
  library: { passageAlignment: -4.94, strangest: -5.06, absent: 5.08, intercept: 0.88 },
}

/** The scores of the two regressions of several papers, and that of the best sentence (see readTogether). */
interface ReadMeasures {
  apart: number
  far: number
  score: number
}

/**
 * Weights for several papers whose passages the cross-encoder read: fitted on the same 202 questions with an L2 penalty of 2. The
 * intercept includes the threshold, which refuses 3 % of the answerable questions. It is in a gap: the sums of these 3 % are
 * above 0.3, those of the other answerable questions below -0.35.
 */
export const LIBRARY_READ: Weights<ReadMeasures> = { apart: 0.725, far: 0.192, score: -0.224, intercept: -0.44 }
