import { isEnglishQuestion } from '#server/language/english.ts'
import { designAsked } from '#server/language/design-question.ts'
import { partAsked, partNamed } from '#server/language/question-part.ts'
import { searchTerms } from '#server/language/search-terms.ts'
import { alignmentsOf, type AlignedWord } from './align-words.ts'
import { withCompared } from './compared-papers.ts'
import { withBestSentences } from './best-sentences.ts'
import { NOT_READ } from './cross-encoder/read-together.ts'
import { quoteSides } from './disagreement.ts'
import { quoteDesigns } from './library-designs.ts'
import { quotePart } from './library-part.ts'
import { focusedInLibrary } from './question-focus.ts'
import { asksForChange, asksForEffect, KINDS, questionKind } from './question-kind.ts'
import { bestByPaper, type PaperPassage, type PaperQuote } from './paper-passage.ts'
import { asksForSides } from './sides.ts'
import { answersAmong, type Passage, quotableSentences, quoteOf, type Sentence } from './quotable-sentences.ts'
import { hasFigure, isFinding, isOfOthers } from './sentence-cues.ts'

interface Question {
  question: string
  /** The previous question if this one refers to it; else null. */
  before: string | null
  /** The passages that the search found, best first. */
  passages: readonly PaperPassage[]
  /** The IDF in the project of each term of the question. */
  weights: readonly (readonly [term: string, idf: number])[]
  /** The comparison of the question with the passages. If undefined, sentences are valued without alignments (see valuesOf). */
  compared?: ComparedQuotes | undefined
}

/** The words of the question with their cosines to quotable sentences. */
export interface ComparedQuotes {
  /** The sentences that were compared with the question, as indexes in the list of quotable sentences of the passages. */
  places: readonly number[]
  /** The words of the question with their cosines to these sentences. */
  words: readonly AlignedWord[]
  /**
   * The words of the question. For each of these sentences, a word has its highest cosine to any compared text of the
   * sentence's passage. Used for table rows, which are understood only together with their caption.
   */
  inPassage: readonly AlignedWord[]
  /** The scores of these sentences by the cross-encoder (see readTogether). Null or undefined if it did not read them. */
  scores?: readonly number[] | null
}

/** Maximum number of papers in an answer. */
const MOST_PAPERS = 6
/**
 * Excludes papers that answer the question much worse than the best paper: a paper is quoted only if the value of its best
 * sentence is at least this share of the highest value.
 */
const LEAST_SHARE = 0.8
/** Replaces LEAST_SHARE if only sentences of the kind that the question asks for are quoted (see focusedInLibrary). */
const FOCUSED_SHARE = 0.4
/**
 * Weights in the value of a sentence, which decides what is quoted. SIMILARITY weights its cosine to the question, WORDS the
 * share of the question's words that it contains (by IDF), SCORE the search score of its passage. The comparison of its words
 * with the question's words by meaning (the alignment) has the weight 1.
 */
const SIMILARITY = 0.5
const WORDS = 0.2
const SCORE = 0.6
/**
 * Weights in the value of a table row, which has no vector. `nearest` weights the highest cosine of a sentence in its passage,
 * `words` the share of the question's words that the row contains (by IDF).
 */
const ROW = { nearest: 0.4, words: 0.3 }
/**
 * Subtracted from the value of a table row that contains no term of the question. Its value is otherwise that of its caption,
 * which all rows of the table share.
 */
const ROW_WITHOUT_TERM = 0.2
/**
 * Weight of the share of the question's words (by IDF) that a sentence contains, if its words were not compared with the
 * question's words by meaning (no alignment).
 */
const ONLY_WORDS = 0.5
/**
 * Lowers the value of sentences of a paper that lacks names of the question: this number is subtracted for each missing name
 * (see countLackedNames).
 */
const LACKED_NAME = 0.4
/**
 * Lowers the value of sentences of a paper that is not about the subject of the previous question: subtracted in proportion to
 * the share of the previous question's terms that the paper lacks (see lackedTerms).
 */
const LACKED_TERMS = 0.8
/**
 * Subtracted from the value of a sentence that only reports findings of other authors, because the paper's own findings answer
 * better.
 */
const OF_OTHERS = 0.1
/**
 * Prefers sentences of the kind that the question asks for: added to the value of a sentence that contains a number, date,
 * amount or list if the question asks for one.
 */
const KIND_BONUS = 0.1
/** Added to the value of a sentence that reports a finding if the question asks for an effect. */
const FINDING_BONUS = 0.1

/**
 * Quotes one sentence of each of up to six papers, best first: the sentence that answers the question best. Papers are ranked
 * by the values of their sentences and not only by their passages, because for a reworded question the search ranks passages by
 * their subject. The value of a sentence is the weighted sum of its alignment with the question (see align-words.ts), its
 * cosine, the covered words, and the score of its passage. The score of the cross-encoder also decides which sentence of a
 * paper is quoted. `quoteDesigns` answers a question for papers with a study design, and `quotePart` a question about a part of
 * the papers ('limitations'). If `quotePart` finds nothing, the values decide; a question about the authors gets no quotes. A
 * question that compares two things gets a quote about each of them (see `withCompared`). If papers contradict each other about
 * the effect that a question asks for, the quotes have sides (see `quoteSides`).
 */
