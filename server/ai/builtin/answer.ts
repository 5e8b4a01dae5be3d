import { partAsked, type PaperPart } from '#server/language/question-part.ts'
import { searchTerms } from '#server/language/search-terms.ts'
import { WEAK_MATCH_ANSWER, NO_SENTENCE_ANSWER } from '#shared/contract/chat.ts'
import { alignmentsOf, type AlignedWord } from './align-words.ts'
import { limited, NOT_READ } from './cross-encoder/read-together.ts'
import { fitOf } from './part-fit.ts'
import { focusedInPaper, focusOf, isAnsweredBy } from './question-focus.ts'
import { KINDS, questionKind } from './question-kind.ts'
import {
  answersAmong,
  areAlike,
  nextOf,
  quotableSentences,
  quoteOf,
  type Passage,
  type Sentence,
} from './quotable-sentences.ts'

interface Question {
  question: string
  passages: readonly Passage[]
  /** The IDF in the paper of each term of the question. By default, the IDF is computed from the passages. */
  weights?: readonly (readonly [term: string, idf: number])[] | undefined
  /**
   * The words of the question with their cosines to the quotable sentences, in the order of the sentences. If undefined, the
   * cosine of each whole sentence to the question is used instead.
   */
  words?: readonly AlignedWord[] | undefined
  /** The score that the cross-encoder gives each quotable sentence (see readTogether), in the order of the sentences. */
  scores?: readonly number[] | null | undefined
}

interface Scored extends Sentence {
  similarity: number
  coverage: number
  value: number
  /**
   * The score of the cross-encoder, multiplied by READ (its weight when the chosen sentences are sorted); 0 without a score.
   */
  read: number
}

/**
 * Maximum number of quotes in an answer: QUOTES if the best sentence has the value CERTAIN or higher, which means that it
 * probably answers the question; otherwise MOST_QUOTES.
 */
const QUOTES = 3
const MOST_QUOTES = 5
const CERTAIN = 1.3
/**
 * Weights in the value of a sentence (higher values are quoted) if its words were not compared with those of the question.
 * WORDS weights the share of the question's words that the sentence contains (by IDF); PASSAGE weights the highest cosine of a
 * sentence of its passage to the question. The cosine of the sentence itself has the weight 1.
 */
const WORDS = 0.5
const PASSAGE = 0.3
/**
 * Weights in the value of a sentence (higher values are quoted) if its words were compared with those of the question. This
 * comparison (the alignment) has the weight 1. SENTENCE weights the cosine of the sentence to the question, ALIGNED_WORDS the
 * share of the question's words that it contains (by IDF). Sentences of later passages lose RANK for each earlier passage.
 */
const SENTENCE = 0.5
const ALIGNED_WORDS = 0.2
const RANK = 0.03
/** Weight of the cross-encoder's score when the chosen sentences are sorted; it does not affect which sentences are chosen. */
const READ = 0.1
/** Minimum score of the cross-encoder for the sentence after a quote. If its score is lower, it is not added to the quote. */
const LEAST_NEXT = -6
/**
 * Prefers sentences of the kind that the question asks for: added to the value of a sentence that contains a number, date or
 * list if the question asks for one.
 */
const KIND_BONUS = 0.1
/**
 * A table row has no vector, so its cosine to the question is estimated as this share of the highest cosine of a sentence in
 * its passage.
 */
const ROW = 0.8
/**
 * Excludes sentences that are much worse than a clear best sentence. If the value of the best sentence is CLEAR or higher,
 * another sentence is quoted only if its value is at least this value times FURTHER.
 */
const CLEAR = 1.1
const FURTHER = 0.6
/**
 * The answer begins with the notice WEAK_MATCH_ANSWER ('These passages match the question only loosely') if every quote
 * contains less than the share LOOSE_COVERAGE of the question's words and has a lower cosine to the question than
 * LOOSE_SIMILARITY, unless a quote is of the kind that the question asks for, such as harms.
 */
const LOOSE_COVERAGE = 0.5
const LOOSE_SIMILARITY = 0.45

/**
 * Answers by quoting: one to three sentences or table rows of the passages, up to five if none is certain. Each quote is in
 * quotation marks (“”), is followed by its page as `[p. 4]`, and can be followed by the next sentence of its passage. The best
 * quote comes first, the others follow in the order of the paper. The value of a sentence depends on the alignment of its words
 * with the words of the question (see align-words.ts), its cosine to the question and the share of the question's IDF that it
 * covers. A number, date, amount or list adds to the value if the question asks for one. For a general question ('What did the
 * study find?'), the kind of the sentence counts instead. Excludes captions, reference list entries, fragments and repetitions.
 * Begins with a notice if all matches are loose. Returns NO_SENTENCE_ANSWER if there is no sentence.
 */
