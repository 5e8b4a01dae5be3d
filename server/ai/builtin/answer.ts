import { headingsOf, partAsked, type PaperPart } from '#server/language/question-part.ts'
import { searchTerms } from '#server/language/search-terms.ts'
import { sectionsOf } from '#server/language/section-headings.ts'
import { LOOSE_ANSWER, NO_SENTENCE_ANSWER } from '#shared/contract/chat.ts'
import { splitSentences } from '#shared/passages/sentences.ts'
import { isFinding, isGuide, isMethod, isObjective, isOfOthers } from './sentence-cues.ts'

/** A retrieved passage; `start` and `end` are the offsets in the page of the best sentence. */
interface Passage {
  content: string
  page_number: number
  page_offset: number
  /** Cosine of that sentence to the question, 0..1; 0 when unknown. */
  similarity: number
  start: number
  end: number
}

interface Sentence {
  text: string
  terms: Set<string>
  page: number
  /** Offset in the page, for the order of the paper. */
  start: number
  value: number
  coverage: number
}

const MOST_SENTENCES = 3
const SHORTEST = 25
const LONGEST = 600
/** Minimum score of a further sentence, as a share of the best one's. */
const FURTHER = 0.6
/** Sentences that share this much of their terms count as repetitions. */
const ALIKE = 0.6
/** Below both of these the answer reports a loose match. */
const LOOSE_COVERAGE = 0.5
const LOOSE_SIMILARITY = 0.55
/** Names and addresses are capitalized; at least this share of a sentence's words is not. */
const LEAST_LOWER_CASE = 0.4

