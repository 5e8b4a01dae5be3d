import { asksForHarm } from '#server/language/harms-and-costs.ts'
import { searchTerms } from '#server/language/search-terms.ts'
import { withoutLabel } from './abstract-label.ts'
import { splitWithCaptions } from './captions.ts'
import { isRecordOfHarms } from './harms.ts'
import { asksForEffect } from './question-kind.ts'
import { hasFigure, isAnnouncement, isFinding, isObjective } from './sentence-cues.ts'

/**
 * A retrieved passage. `page_offset` is the offset of the passage in the text of its page; `start` and `end` are the offsets of
 * the best sentence of the passage, also in the text of the page.
 */
export interface Passage {
  content: string
  page_number: number
  page_offset: number
  /** Cosine of the best sentence to the question, 0..1; 0 when unknown. */
  similarity: number
  start: number
  end: number
  /**
   * The sentences as offsets in the page, with their cosines to the question. If undefined, `similarity` is used for all
   * sentences.
   */
  sentences?: readonly { start: number; end: number; similarity: number }[] | undefined
}

/** A sentence or table row of a passage that an answer can quote. */
export interface Sentence {
  text: string
  terms: Set<string>
  passage: Passage
  /** The zero-based index of the passage in the list of passages. */
  rank: number
  /** Offsets in the page. */
  start: number
  end: number
  isRow: boolean
}

const SHORTEST = 16
const SHORTEST_ROW = 8
const LONGEST = 600
/** Minimum share of words in lower case in a sentence. Lists of names and addresses have fewer. */
const LEAST_LOWER_CASE = 0.4
/** Matches three cells of a table: numbers separated by spaces only, unlike the list '12, 18, 24 and 30 °C'. */
const NUMBERS = /(?:^|\s)(?:[-−–]?\d+(?:[.,]\d+)*%?\s+){3}/u
/** Minimum share of letters and spaces among the characters of a sentence. */
const LEAST_LETTERS = 0.45