export function answerExtractively({ question, passages, weights, words, scores }: Question): string {
  const part = partAsked(question)
  const quotable = quotableSentences(passages)
  const idf = weights?.length ? new Map(weights) : idfOver(searchTerms(question), quotable)
  const aligned = words ? alignmentsOf(words, idf) : []
  const alignments = new Map(aligned.map((alignment, at) => [quotable[at]!, alignment]))
  const known = new Map(scores?.map((score, at) => [quotable[at]!, score]))
  const read = (sentence: Sentence) => (scores ? READ * limited(known.get(sentence) ?? NOT_READ) : 0)
  const found = focusedInPaper(question, passages, answersAmong(question, quotable))
  const scored = part ? scoreByKind(part, found) : scoreByMatch(question, found, { idf, alignments, read })
  const chosen = choose(scored, part ? QUOTES : MOST_QUOTES)
  if (chosen.length === 0) return NO_SENTENCE_ANSWER
  const focus = focusOf(question, passages.map(({ content }) => content).join('\n'))
  const isLoose =
    chosen.every(({ coverage, similarity }) => coverage < LOOSE_COVERAGE && similarity < LOOSE_SIMILARITY) &&
    !(focus && isAnsweredBy(question, focus, chosen.filter(focus.is)))
  const [best, ...further] = withNext(bestFirst(chosen), part ? [] : scored)
  // The best sentence first; the others read best in the order of the paper.
  const inOrder = further.toSorted(([a], [b]) => a!.passage.page_number - b!.passage.page_number || a!.start - b!.start)
  const quotes = [best!, ...inOrder]
    .flat()
    .map((sentence) => `“${inOneLine(quoteOf(sentence))}” [p. ${sentence.passage.page_number}]`)
  return (isLoose ? [WEAK_MATCH_ANSWER, ...quotes] : quotes).join('\n')
}

/** Returns a text in one line. Separates the cells of a table row by ' | '. */
const inOneLine = (text: string) => text.replace(/\s*\t\s*/g, ' | ').replace(/\s+/g, ' ')

function scoreByMatch(
  question: string,
  sentences: readonly Sentence[],
  {
    idf,
    alignments,
    read,
  }: {
    idf: ReadonlyMap<string, number>
    alignments: ReadonlyMap<Sentence, number>
    read: (sentence: Sentence) => number
  },
): Scored[] {
  const kind = questionKind(question)
  return sentences.map((sentence) => {
    const coverage = coverageOf(sentence.terms, idf)
    const similarity = similarityOf(sentence)
    const nearest = Math.max(0, ...(sentence.passage.sentences ?? [sentence.passage]).map((one) => one.similarity))
    const alignment = sentence.isRow ? undefined : alignments.get(sentence)
    const match =
      alignment === undefined
        ? similarity + WORDS * coverage + PASSAGE * nearest
        : alignment + SENTENCE * similarity + ALIGNED_WORDS * coverage
    const isKind = kind !== null && KINDS[kind].test(sentence.text)
    const value = match - RANK * sentence.rank + (isKind ? KIND_BONUS : 0)
    return { ...sentence, coverage, similarity, value, read: read(sentence) }
  })
}

function scoreByKind(part: PaperPart, sentences: readonly Sentence[]): Scored[] {
  return sentences
    .filter(({ isRow }) => !isRow)
    .map((sentence) => {
      const { passage, start, end, rank } = sentence
      const coverage = fitOf(part, sentence, { isUnderHeading: true })
      const isBest = start < passage.end && end > passage.start
      const similarity = isBest ? passage.similarity : passage.similarity / 2
      return { ...sentence, coverage, similarity, value: coverage + similarity - RANK * rank, read: 0 }
    })
    .filter(({ value }, _at, all) => value >= FURTHER * Math.max(...all.map((one) => one.value)))
}

function similarityOf({ passage, start, isRow }: Sentence): number {
  if (!passage.sentences) return passage.similarity
  const own = passage.sentences.find((one) => one.start === start)
  if (own) return own.similarity
  return isRow ? ROW * Math.max(0, ...passage.sentences.map(({ similarity }) => similarity)) : 0
}

/** Returns the best sentences without repetitions: at most three, or at most `most` if the best value is below CERTAIN. */
function choose(sentences: readonly Scored[], most: number): Scored[] {
  const chosen: Scored[] = []
  for (const sentence of sentences.toSorted((a, b) => b.value - a.value)) {
    const best = chosen[0]?.value ?? 0
    if (chosen.length === (best >= CERTAIN ? QUOTES : most) || (best >= CLEAR && sentence.value < FURTHER * best)) break
    if (!chosen.some((other) => areAlike(other, sentence))) chosen.push(sentence)
  }
  return chosen
}

/** Sorts the chosen sentences by value plus cross-encoder score. The cross-encoder alone would choose fewer right sentences. */
const bestFirst = (chosen: readonly Scored[]): Scored[] =>
  chosen.toSorted((a, b) => b.value + b.read - (a.value + a.read))

/**
 * Returns each sentence with the next one of its passage, which often completes it, unless the next one has a low score of the
 * cross-encoder. Returns no sentence twice.
 */
function withNext(chosen: readonly Scored[], sentences: readonly Scored[]): Sentence[][] {
  const quotes: Sentence[][] = []
  for (const sentence of chosen) {
    const isQuoted = (one: Sentence) =>
      quotes.flat().some(({ passage, start }) => passage === one.passage && start === one.start)
    if (isQuoted(sentence)) continue
    const next = nextOf(sentence, sentences)
    const isAdded = next && next.read >= READ * LEAST_NEXT && !isQuoted(next)
    quotes.push(isAdded ? [sentence, next] : [sentence])
  }
  return quotes
}

function idfOver(terms: readonly string[], sentences: readonly Sentence[]): Map<string, number> {
  return new Map(
    terms.map((term) => {
      const n = sentences.filter((sentence) => sentence.terms.has(term)).length
      return [term, Math.log(1 + (sentences.length - n + 0.5) / (n + 0.5))]
    }),
  )
}

function coverageOf(terms: ReadonlySet<string>, weights: ReadonlyMap<string, number>): number {
  let total = 0
  let covered = 0
  for (const [term, weight] of weights) {
    total += weight
    if (terms.has(term)) covered += weight
  }
  return total > 0 ? covered / total : 0
}
