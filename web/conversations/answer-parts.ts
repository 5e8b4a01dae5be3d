import type {
  AnswerSentence,
  AnswerSource,
  ConversationMessage,
  LibraryAnswer,
  StoredEvidence,
} from '#shared/contract/conversations.ts'
import { labelOfPart } from '#shared/contract/answer-texts.ts'
import { CONTEXT_CHARACTERS } from '#shared/contract/evidence.ts'

/** Longest end of a sentence that stays on one line with its number chips, in characters. */
const LONGEST_END = 20

/**
 * Consecutive sentences of an answer that belong to the same side of a disagreement between papers. `label` describes the side,
 * as in '4 papers report a gain'; it is null for sentences without a side, except for quotes beside sides (see labelOfPart).
 */
export interface AnswerSection {
  group: number | null
  label: string | null
  /** Each sentence with its index in the answer. */
  sentences: { sentence: AnswerSentence; index: number }[]
}

/**
 * Divides the sentences of an answer into sections, in their order. A new section begins where the sentences change to another
 * side of a disagreement between papers, or to no side.
 */
export function answerSections(answer: Pick<LibraryAnswer, 'kind' | 'sentences' | 'groups'>): AnswerSection[] {
  const sections: AnswerSection[] = []
  for (const [index, sentence] of answer.sentences.entries()) {
    const { group } = sentence
    if (sections.length === 0 || sections.at(-1)!.group !== group)
      sections.push({ group, label: labelOfPart(group, answer), sentences: [] })
    sections.at(-1)!.sentences.push({ sentence, index })
  }
  return sections
}

/** A paper that a sentence cites, and the first quote from this paper in the evidence of the sentence. */
export interface Cited {
  source: AnswerSource
  evidence: StoredEvidence
}

/** Returns the papers that a sentence cites, each once, sorted by the number that a paper has in the conversation. */
export function citedPapers({ evidence }: AnswerSentence, sources: readonly AnswerSource[]): Cited[] {
  return sources
    .flatMap((source) => {
      const first = evidence.find((one) => one.document_id === source.document_id)
      return first ? [{ source, evidence: first }] : []
    })
    .toSorted((one, other) => one.source.number - other.source.number)
}

/**
 * Splits a sentence before its last word. The screen keeps the last word (`end`) on one line with the numbers of the cited
 * papers. Of a word with more than 20 characters, `end` is only the last 20. Removes trailing white space.
 */
export function splitEnd(text: string): [start: string, end: string] {
  const trimmed = text.trimEnd()
  const space = trimmed.search(/\S+$/)
  const at = Math.max(space, trimmed.length - LONGEST_END, 0)
  return [trimmed.slice(0, at), trimmed.slice(at)]
}

/** A part of a text. `isMarked`: the part is one of the words to mark. */
export interface WordPart {
  text: string
  isMarked: boolean
}

/**
 * Splits a text at each of `words`, which are to be marked, for example numbers of a sentence that are not in its quote.
 */
export function wordParts(text: string, words: readonly string[]): WordPart[] {
  const known = words.filter(Boolean).toSorted((one, other) => other.length - one.length)
  if (known.length === 0) return text ? [{ text, isMarked: false }] : []
  const escaped = known.map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join('|')
  // A digit beside the word means another number: 8 is not in 18 or 8.5.
  const pattern = new RegExp(String.raw`(?<![\p{L}\p{N}]|\d[.,])(${escaped})(?![\p{L}\p{N}]|[.,]\d)`, 'u')
  return text
    .split(pattern)
    .map((part, index) => ({ text: part, isMarked: index % 2 === 1 }))
    .filter((part) => part.text !== '')
}

/**
 * Returns a key of a quote: its paper, page, offset and words. It is equal for different sentences that cite the same quote.
 */
const placeOf = ({ document_id, page, start, quote }: StoredEvidence) => `${document_id} ${page} ${start} ${quote}`

/**
 * Removes repeated quotes from a list. `evidenceOf` returns the evidence of an object; of objects with the same quote from the
 * same page and offset of a paper, only the first stays.
 */
function firstOfEachPlace<T>(list: readonly T[], evidenceOf: (one: T) => StoredEvidence): T[] {
  const places = new Map<string, T>()
  for (const one of list) {
    const place = placeOf(evidenceOf(one))
    if (!places.has(place)) places.set(place, one)
  }
  return [...places.values()]
}

/** Returns the quotes of an answer that are from one paper, without duplicates. */
export const quotesOf = ({ sentences }: Pick<LibraryAnswer, 'sentences'>, documentId: string): StoredEvidence[] =>
  firstOfEachPlace(
    sentences.flatMap(({ evidence }) => evidence.filter((one) => one.document_id === documentId)),
    (one) => one,
  )

/**
 * Returns the quotes of all sentences of an answer except `sentence`, each with its sentence. Omits duplicates and quotes that
 * `sentence` also cites.
 */
export function otherQuotes(
  sentences: readonly AnswerSentence[],
  sentence: AnswerSentence,
): { sentence: AnswerSentence; evidence: StoredEvidence }[] {
  const own = new Set(sentence.evidence.map(placeOf))
  const others = sentences.filter((one) => one !== sentence)
  return firstOfEachPlace(
    others.flatMap((other) => other.evidence.map((evidence) => ({ sentence: other, evidence }))),
    ({ evidence }) => evidence,
  ).filter(({ evidence }) => !own.has(placeOf(evidence)))
}

/**
 * Returns the evidence (a quote of a paper) with an id, or null. Searches all answers of a conversation, and the passages that
 * are shown when no paper answered a question.
 */
export function findEvidence(messages: readonly ConversationMessage[], id: string | undefined): StoredEvidence | null {
  if (id === undefined) return null
  for (const { answer } of messages)
    for (const one of answer ? [...answer.sentences.flatMap(({ evidence }) => evidence), ...answer.nearest] : [])
      if (one.id === id) return one
  return null
}

/**
 * Returns the title of a cited paper of a conversation. If the paper has no title, returns its citation; if no message of the
 * conversation cites it, returns 'Paper'.
 */
export function titleOfPaper(messages: readonly ConversationMessage[], documentId: string): string {
  const cited = messages.flatMap(({ sources }) => sources).find(({ document_id }) => document_id === documentId)
  return cited?.title ?? cited?.citation.text ?? 'Paper'
}

/** A blank line, which ends a title, a heading or a paragraph. */
const BLANK_LINE = /\n\s*\n/

/**
 * Returns the text before and after a quote, up to the ends of its paragraph. If the stored text ends earlier, `before` begins
 * and `after` ends with a whole word.
 */
export function contextOf({ prefix, suffix }: StoredEvidence): { before: string; after: string } {
  const isCut = (text: string) => text.length >= CONTEXT_CHARACTERS && !BLANK_LINE.test(text)
  const before = prefix.split(BLANK_LINE).at(-1)!.replaceAll(/\s+/g, ' ')
  const after = suffix.split(BLANK_LINE)[0]!.replaceAll(/\s+/g, ' ')
  return {
    before: isCut(prefix) ? before.slice(before.indexOf(' ') + 1) : before,
    after: isCut(suffix) ? after.slice(0, Math.max(after.lastIndexOf(' '), 0)) : after,
  }
}
