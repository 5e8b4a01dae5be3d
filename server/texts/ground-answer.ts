import {
  WEAK_MATCH_ANSWER,
  NO_ANSWER_FOUND,
  NO_PASSAGES_ANSWER,
  NO_SENTENCE_ANSWER,
  type AnswerStatement,
} from '#shared/contract/chat.ts'
import { findPassage, normalizeWithMap } from '#shared/passages/find-passage.ts'
import { type PageRange, pagesIn } from '#shared/passages/page-ranges.ts'
import type { PageText } from '#shared/pdf-text/page-text.ts'
import type { FoundPassage } from '#shared/contract/passages.ts'
import { unsupportedNumbers } from './unsupported-numbers.ts'
import { readSentences, type WrittenSentence } from './read-answer.ts'

/** Sentences that Lectern itself writes in an answer, such as a notice. They have no passages. */
const OWN_WORDS = new Set(
  [WEAK_MATCH_ANSWER, NO_SENTENCE_ANSWER, NO_PASSAGES_ANSWER].flatMap(readSentences).map(({ text }) => text),
)
/**
 * Minimum length of a run of words that both a reworded sentence and the paper contain, in words and in letters. A shorter run
 * does not locate the sentence.
 */
const LEAST_RUN_WORDS = 5
const LEAST_RUN_LETTERS = 24
/**
 * Number of words at the start of a sentence of an answer that are compared with the paper. The time grows with the square of
 * this number.
 */
const MOST_WORDS = 80

/**
 * Splits an answer into sentences and finds their passages in the paper. Searches for the quoted words of a sentence, or for
 * the whole sentence if it has none, nearest to the cited page. For a reworded sentence, finds the longest run of words that a
 * cited page contains; its match is 'approximate', and its score is the run's share of the sentence. A cited page or range of
 * pages without a match gives a passage with the match 'none'. `unsupported_numbers` are the numbers of a sentence that the
 * paper does not have at its passages.
 */
export function groundAnswer(answer: string, pages: readonly PageText[]): AnswerStatement[] {
  return readSentences(answer).map((sentence) => {
    const isOwn = OWN_WORDS.has(sentence.text) || sentence.text.startsWith(NO_ANSWER_FOUND)
    const passages = isOwn ? [] : passagesOf(sentence, pages)
    return { text: sentence.text, passages, unsupported_numbers: unsupportedNumbers(sentence.text, passages, pages) }
  })
}

function passagesOf(sentence: WrittenSentence, pages: readonly PageText[]): FoundPassage[] {
  const [nearest] = sentence.cited
  // The middle of a range is nearer to each of its pages than to any other page.
  const near = nearest ? { nearPage: (nearest.first + nearest.last) / 2 } : {}
  const wanted = sentence.quotes.length > 0 ? sentence.quotes : [sentence.text]
  const found = wanted.map((quote) => findPassage(pages, quote, near))
  if (sentence.quotes.length === 0 && found[0]!.match === 'none') {
    const runs = sentence.cited.flatMap((range) => longestRunIn(sentence.text, range, pages) ?? [])
    if (runs.length > 0) found.splice(0, 1, ...runs)
  }
  if (found.every(({ match }) => match === 'none')) return found
  const isBacked = (range: PageRange) => found.some(({ page }) => page !== null && pagesIn(range).includes(page))
  return [...found, ...sentence.cited.filter((range) => !isBacked(range)).map(() => NOT_FOUND)]
}

const NOT_FOUND: FoundPassage = { quote: null, page: null, start: null, end: null, match: 'none', score: 0 }

/** Returns the longest run of words of a sentence that a page of the range contains; null without one. */
function longestRunIn(text: string, range: PageRange, pages: readonly PageText[]): FoundPassage | null {
  const cited = pagesIn(range).flatMap((number) => pages.find(({ page }) => page === number) ?? [])
  const runs = cited.flatMap((page) => longestRun(text, page) ?? [])
  return runs.reduce<FoundPassage | null>((best, run) => (best && best.score >= run.score ? best : run), null)
}

/**
 * Returns the longest run of words of a sentence that a page contains, compared by letters and digits; null if no run is long
 * enough.
 */
function longestRun(text: string, page: PageText): FoundPassage | null {
  const words = text.split(/\s+/).slice(0, MOST_WORDS)
  const letters = words.map((word) => normalizeWithMap(word).text)
  const there = normalizeWithMap(page.text).text
  for (let length = words.length; length >= LEAST_RUN_WORDS; length--) {
    for (let from = 0; from + length <= words.length; from++) {
      const run = letters.slice(from, from + length).join('')
      if (run.length < LEAST_RUN_LETTERS || !there.includes(run)) continue
      const passage = findPassage([page], words.slice(from, from + length).join(' '))
      if (passage.match === 'none') continue
      return {
        ...passage,
        match: 'approximate',
        score: Math.round((1000 * run.length) / letters.join('').length) / 1000,
      }
    }
  }
  return null
}