const ASKS_FOR_QUESTIONS = /\b(?:questions?|RQ\s?\d)\b/i
const isQuestion = (text: string) => /\?["'”’»)\]]*$/.test(text)

const CAPTION =
  /^(?:(?:supplementary |extended data )?(?:fig(?:ure)?s?|tables?|tabs?|box|listing|algorithm|appendix|equation|eq)\b\.?\s*\(?[\dA-Z]{1,4}\b|note:|notes:|source:)/i
/** Patterns of a reference list entry: volume and pages, DOI, "In: Proceedings", initials with a year. */
const REFERENCE =
  /\bdoi\b|https?:\/\/doi|\d+\s?\(\d+\)\s?[:,]\s?\d+|\bpp\.? \d|\bIn: |^\[\d+\] \p{Lu}|\(\d{4}\)\. \p{Lu}|(?:\b\p{Lu}\.,? ){3}/u

/**
 * Answers by quoting: one to three whole sentences of the passages, each in “ ” and followed by its page as `[p. 4]`;
 * the best first, the others in the order of the paper. The score is the share of the question's IDF (over the
 * passages' sentences) that a sentence covers, plus the similarity of retrieval; for a general question ('What did the
 * study find?') the kind of sentence. Excludes captions, reference list entries, fragments and repetitions. Reports a
 * loose match, or that no whole sentence was found.
 */
export function answerExtractively({ question, passages }: { question: string; passages: readonly Passage[] }): string {
  const part = partAsked(question)
  const whole = passages.flatMap((passage, rank) =>
    wholeSentences(passage).map((sentence) => ({ ...sentence, passage, rank })),
  )
  // A paper's own question is most similar to the reader's but answers nothing, unless questions are asked for.
  const answers = whole.filter(({ text }) => !isQuestion(text))
  const found = ASKS_FOR_QUESTIONS.test(question) || answers.length === 0 ? whole : answers
  const weights = idfOver(
    new Set(searchTerms(question)),
    found.map((sentence) => sentence.terms),
  )
  const scored: Sentence[] = found.map(({ passage, rank, ...sentence }) => {
    const coverage = part ? kindOf(part, sentence.text, sentence.start, passage) : coverageOf(sentence.terms, weights)
    const isBest = sentence.start < passage.end && sentence.start + sentence.text.length > passage.start
    // Neighbors of the best sentence share its subject; their share of its similarity is unknown.
    const meaning = passage.similarity * (isBest ? 1 : 0.5)
    return { ...sentence, coverage, value: coverage + meaning - 0.03 * rank }
  })
  const chosen = choose(scored)
  if (chosen.length === 0) return NO_SENTENCE_ANSWER
  const isLoose =
    chosen.every(({ coverage }) => coverage < LOOSE_COVERAGE) &&
    passages.every(({ similarity }) => similarity < LOOSE_SIMILARITY)
  const [best, ...further] = chosen
  // The best sentence first; the others read best in the order of the paper.
  const quotes = [best!, ...further.toSorted((a, b) => a.page - b.page || a.start - b.start)].map(
    ({ text, page }) => `“${text.replace(/\s+/g, ' ')}” [p. ${page}]`,
  )
  return (isLoose ? [LOOSE_ANSWER, ...quotes] : quotes).join('\n')
}

/** Returns how well a sentence fits the kind that a general question asks for, 0..1. */
function kindOf(part: PaperPart, text: string, start: number, passage: Passage): number {
  if (part === 'authors' || isGuide(text) || isOfOthers(text)) return 0
  // In a structured abstract, labels give the kind of each sentence.
  if (part !== 'methods' && /^(?:Background|Context|Introduction|Methods?)\b\s*[:.]?\s+\p{Lu}/u.test(text)) return 0
  if (part === 'findings')
    return isFinding(text) && !/^(?:Objectives?|Aims?|Purpose)\b\s*[:.]?\s+\p{Lu}/u.test(text) ? 1 : 0
  if (part === 'methods') return isMethod(text) ? 1 : 0
  if (part === 'overview') return isObjective(text) ? 1 : isFinding(text) ? 0.7 : 0
  const headings = headingsOf(part)
  const sections = sectionsOf([passage.content])[0] ?? []
  const asked = sections.find(({ heading }) => headings.some((one) => one.test(heading))) ?? sections[0]
  const place = start - passage.page_offset
  return asked && place >= asked.start && place < asked.end ? 1 : 0
}

function choose(sentences: readonly Sentence[]): Sentence[] {
  const chosen: Sentence[] = []
  for (const sentence of sentences.toSorted((a, b) => b.value - a.value)) {
    if (chosen.length === MOST_SENTENCES || sentence.value < FURTHER * (chosen[0]?.value ?? 0)) break
    if (!chosen.some((other) => likeness(other.terms, sentence.terms) >= ALIKE)) chosen.push(sentence)
  }
  return chosen
}

function wholeSentences({ content, page_number, page_offset }: Passage) {
  return splitSentences(content)
    .map(({ start, end }) => ({ text: content.slice(start, end), page: page_number, start: page_offset + start }))
    .filter(({ text }) => isWhole(text))
    .map((sentence) => ({ ...sentence, terms: new Set(searchTerms(sentence.text)) }))
}

function isWhole(text: string): boolean {
  if (text.length < SHORTEST || text.length > LONGEST) return false
  if (!/^["'“‘«([¿¡•–-]*\s*[\p{Lu}\p{N}]/u.test(text) || !/[.!?。！？]["'”’»)\]]*$/u.test(text)) return false
  if (CAPTION.test(text) || REFERENCE.test(text)) return false
  const words = text.match(/\p{L}+/gu) ?? []
  if (words.filter((word) => /^\p{Ll}/u.test(word)).length < LEAST_LOWER_CASE * words.length) return false
  // Table rows and formulas are mostly digits and symbols.
  return (text.match(/[\p{L}\s]/gu)?.length ?? 0) >= 0.75 * text.length
}

function idfOver(terms: ReadonlySet<string>, sentences: readonly Set<string>[]): Map<string, number> {
  return new Map(
    [...terms].map((term) => {
      const n = sentences.filter((sentence) => sentence.has(term)).length
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

/** Returns the shared terms divided by the terms of the shorter one, 0..1. */
function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const least = Math.min(a.size, b.size)
  return least === 0 ? 0 : [...a].filter((term) => b.has(term)).length / least
}
