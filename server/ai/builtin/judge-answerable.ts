import { isConcrete } from '#server/language/concrete-words.ts'
import { isEnglishQuestion, isEnglishText } from '#server/language/english.ts'
import { designAsked } from '#server/language/design-question.ts'
import { partAsked, partNamed } from '#server/language/question-part.ts'
import { rarityOf } from '#server/language/rare-words.ts'
import { searchTerms } from '#server/language/search-terms.ts'
import type { AlignedWord } from './align-words.ts'
import { type ApartMeasures, FAR, type FarMeasures } from './answerable-weights.ts'
import { doubtOf, doubtOfWord, isDoubtful, scoreOf, type QuestionMeasures, type WordMeasures } from './doubt.ts'
import { isUnanswered, withoutSeveralNames } from './judge-library.ts'
import { asksForNumber } from './question-kind.ts'

interface QuestionInput {
  question: string
  /** The text of the passages that retrieval found. */
  content: string
  /** Names, numbers, units and concrete words ('bread') of the question that no paper contains. */
  missing: readonly string[]
  /** All words of the question that no paper contains, if they are known. */
  absent?: readonly string[] | undefined
}

/** The reason why a question is unanswerable. */
export interface Refusal {
  /** Words of the question that no paper contains. */
  missing: string[]
  /**
   * Words that no sentence has together with the other words of the question. Empty if words are missing, or if the question is
   * about another subject.
   */
  apart: string[]
}

/** The comparison of the question with the passages. */
interface Compared {
  /**
   * The words of the question, each with its cosines to the compared texts of the passages. Other fields have indexes of these
   * texts.
   */
  words: readonly AlignedWord[]
  /** The indexes of the texts of each unit: see ComparedTexts. */
  units: readonly (readonly number[])[]
  /** The indexes of the texts of each passage. */
  passages: readonly (readonly number[])[]
  /** The search terms of each text. */
  terms: readonly ReadonlySet<string>[]
  /** The IDF in the paper of each term of the question. */
  idf: ReadonlyMap<string, number>
  /** The highest score of a quotable sentence (see readTogether); null if the cross-encoder did not read the passages. */
  score: number | null
}

/**
 * A text covers a word of the question (expresses its meaning) if its cosine to the word is far above COVERED. It does not if
 * the cosine is far below UNCOVERED. The change is gradual: `width` is the width of the transition around `cosine` (see
 * `above`).
 */
const COVERED = { cosine: 0.6, width: 0.06 }
const UNCOVERED = { cosine: 0.42, width: 0.05 }
/** A word has no word of similar meaning in the passages if its cosines to all passages are lower than this. */
const COUNTERPART = 0.5

const ASKS_VALUE = /^(?:what|which) (?:brand|version|grade|dose)\b|\b(?:what|which) (?:was|were|is|are) the\b/i
/** Matches words that a text can express by numbers, such as 'percentage'. */
const MEASURE = /^(?:shares?|percentages?|proportions?|fractions?|numbers?|averages?)$/i
const YES_NO = /^(?:did|do|does|is|are|was|were|can)\b/i
const NAME = /\p{N}|\p{Lu}/u

/** Maximum number of words in a refusal. */
const MOST_NAMED = 3

/**
 * Returns why the passages do not answer a question; null if they do, and for a general question ('What did the study find?').
 * For one paper, the doubt about the question's words decides (doubt.ts), for several papers a logistic regression of measures
 * of the question (judge-library.ts). Both use the score of the cross-encoder. If `compared` is null, the question or the text
 * is not English, or a question to several papers names a part ('limitations') or a study design, only missing words decide,
 * except concrete ones ('bread'). A question in another language is then also refused if the passages have neither its words
 * nor similar ones.
 */