export function quotePapers({ question, before, passages, weights, compared }: Question): PaperQuote[] {
  const design = designAsked(question)
  if (design) return quoteDesigns(design, passages)
  const part = partNamed(question)
  const least = partAsked(question) ? 0 : LEAST_SHARE * Math.max(0, ...passages.map(({ score }) => score))
  const ofPart = part ? quotePart(part, passages, { most: MOST_PAPERS, least }) : []
  if (ofPart.length > 0 || part === 'authors') return ofPart
  const quotable = quotableSentences(passages)
  const valueOf = valuesOf(quotable, { question, weights, compared })
  const scoreOf = scoresOf(quotable, compared)
  const lacked = countLackedNames(question, passages)
  const lackedBefore = before === null ? null : lackedTerms(before, passages)
  const all = [...answersAmong(question, quotable), ...withoutQuotable(passages, quotable)]
  const focused = focusedInLibrary({ question, before, passages }, all)
  const sentences = focused ?? all
  const quotes = sentences.map((sentence) => {
    const { document_id, score } = passages[sentence.rank]!
    const value =
      valueOf(sentence) +
      SCORE * score -
      LACKED_NAME * lacked.get(document_id)! -
      LACKED_TERMS * (lackedBefore?.get(document_id) ?? 0) -
      (isOfOthers(sentence.text) ? OF_OTHERS : 0)
    return { passage: sentence.rank, text: quoteOf(sentence), value, score: scoreOf(sentence), isRow: sentence.isRow }
  })
  const papers = bestByPaper(quotes, passages, passages.length)
  const share = focused ? FOCUSED_SHARE : LEAST_SHARE
  const answering = papers.slice(0, MOST_PAPERS).filter(({ value }) => value >= share * papers[0]!.value)
  const about = withCompared(question, { shown: answering, papers, passages, weights, most: MOST_PAPERS })
  const shown = withBestSentences(about, quotes, passages)
  if (asksForSides(question)) return quoteSides(question, { shown, quotes, passages, most: MOST_PAPERS })
  return shown.map(({ passage, text }) => ({ passage, text }))
}

/** Returns a function that returns the score of a sentence by the cross-encoder; NOT_READ if it was not read. */
function scoresOf(quotable: readonly Sentence[], compared: ComparedQuotes | undefined): (sentence: Sentence) => number {
  const known = new Map(compared?.scores?.map((score, at) => [quotable[compared.places[at]!]!, score]))
  return (sentence) => known.get(sentence) ?? NOT_READ
}

/**
 * Returns for each paper how many names of the question (a city, an acronym) its passages lack in comparison with the paper
 * that has most of them. A name is a word with a capital, except the first word. 0 for a question that is not English, because
 * in German every noun has a capital.
 */
function countLackedNames(question: string, passages: readonly PaperPassage[]): ReadonlyMap<string, number> {
  const [, ...words] = question.match(/[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*/gu) ?? []
  const names = isEnglishQuestion(question) ? words.filter((word) => word.length > 1 && /\p{Lu}/u.test(word)) : []
  return lackOf(passages, (text) => names.filter((name) => text.includes(name)).length)
}

/**
 * Returns how much of the question each paper lacks in comparison with the paper that covers most of it: the highest share of
 * the question's terms in a paper minus the share in this paper.
 */
function lackedTerms(question: string, passages: readonly PaperPassage[]): ReadonlyMap<string, number> {
  const asked = [...new Set(searchTerms(question))]
  return lackOf(passages, (text) => {
    const terms = new Set(searchTerms(text))
    return asked.filter((term) => terms.has(term)).length / (asked.length || 1)
  })
}

/**
 * Returns how far each paper is behind the best paper, by document id. The value of a paper is `valueOf` of the text of all its
 * passages; the result is the highest value of a paper minus its own value.
 */
function lackOf(passages: readonly PaperPassage[], valueOf: (text: string) => number): ReadonlyMap<string, number> {
  const texts = new Map<string, string>()
  for (const { document_id, content } of passages) texts.set(document_id, `${texts.get(document_id) ?? ''}\n${content}`)
  const values = [...texts].map(([id, text]) => [id, valueOf(text)] as const)
  const most = Math.max(...values.map(([, value]) => value))
  return new Map(values.map(([id, value]) => [id, most - value]))
}

/**
 * Returns a function that values how well a sentence answers the question, by meaning, words and kind of the sentence. The
 * caller adds the score of the passage and subtracts LACKED_NAME, LACKED_TERMS and OF_OTHERS.
 */
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
  const asksEffect = asksForEffect(question)
  const asksChange = asksForChange(question)
  return (sentence) => {
    const { passage, start, terms, text, isRow } = sentence
    const covered = weights.reduce((sum, [term, weight]) => sum + (terms.has(term) ? weight : 0), 0) / total
    const similarities = passage.sentences ?? []
    const similarity = similarities.find((one) => one.start === start)?.similarity ?? 0
    const bonus =
      (kind !== null && KINDS[kind].test(text) ? KIND_BONUS : 0) +
      (asksEffect && isFinding(text) ? FINDING_BONUS : 0) +
      (asksChange && hasFigure(text) ? KIND_BONUS : 0)
    const alignment = (isRow ? inPassage : alone).get(sentence)
    if (alignment === undefined) return similarity + ONLY_WORDS * covered + bonus
    if (!isRow) return alignment + SIMILARITY * similarity + WORDS * covered + bonus
    const nearest = Math.max(0, ...similarities.map((one) => one.similarity))
    return alignment + ROW.nearest * nearest + ROW.words * covered + bonus - (covered === 0 ? ROW_WITHOUT_TERM : 0)
  }
}

/** Returns, for each passage without a quotable sentence, such as a title, the sentence that the search found best. */
function withoutQuotable(passages: readonly Passage[], quotable: readonly Sentence[]): Sentence[] {
  const known = new Set(quotable.map(({ passage }) => passage))
  return passages.flatMap((passage, rank) => {
    if (known.has(passage)) return []
    const { content, page_offset, start, end } = passage
    const text = content.slice(start - page_offset, end - page_offset)
    return [{ text, terms: new Set(searchTerms(text)), passage, rank, start, end, isRow: false }]
  })
}