const CAPTION =
  /^(?:(?:supplementary |extended data )?(?:fig(?:ure)?s?|tables?|tabs?|box|listing|algorithm|appendix|equation|eq)\b\.?\s*\(?[\dA-Z]{1,4}\b|note:|notes:|source:)/i
/** Maximum length of a quote with its next sentence, in characters. Beyond it, the next sentence is not quoted. */
const LONGEST_PAIR = 700
/** Minimum length of a next sentence, in characters. A shorter one does not complete a quote. */
const SHORTEST_NEXT = 25
/** Two sentences are repetitions if they share at least this part of the terms of the one with fewer terms. */
const ALIKE = 0.6
const ASKS_FOR_QUESTIONS = /\b(?:questions?|RQ\s?\d)\b/i
/** Matches a question for results: 'What did the trial find?', 'Which results did the survey have?' */
const ASKS_FOR_RESULTS =
  /\b(?:what|which)\b.*\b(?:find|found|findings?|shows?|showed|shown|results?|reveal(?:ed)?|conclude[sd]?|conclusions?)\b/i
const ASKS_FOR_EXPECTATIONS = /\b(?:expect|hypothes|assum|predict)/i
/** Matches a sentence that states an aim: 'The aim was to determine whether naps improve recall.' */
const AIM =
  /^(?:the|our) (?:\w+ )?(?:aims?|objectives?|purpose|goal)\b|^(?:objectives?|aims?|purpose)\b\s*[:.]?\s|\bwe (?:aimed|sought|set out|therefore asked|asked|tested) (?:to|whether|how|if)\b|\bto (?:determine|examine|assess|investigate|evaluate|explore|test) (?:whether|the|how|if)\b/i
/** Matches a sentence that states an expectation: 'We therefore expected that nurses sleep longer.' */
const EXPECTATION = /\bwe (?:\w+ )?(?:expect(?:ed)?|hypothesi[sz]ed?|predicted)\b|\b(?:was|were) expected to\b/i
const ASKS_FOR_BACKGROUND = /\b(?:background|context|why|known|problem|motivation)\b/i
/** Matches a sentence after the label 'Background', 'Context' or 'Introduction' of a structured abstract. */
export const BACKGROUND = /^(?:Background|Context|Introduction)\b\s*[:.]?\s+\p{Lu}/u
/** Matches a question for a degree or an amount: 'How accurate are nurses?', but not 'How was the accuracy measured?' */
const ASKS_HOW_MUCH = /^how (?:accurate|effective|reliable|many|much|long|often|far|fast|strong|common|safe|well)\b/i
const ASKS_FOR_AIMS = /\b(?:aims?|aimed|goals?|purposes?|objectives?|hypothes[ie]s|why)\b/i
/** Matches a question for gaps of knowledge. A statement that something is not known answers it. */
const ASKS_FOR_GAPS =
  /\b(?:unclear|unknown|uncertain|known|evidence|research|gaps?|stud(?:y|ied)|measured|need(?:s|ed)?|future|limitations?)\b/i
/** Matches a statement that something is not known, as in the first and the last sentence of many abstracts. */
const GAP = new RegExp(
  [
    String.raw`^(?:it|whether\b.*|how\b.*|why\b.*) (?:is|was|remains?)(?: still| largely| currently)? (?:unclear|unknown|uncertain|not known|not clear)\b`,
    String.raw`\b(?:has|have) (?:rarely|seldom|hardly|never) been (?:measured|studied|tested|examined|investigated|evaluated|assessed|compared)\b`,
    String.raw`^(?:\w+ )?(?:evidence|research|data)\b.* (?:is|are|remains?)(?: still)? (?:scarce|sparse|limited|lacking)\b`,
    String.raw`^(?:very )?little is known\b`,
    String.raw`^(?:larger|longer|further|more|additional|future)\b.* (?:is|are) (?:needed|required|warranted|necessary)\b`,
  ].join('|'),
  'i',
)
const isQuestion = ({ text }: Sentence) => /\?["'”’»)\]]*$/.test(text)
/** Patterns of a reference list entry: DOI, volume(issue) and page, 'pp. 1', 'In: ', '[1] A', '(2020). A', three initials. */
const REFERENCE =
  /\bdoi\b|https?:\/\/doi|\d+\s?\(\d+\)\s?[:,]\s?\d+|\bpp\.? \d|\bIn: |^\[\d+\] \p{Lu}|\(\d{4}\)\. \p{Lu}|(?:\b\p{Lu}\.,? ){3}/u

/** Matches a date. Its numbers are not cells of a table: 'First version: February 6, 2016'. */
const DATE =
  /\b(?:January|February|March|April|May|June|July|August|September|October|November|December) \d{1,2}, \d{4}\b/g
/** Matches a publisher's line: an address, a DOI, or volume and year with or without pages as in '14 (2019) 211–219'. */
const PUBLISHER = /https?:\/\/|\bdoi\b|\b10\.\d{4,9}\/\S|\d\s?\((?:19|20)\d{2}\)(?:$|[,:]?\s?\p{L}?\d)/iu

/**
 * Returns the sentences, list items and table rows of passages that an answer can quote; no captions, references, fragments.
 */
export const quotableSentences = (passages: readonly Passage[]): Sentence[] =>
  passages.flatMap((passage, rank) => sentencesOf(passage, rank))

/** Returns the text to quote: the sentence without the labels of a structured abstract, or the whole table row. */
export const quoteOf = ({ text, isRow }: Sentence): string => (isRow ? text : withoutLabel(text))

/** Returns whether a sentence states an aim and no result. */
function isAim({ text }: Sentence): boolean {
  return (isObjective(text) && !isFinding(text)) || (AIM.test(text) && !hasFigure(text))
}

/**
 * Kinds of sentences that can contain the words of a question without answering it. `appliesTo` returns whether a question
 * excludes the kind.
 */
const NO_ANSWERS: readonly { is: (sentence: Sentence) => boolean; appliesTo: (question: string) => boolean }[] = [
  { is: ({ text }) => isAnnouncement(text), appliesTo: () => true },
  { is: isQuestion, appliesTo: (question) => !ASKS_FOR_QUESTIONS.test(question) },
  { is: ({ text }) => GAP.test(text), appliesTo: (question) => !ASKS_FOR_GAPS.test(question) },
  {
    is: isAim,
    appliesTo: (question) =>
      (ASKS_FOR_RESULTS.test(question) || asksForEffect(question) || asksForHarm(question)) &&
      !ASKS_FOR_AIMS.test(question),
  },
  { is: ({ text }) => isRecordOfHarms(text), appliesTo: asksForHarm },
  { is: ({ text }) => EXPECTATION.test(text), appliesTo: (question) => !ASKS_FOR_EXPECTATIONS.test(question) },
  { is: ({ text }) => BACKGROUND.test(text), appliesTo: (question) => !ASKS_FOR_BACKGROUND.test(question) },
  // An aim with a number is kept: 'We studied 240 adults' answers 'How many …?'.
  {
    is: ({ text }) => isObjective(text) && !isFinding(text) && !hasFigure(text),
    appliesTo: (question) => ASKS_HOW_MUCH.test(question) && !ASKS_FOR_AIMS.test(question),
  },
]

/**
 * Returns the sentences that can answer a question. Excludes the kinds in NO_ANSWERS, such as questions of the paper,
 * statements that something is not known, and aims if the question asks for a result. A kind is not excluded if the question
 * asks for it, or if no other sentence would remain.
 */
export const answersAmong = (question: string, sentences: readonly Sentence[]): readonly Sentence[] =>
  NO_ANSWERS.filter(({ appliesTo }) => appliesTo(question)).reduce((kept, { is }) => {
    const answers = kept.filter((sentence) => !is(sentence))
    return answers.length > 0 ? answers : kept
  }, sentences)

/**
 * Returns the sentence that directly follows another sentence in its passage. Returns null if other text is between them, if
 * one of them is a table row, if the next one is short, or if both together are longer than LONGEST_PAIR.
 */
export function nextOf<T extends Sentence>(
  { passage, start, end, isRow }: Sentence,
  sentences: readonly T[],
): T | null {
  const next = sentences.find((one) => one.passage === passage && one.start >= end)
  if (!next || isRow || next.isRow || next.end - start > LONGEST_PAIR || next.text.length < SHORTEST_NEXT) return null
  const between = passage.content.slice(end - passage.page_offset, next.start - passage.page_offset)
  return between.trim() === '' ? next : null
}

/** Returns whether two sentences have most of their terms in common. */
export function areAlike({ terms: a }: Sentence, { terms: b }: Sentence): boolean {
  const least = Math.min(a.size, b.size)
  return least > 0 && [...a].filter((term) => b.has(term)).length >= ALIKE * least
}

/** The texts of passages to compare with a question. */
export interface ComparedTexts {
  texts: string[]
  /** The indexes of the quotable sentences in `texts`, in the order of `quotableSentences`. */
  quotable: number[]
  /** Groups of indexes of texts that are judged together: each text alone, and all texts of each passage with a table row. */
  units: number[][]
  /** The indexes of the texts of each passage; passages without texts are omitted. */
  passages: number[][]
  /** The cosine of each text to the question; 0 if it is unknown. */
  similarities: number[]
}

/**
 * Returns the texts of passages to compare with a question: all texts of a passage with a table row, because a row needs its
 * caption, and only the quotable sentences of other passages.
 */
export function textsToCompare(passages: readonly Passage[]): ComparedTexts {
  const compared: ComparedTexts = { texts: [], quotable: [], units: [], passages: [], similarities: [] }
  for (const passage of passages) {
    const own = new Map(sentencesOf(passage, 0).map((sentence) => [sentence.start - passage.page_offset, sentence]))
    const hasRow = [...own.values()].some(({ isRow }) => isRow)
    const first = compared.texts.length
    for (const { start, end } of splitWithCaptions(passage.content)) {
      if (!own.has(start) && !hasRow) continue
      if (own.has(start)) compared.quotable.push(compared.texts.length)
      compared.units.push([compared.texts.length])
      compared.texts.push(passage.content.slice(start, end))
      const known = passage.sentences?.find((one) => one.start === passage.page_offset + start)
      compared.similarities.push(known?.similarity ?? 0)
    }
    const places = compared.texts.slice(first).map((_, at) => first + at)
    if (places.length > 0) compared.passages.push(places)
    if (hasRow) compared.units.push(places)
  }
  return compared
}

function sentencesOf(passage: Passage, rank: number): Sentence[] {
  const { content, page_offset } = passage
  return splitWithCaptions(content).flatMap((span) => {
    if (span.isCaption) return []
    const text = content.slice(span.start, span.end)
    const isRow = isTableRow(text)
    if (!isRow && !isWhole(text) && !isListItem(text)) return []
    const [start, end] = [page_offset + span.start, page_offset + span.end]
    return [{ text, terms: new Set(searchTerms(text)), passage, rank, start, end, isRow }]
  })
}

/**
 * Returns whether a text is a table row: cells separated by tabs, at least one with a number. Papers extracted by an earlier
 * version have spaces between cells: such a row ends with a number and has two adjacent numbers, unlike 'Received 2 October
 * 2018'.
 */
function isTableRow(text: string): boolean {
  if (text.length < SHORTEST_ROW || text.length > LONGEST || /[.!?:]$/.test(text) || CAPTION.test(text)) return false
  if (PUBLISHER.test(text)) return false
  const hasNumber = (cell: string | undefined) => /\p{N}/u.test(cell ?? '')
  if (text.includes('\t')) return text.split('\t').some(hasNumber)
  const cells = text.replaceAll(DATE, ' ').trim().split(' ')
  return hasNumber(cells.at(-1)) && cells.some((cell, at) => at > 0 && hasNumber(cell) && hasNumber(cells[at - 1]))
}

/** Returns whether a text is an item of a list, which can end without a full stop. */
const isListItem = (text: string) =>
  /^(?:[•▪∙*–-]|\(?(?:\p{N}{1,2}|[a-z])[.)])\s/u.test(text) &&
  text.length >= SHORTEST &&
  text.length <= LONGEST &&
  !REFERENCE.test(text)

function isWhole(text: string): boolean {
  if (text.length < SHORTEST || text.length > LONGEST) return false
  if (!/^["'“‘«([¿¡•–-]*\s*[\p{Lu}\p{N}]/u.test(text) || !/[.!?。！？]["'”’»)\]]*$/u.test(text)) return false
  if (CAPTION.test(text) || REFERENCE.test(text) || NUMBERS.test(text)) return false
  const words = text.match(/\p{L}+/gu) ?? []
  if (words.filter((word) => /^\p{Ll}/u.test(word)).length < LEAST_LOWER_CASE * words.length) return false
  // Table rows and formulas are mostly digits and symbols. 'Sensitivity was 87.1% (149 of 171; 95% CI 81.2 to 91.7).' has .5
  // letters and spaces.
  return (text.match(/[\p{L}\s]/gu)?.length ?? 0) >= LEAST_LETTERS * text.length
}