export function refuse(input: QuestionInput, compared: Compared | null, scope: 'paper' | 'library'): Refusal | null {
  const { question, content, missing, absent = [] } = input
  if (partAsked(question)) return null
  const isEnglish = isEnglishQuestion(question) && isEnglishText(content.slice(0, 20_000))
  // The words for a part, such as 'limitations', need not be in the text.
  const isAboutPart = scope === 'library' && (partNamed(question) !== null || designAsked(question) !== null)
  const words =
    compared && scope === 'library' ? withoutSeveralNames(question, missing, compared.words) : compared?.words
  const measured =
    compared && words && isEnglish && !isAboutPart ? measureQuestion(input, { ...compared, words }) : null
  if (!measured) {
    const strange = compared && !isEnglishQuestion(question) ? strangeWords(content, compared.words) : []
    if (strange.length > 0) return { missing: strange.slice(0, MOST_NAMED), apart: [] }
    // A paper may name a common thing by another word, which only the comparison finds.
    const rare = missing.filter((word) => NAME.test(word) || !isConcrete(word))
    return rare.length > 0 ? { missing: rare, apart: [] } : null
  }
  const far = scoreOf(FAR[scope], measured.far)
  const isFar = far > 0
  const { score } = compared!
  const isRefused =
    scope === 'paper' ? isDoubtful(doubtOf(measured.words, measured.question), score) : isUnanswered(measured, score)
  if (!isRefused) return null
  const named = missing.length > 0 || !isFar ? missing : absent
  return {
    missing: named.slice(0, MOST_NAMED),
    // No word of a question about another subject is near a sentence.
    apart: missing.length === 0 && !isFar ? measured.uncovered.slice(0, MOST_NAMED) : [],
  }
}

/**
 * Returns all words of a question if the passages contain none of them and no similar word ('zxcvb qwerty'), else none. Only
 * for languages other than English: the words of an English question can all differ from those of the passages that answer it.
 */
function strangeWords(content: string, words: readonly AlignedWord[]): string[] {
  const known = new Set(searchTerms(content))
  const asked = words.filter(({ term }) => term !== null)
  const isStrange = ({ term, cosines }: AlignedWord) => !known.has(term!) && Math.max(...cosines) < UNCOVERED.cosine
  return asked.every(isStrange) ? asked.map(({ word }) => word) : []
}

/** The measures of a question for the regressions in answerable-weights.ts and doubt.ts. */
interface Measured {
  apart: ApartMeasures
  far: FarMeasures
  words: WordMeasures[]
  question: QuestionMeasures
  /** The words that the best sentence does not cover; if it covers all of them, the word with the highest doubt. */
  uncovered: string[]
}

/** Returns the measures by which `refuse` judges a question; null if no word of it has an IDF or there is no text. */
export function measureQuestion(
  { question, missing, absent = [] }: QuestionInput,
  { words, units, passages, terms, idf }: Compared,
): Measured | null {
  const weighted = words.flatMap(({ word, term, cosines }) => {
    const weight = term ? idf.get(term) : undefined
    return term && weight && !MEASURE.test(word) ? [{ word, term, weight, cosines }] : []
  })
  if (weighted.length === 0 || units.length === 0) return null
  const { best, nearest, alignment } = nearestOf(weighted, units)
  const { split, lost } = splitOf(weighted, units, terms)
  const partly = nearest.covered(best, COVERED) * (1 - nearest.covered(best, UNCOVERED))
  const isName = (word: string) => NAME.test(word) && !question.startsWith(word)
  const all = words.reduce((total, { term }) => total + ((term && idf.get(term)) || 0), 0) || 1
  const unknown = new Set(absent)
  const unknownWeight = words.reduce(
    (total, { word, term }) => total + ((unknown.has(word) && term && idf.get(term)) || 0),
    0,
  )
  const own = weighted.map(({ word, cosines }, at): WordMeasures => {
    const highest = Math.max(...cosines)
    return {
      nearest: highest,
      lack: Math.max(0, COUNTERPART - highest),
      rare: rarityOf(word) === 'rare' ? 1 : 0,
      concrete: isConcrete(word) ? 1 : 0,
      name: isName(word) ? 1 : 0,
      last: at === weighted.length - 1 ? 1 : 0,
    }
  })
  const value = asksForNumber(question) || ASKS_VALUE.test(question) ? 1 : 0
  const passageAlignment = nearestOf(weighted, passages).alignment
  const strangest = Math.min(...own.map((word) => word.nearest))
  const doubts = own.map(doubtOfWord)
  const uncovered = weighted.filter((_, at) => nearest.cosine(at, best) < UNCOVERED.cosine).map(({ word }) => word)
  return {
    apart: {
      missingName: missing.some(isName) ? 1 : 0,
      missingWord: missing.some((word) => !isName(word)) ? 1 : 0,
      value,
      alignment,
      partly,
      split,
      lostThing: lost.some(isConcrete) ? 1 : 0,
    },
    far: { passageAlignment, strangest, absent: unknownWeight / all },
    words: own,
    question: {
      alignment,
      passageAlignment,
      partly,
      split,
      strangest,
      value,
      yesNo: YES_NO.test(question) ? 1 : 0,
      anyMissing: missing.length > 0 ? 1 : 0,
      count: weighted.length / 10,
    },
    uncovered: uncovered.length > 0 ? uncovered : [weighted[doubts.indexOf(Math.max(...doubts))]!.word],
  }
}

