import { isEnglishText } from '#server/language/english.ts'
import { partAsked } from '#server/language/question-part.ts'
import { searchTerms } from '#server/language/search-terms.ts'
import { alignmentsOf, type AlignedWord } from './align-words.ts'
import { quotePart } from './library-part.ts'
import { KINDS, questionKind } from './question-kind.ts'
import type { PaperPassage, PaperQuote } from './paper-passage.ts'
import { answersAmong, type Passage, quotableSentences, type Sentence } from './quotable-sentences.ts'
import { isOfOthers } from './sentence-cues.ts'

interface Question {
  question: string
  /** Best first. */
  passages: readonly PaperPassage[]
  /** The IDF in the project of each term of the question. */
  weights: readonly (readonly [term: string, idf: number])[]
  /** The comparison of the question with the passages. Without it, only the cosines and the covered words are used. */
  compared?: ComparedQuotes | undefined
}

/** The words of the question with their cosines to quotable sentences. */
export interface ComparedQuotes {
  /** The places of the compared sentences among the quotable sentences of the passages. */
  places: readonly number[]
  /** The cosines to these sentences. */
  words: readonly AlignedWord[]
  /** The cosines to the compared texts of the passages of these sentences: a table row is read with its caption. */
  inPassage: readonly AlignedWord[]
}

/** Maximum number of papers in an answer. */
const MOST_PAPERS = 6
/** A paper is quoted if the value of its best sentence is at least this share of the highest value. */
const LEAST_SHARE = 0.8
/** Weights beside the alignment: the sentence's cosine, the covered share of the question's IDF, the score of the search. */
const SIMILARITY = 0.5
const WORDS = 0.2
const SCORE = 0.6
/** Weights for a table row: the best cosine of its passage, and the covered share. */
const ROW = { nearest: 0.4, words: 0.3 }
/** Weight of the covered share without an alignment. */
const ONLY_WORDS = 0.5
/** Subtracted from the sentences of a paper for each name of the question that only other papers contain. */
const LACKED_NAME = 0.4
/** Subtracted from a sentence that reports only findings of others. */
const OF_OTHERS = 0.1
/** Added to a sentence with a number, date or list when the question asks for one. */
const KIND_BONUS = 0.1

/**
 * Quotes one sentence of each of up to six papers: the sentence that answers the question best. The papers are in the order of
 * these sentences, not of their passages, because the search finds passages about the subject of a reworded question. The
 * value of a sentence is its alignment with the question (see align-words.ts), its cosine, the covered words, and the score of
 * its passage. For a general question the sentence that fits the asked part is quoted. Deterministic.
 */
export function quotePapers({ question, passages, weights, compared }: Question): PaperQuote[] {
  const part = partAsked(question)
  const ofPart = part ? quotePart(part, passages, MOST_PAPERS) : []
  if (ofPart.length > 0 || part === 'authors') return ofPart
  const quotable = quotableSentences(passages)
  const valueOf = valuesOf(quotable, { question, weights, compared })
  const best = new Map<string, { rank: number; text: string; value: number }>()
  const answers = answersAmong(question, quotable)
  const lackedNames = countLackedNames(question, passages)
  for (const sentence of [...answers, ...withoutQuotable(passages, quotable)]) {
    const { document_id, score } = passages[sentence.rank]!
    const value =
      valueOf(sentence) +
      SCORE * score -
      LACKED_NAME * lackedNames.get(document_id)! -
      (isOfOthers(sentence.text) ? OF_OTHERS : 0)
    const known = best.get(document_id)
    if (!known || value > known.value) best.set(document_id, { rank: sentence.rank, text: sentence.text, value })
  }
  const papers = [...best.values()].sort((a, b) => b.value - a.value || a.rank - b.rank).slice(0, MOST_PAPERS)
  return papers
    .filter(({ value }) => value >= LEAST_SHARE * papers[0]!.value)
    .map(({ rank, text }) => ({ passage: rank, text }))
}

/**
 * Counts for each paper the names of the question, such as a city or an acronym, that its passages do not contain, beyond the
 * least count of all papers. Other languages have capitals in other words.
 */
function countLackedNames(question: string, passages: readonly PaperPassage[]): ReadonlyMap<string, number> {
  const [, ...words] = question.match(/[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*/gu) ?? []
  const names = isEnglishText(question) ? words.filter((word) => word.length > 1 && /\p{Lu}/u.test(word)) : []
  const texts = new Map<string, string>()
  for (const { document_id, content } of passages) texts.set(document_id, `${texts.get(document_id) ?? ''}\n${content}`)
  const lacked = [...texts].map(([id, text]) => [id, names.filter((name) => !text.includes(name)).length] as const)
  const least = Math.min(...lacked.map(([, count]) => count))
  return new Map(lacked.map(([id, count]) => [id, count - least]))
}

/** Returns a function for the value of a sentence without the score of its passage. */
function valuesOf(
  quotable: readonly Sentence[],
  { question, weights, compared }: Pick<Question, 'question' | 'weights' | 'compared'>,
): (sentence: Sentence) => number {
  const idf = new Map(weights)
  const alignments = (words: readonly AlignedWord[]) =>
    new Map(alignmentsOf(words, idf).map((alignment, at) => [quotable[compared!.places[at]!]!, alignment]))
  const alone = compared ? alignments(compared.words) : new Map<Sentence, number>()
  const inPassage = compared ? alignments(compared.inPassage) : new Map<Sentence, number>()
  const total = weights.reduce((sum, [, weight]) => sum + weight, 0) || 1
  const kind = questionKind(question)
  return (sentence) => {
    const { passage, start, terms, text, isRow } = sentence
    const covered = weights.reduce((sum, [term, weight]) => sum + (terms.has(term) ? weight : 0), 0) / total
    const similarities = passage.sentences ?? []
    const similarity = similarities.find((one) => one.start === start)?.similarity ?? 0
    const bonus = kind !== null && KINDS[kind].test(text) ? KIND_BONUS : 0
    const alignment = (isRow ? inPassage : alone).get(sentence)
    if (alignment === undefined) return similarity + ONLY_WORDS * covered + bonus
    if (!isRow) return alignment + SIMILARITY * similarity + WORDS * covered + bonus
    const nearest = Math.max(0, ...similarities.map((one) => one.similarity))
    return alignment + ROW.nearest * nearest + ROW.words * covered + bonus
  }
}

/** Returns the best sentence of the search of each passage that has no quotable sentence, such as a title. */
function withoutQuotable(passages: readonly Passage[], quotable: readonly Sentence[]): Sentence[] {
  const known = new Set(quotable.map(({ passage }) => passage))
  return passages.flatMap((passage, rank) => {
    if (known.has(passage)) return []
    const { content, page_offset, start, end } = passage
    const text = content.slice(start - page_offset, end - page_offset)
    return [{ text, terms: new Set(searchTerms(text)), passage, rank, start, end, isRow: false }]
  })
}
