import { isEnglishText } from '#server/language/english.ts'
import { asksForAmount, asksForHarm } from '#server/language/harms-and-costs.ts'
import { asksForSampleSize } from '#server/language/sample-size.ts'
import { searchTerms } from '#server/language/search-terms.ts'
import { isHarm } from './harms.ts'
import { KINDS } from './question-kind.ts'
import type { PaperPassage } from './paper-passage.ts'
import type { Passage, Sentence } from './quotable-sentences.ts'
import { statesSampleSize } from './sentence-cues.ts'

/** The kind of sentence that a question asks for: reports of harms, amounts of money, or sizes of samples. */
export interface Focus {
  is: (sentence: Sentence) => boolean
  /** Matches the words with which questions ask for this kind. The answering sentences can have other words. */
  words: RegExp
  /** True if no other sentence can answer: a sentence about a benefit does not answer a question about harms. */
  isRequired: boolean
  /** True if an answering sentence must contain the subject of the question: an amount can be the price of another thing. */
  needsSubject: boolean
}

/**
 * Returns whether a sentence is a table row and `is` returns true for the caption of the table ('Table 3. Adverse events by
 * group') or for a line of cells ('Costs (EUR)') in its passage.
 */
const isInTableOf = ({ isRow, passage }: Sentence, is: (line: string) => boolean) =>
  isRow && passage.content.split('\n').some((line) => /^(?:table|tab\.)|\t/i.test(line) && is(line))
const MONEY = /[€$£¥₹]|\b(?:costs?|prices?|fees?|euros?|dollars?|EUR|USD|GBP|CHF)\b/i

const HARM: Focus = {
  is: (sentence) => isHarm(sentence.text) || isInTableOf(sentence, isHarm),
  words:
    /^(?:side|effects?|adverse|events?|reactions?|harm\w*|safe\w*|unsafe|complications?|toxic\w*|tolera\w+|dangerous|dangers?|unwanted|undesirable|negative|serious|risky?)$/i,
  isRequired: true,
  needsSubject: false,
}
const AMOUNT: Focus = {
  is: (sentence) => KINDS.money.test(sentence.text) || isInTableOf(sentence, (line) => MONEY.test(line)),
  words:
    /^(?:costs?|prices?|priced|pay|pays|paid|fees?|charged?|expensive|costly|cheap|money|much|euros?|dollars?|pounds?)$/i,
  isRequired: false,
  needsSubject: true,
}
const SAMPLE_SIZE: Focus = {
  is: ({ text, isRow }) => !isRow && statesSampleSize(text),
  words:
    /^(?:many|people|persons?|individuals|participants?|participated|subjects|volunteers|took|part|sample|size|large|big|total|included?|enroll?(?:ed)?|recruit(?:ed)?|randomi[sz]ed?|studied|involved?|examined?|surveyed|interview(?:ed)?)$/i,
  isRequired: false,
  needsSubject: false,
}

/** Search terms that occur in questions for a kind of sentence but do not name the subject of the question. */
const NO_SUBJECT = new Set(
  searchTerms(
    'treatment treatments intervention interventions therapy programme study studies trial trials paper papers patients participants people anybody anyone cause caused causes occur occurred happen happened report reported observe observed suffer suffered experience experienced lead led common frequent rare important main consider considered use used find found result results article articles project take taken person per year average total',
  ),
)

/**
 * Returns the kind of sentence that answers a question about harms, costs or the size of a sample. Returns null for every other
 * question, and if `content`, the text of the passages, is not English.
 */
export function focusOf(question: string, content: string): Focus | null {
  const focus = kindOf(question)
  return focus && isEnglishText(content.slice(0, 20_000)) ? focus : null
}

function kindOf(question: string): Focus | null {
  if (asksForHarm(question)) return HARM
  if (asksForAmount(question)) return AMOUNT
  return asksForSampleSize(question) ? SAMPLE_SIZE : null
}

