import { searchTerms } from '#server/language/search-terms.ts'
import type { ComparedTexts } from './quotable-sentences.ts'
import type { Encoder } from './sentence-model/encode.ts'

/** A word or punctuation mark of a question, and its cosine to the most similar word of each sentence, -1..1. */
export interface AlignedWord {
  word: string
  /** The search term of the word; null for a stopword and for punctuation. */
  term: string | null
  cosines: number[]
}

/** Maximum number of texts of one paper that are compared with a question. The comparison of a text takes 3 ms. */
const MOST_OF_PAPER = 60
/**
 * Limit the time of a comparison with the texts of several papers. All texts of the first WHOLE_PASSAGES passages are compared
 * with the question, but at most MOST_WHOLE texts. Of the other passages, only the NEAREST texts with the highest cosines to
 * the question are compared.
 */
const WHOLE_PASSAGES = 8
const MOST_WHOLE = 90
const NEAREST = 30
const MOST_WORDS = 60
const MOST_CHARACTERS = 600

/**
 * Returns each word of a question (at most MOST_WORDS) with its cosines to the sentences. Compares each word of the question
 * with each word of the sentences by their vectors in context: 'pupils' is similar to 'students', 'wrote' to 'written'. This is
 * the late interaction of ColBERT (Khattab & Zaharia 2020, https://arxiv.org/abs/2004.12832) with the vectors of the sentence
 * model.
 */
export async function alignWords(
  question: string,
  sentences: readonly string[],
  embedWords: Encoder['embedWords'],
): Promise<AlignedWord[]> {
  const questionWords = splitWords(question).slice(0, MOST_WORDS)
  const compared = sentences.map((text) => splitWords(text.slice(0, MOST_CHARACTERS)))
  const [own, ...others] = await embedWords([questionWords, ...compared])
  return own!.map((vector, at) => ({
    word: questionWords[at]!,
    term: searchTerms(questionWords[at]!)[0] ?? null,
    cosines: others.map((words) => words.reduce((most, other) => Math.max(most, cosine(vector, other)), -1)),
  }))
}

/**
 * Selects the texts to compare with a question about one paper: the first MOST_OF_PAPER texts. Returns their indexes in
 * `texts`, in ascending order.
 */
export const placesInPaper = ({ texts }: ComparedTexts): number[] => [...texts.keys()].slice(0, MOST_OF_PAPER)

/**
 * Selects the texts to compare with a question about several papers (see WHOLE_PASSAGES). Returns their indexes in `texts`, in
 * ascending order.
 */
export function placesInLibrary({ passages, similarities }: ComparedTexts): number[] {
  const whole = passages.slice(0, WHOLE_PASSAGES).flat().slice(0, MOST_WHOLE)
  const others = passages.slice(WHOLE_PASSAGES).flat()
  const nearest = others.sort((a, b) => similarities[b]! - similarities[a]! || a - b).slice(0, NEAREST)
  return [...whole, ...nearest].sort((a, b) => a - b)
}

/** Splits a text into words as BERT does: each punctuation mark is a separate word. */
const splitWords = (text: string) => text.match(/[\p{L}\p{M}\p{N}]+|[^\s\p{L}\p{M}\p{N}]/gu) ?? []

function cosine(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let at = 0; at < a.length; at++) sum += a[at]! * b[at]!
  return sum
}

/**
 * Weight of a stopword, and of a word without an IDF, when the cosines of a question's words are averaged. Any other word is
 * weighted by its IDF in the paper, which is at most about 4.
 */
const STOPWORD = 0.5

/**
 * Returns the alignment of each sentence: how well it expresses the words of the question, at most 1. It is the mean of the
 * cosines of the question's words, weighted by their IDF.
 */
export function alignmentsOf(words: readonly AlignedWord[], idf: ReadonlyMap<string, number>): number[] {
  const weighted = words.map(({ term, cosines }) => ({ weight: (term && idf.get(term)) || STOPWORD, cosines }))
  const total = weighted.reduce((sum, { weight }) => sum + weight, 0)
  const count = words[0]?.cosines.length ?? 0
  return Array.from({ length: count }, (_, sentence) =>
    weighted.reduce((sum, { weight, cosines }) => sum + (weight * Math.max(0, cosines[sentence]!)) / total, 0),
  )
}