interface WeightedWord {
  weight: number
  cosines: readonly number[]
}

/** Finds the group of texts with the highest alignment: the mean of the words' cosines to the group, weighted by IDF. */
function nearestOf(words: readonly WeightedWord[], groups: readonly (readonly number[])[]) {
  const total = words.reduce((most, { weight }) => most + weight, 0)
  const cosines = words.map((word) => groups.map((group) => Math.max(...group.map((at) => word.cosines[at]!))))
  const mean = (group: number, of: (cosine: number) => number) =>
    words.reduce((most, { weight }, at) => most + (weight * of(cosines[at]![group]!)) / total, 0)
  const all = groups.map((_, group) => mean(group, (cosine) => cosine))
  const best = all.indexOf(Math.max(...all))
  return {
    best,
    alignment: all[best]!,
    nearest: {
      cosine: (at: number, group: number) => cosines[at]![group]!,
      covered: (group: number, limit: typeof COVERED) => mean(group, (cosine) => above(cosine, limit)),
    },
  }
}

/** Weight of the share of contained terms in the similarity of a group to the question; the alignment has the weight 1. */
const TERMS = 0.5

/**
 * Finds the group of texts that is most similar to the question. `split` is the share of the question's terms that this group
 * contains, multiplied by the share that it lacks; `lost` are the words that it lacks. `split` is low if the group contains
 * almost all terms (it answers the question) or almost none (it can answer in other words).
 */
function splitOf(
  words: readonly (WeightedWord & { word: string; term: string })[],
  groups: readonly (readonly number[])[],
  terms: readonly ReadonlySet<string>[],
): { split: number; lost: string[] } {
  const total = words.reduce((sum, { weight }) => sum + weight, 0)
  const shares = groups.map((group) => {
    const contains = (term: string) => group.some((at) => terms[at]!.has(term))
    const share = words.reduce((sum, { term, weight }) => sum + (contains(term) ? weight : 0), 0) / total
    const nearest = ({ cosines }: WeightedWord) => Math.max(...group.map((at) => cosines[at]!))
    const alignment = words.reduce((sum, word) => sum + word.weight * nearest(word), 0) / total
    return { share, value: alignment + TERMS * share, contains }
  })
  const best = shares.reduce((most, one) => (one.value > most.value ? one : most))
  return {
    split: best.share * (1 - best.share),
    lost: words.filter(({ term }) => !best.contains(term)).map(({ word }) => word),
  }
}

/** Returns how certainly a cosine is above a limit, 0..1: nearly 0 far below it, 0.5 at the limit, nearly 1 far above it. */
const above = (cosine: number, { cosine: limit, width }: typeof COVERED) => 1 / (1 + Math.exp((limit - cosine) / width))