/**
 * Returns the search terms that name the subject of a question about harms, costs or a sample size. Omits the words with which
 * questions ask for these (`words`), and general words such as 'treatment' or 'study' (NO_SUBJECT).
 */
export function subjectTerms(question: string, { words }: Focus): string[] {
  const others = (question.match(/[\p{L}\p{N}'’-]+/gu) ?? []).filter((word) =>
    word.split('-').some((part) => !words.test(part)),
  )
  return [...new Set(searchTerms(others.join(' ')))].filter((term) => !NO_SUBJECT.has(term))
}

/**
 * Excludes papers about another subject. For each paper, the share of the question's subject terms that it contains is
 * computed. A paper is excluded if its share is lower than the highest share of all papers by more than MOST_LACKED.
 */
const MOST_LACKED = 0.34

interface Sought {
  question: string
  /** The previous question if this one refers to it; else null. */
  before: string | null
  passages: readonly PaperPassage[]
}

/**
 * Returns the sentences of the kind that the question asks for (see Focus), or all `sentences` if it asks for no kind. If no
 * sentence is of the kind, returns all sentences, or none if only a sentence of this kind can answer. `passages` are the
 * passages of the sentences.
 */
export function focusedInLibrary(
  { question, before, passages }: Sought,
  sentences: readonly Sentence[],
): readonly Sentence[] | null {
  const focus = focusOf(question, passages.map(({ content }) => content).join('\n'))
  if (!focus) return null
  const own = subjectTerms(question, focus)
  const terms = own.length > 0 || before === null ? own : searchTerms(before)
  const texts = Map.groupBy(passages, ({ document_id }) => document_id)
  const shares = new Map(
    [...texts].map(([id, ofPaper]) => {
      const known = new Set(ofPaper.flatMap(({ title, content }) => searchTerms(`${title ?? ''}\n${content}`)))
      return [id, terms.filter((term) => known.has(term)).length / (terms.length || 1)] as const
    }),
  )
  const least = Math.max(...shares.values()) - MOST_LACKED
  const focused = sentences.filter(
    (sentence) => focus.is(sentence) && shares.get(passages[sentence.rank]!.document_id)! >= least,
  )
  return focused.length > 0 || focus.isRequired ? focused : null
}

/**
 * Returns the sentences of the kind that the question asks for (see Focus). If there is no such sentence, returns [] if only
 * this kind can answer, else all sentences. Returns all sentences if the question asks for no kind.
 */
export function focusedInPaper(
  question: string,
  passages: readonly Passage[],
  sentences: readonly Sentence[],
): readonly Sentence[] {
  const focus = focusOf(question, passages.map(({ content }) => content).join('\n'))
  const focused = focus ? sentences.filter(focus.is) : []
  return focused.length > 0 || focus?.isRequired ? focused : sentences
}

/**
 * Returns whether one of the sentences answers the question. All sentences are of the kind `focus`. A sentence with an amount
 * of money must also contain all terms of the question's subject, because the amount can be the price of another thing.
 */
export function isAnsweredBy(question: string, focus: Focus, sentences: readonly Sentence[]): boolean {
  if (!focus.needsSubject) return sentences.length > 0
  const terms = subjectTerms(question, focus)
  return terms.length > 0 && sentences.some((sentence) => terms.every((term) => sentence.terms.has(term)))
}

/**
 * Returns those words of a question that the passages must contain if the question is answerable. `textOf` returns the text of
 * an element of `words`. `answered` is the kind of sentence (such as harms or costs) for which an answering sentence has been
 * found, else null. The question's words for this kind are then omitted: 'No adverse events occurred' answers a question about
 * side effects without the word 'side'.
 */
export const wordsToCover = <T>(words: readonly T[], textOf: (word: T) => string, answered: Focus | null): T[] =>
  words.filter((word) => !answered?.words.test(textOf(word)))
