import { counted, grouped } from '#shared/text/numbers.ts'
import type { AnswerScope, ConversationMessage, LibraryAnswer } from './conversations.ts'

/** The text that introduces an answer of the built-in model, which consists of quotes from papers, without sides. */
export const BEST_PASSAGES = 'These passages answer best:'
const OTHER_PASSAGES = 'Other passages'

/**
 * Returns the label of a part of an answer: of a side of a disagreement between papers, or of the quotes of the built-in model
 * that belong to no side. Null for a part without a label.
 */
export const labelOfPart = (
  group: number | null,
  { kind, groups }: Pick<LibraryAnswer, 'kind' | 'groups'>,
): string | null => {
  if (group !== null) return groups[group] ?? null
  return kind === 'passages' && groups.length > 0 ? OTHER_PASSAGES : null
}

/** The text before the passages of an answer that has only the nearest passages. */
export const NEAREST_PASSAGES = 'The nearest passages:'
type Refusal = Pick<LibraryAnswer, 'papers' | 'missing' | 'apart'>

/**
 * Returns whether an answer lists only the nearest passages, because no paper answers the question or no sentence of the model
 * was verified.
 */
export const hasOnlyNearest = ({ kind }: Pick<LibraryAnswer, 'kind'>): boolean =>
  kind === 'refusal' || kind === 'unverified'

/**
 * Returns the first sentence of an answer that has only the nearest passages (see hasOnlyNearest). The reason and these
 * passages are shown after it.
 */
export function noAnswer({ kind, papers }: Pick<LibraryAnswer, 'kind' | 'papers'>): string {
  if (kind === 'unverified') return 'No sentence of the answer could be verified.'
  return papers === 1 ? 'The paper does not answer this.' : `None of the ${grouped(papers)} papers answers this.`
}

/**
 * Returns why the built-in model refused to answer: no paper contains the words `missing` of the question, or no passage
 * contains the words `apart` together with the rest of the question. Returns null if both lists are empty.
 */
export function reasonOfRefusal({ papers, missing, apart }: Refusal): string | null {
  if (missing.length > 0) return `${papers === 1 ? 'It never mentions' : 'No paper mentions'} ${missing.join(' or ')}.`
  if (apart.length === 0) return null
  return `No passage has ${apart.map((word) => `“${word}”`).join(', ')} together with the rest of the question.`
}

/**
 * Returns in words from which papers an answer was written: 'from 42 papers', 'from 3 chosen papers', 'from 12 papers with tag
 * memory'. `papers` is their number.
 */
export function scopeOfAnswer(scope: AnswerScope, papers: number): string {
  if (scope.kind === 'papers') return `from ${counted(papers, 'chosen paper')}`
  if (scope.kind === 'tags') return `from ${counted(papers, 'paper')} with ${tagWords(scope.tags)}`
  return `from ${counted(papers, 'paper')}`
}

/** Returns tags in words: 'tag memory', 'tags memory or sleep'. */
export const tagWords = (tags: readonly string[]): string =>
  `${tags.length === 1 ? 'tag' : 'tags'} ${tags.join(' or ')}`

/** Why a sentence of a model is no part of the answer, in words. */
export const UNSUPPORTED_REASONS: Record<LibraryAnswer['unsupported'][number]['reason'], string> = {
  'no quote': 'The model gave no quote for this sentence',
  'quote not found': 'Quote not found in any of the papers read',
  'quote does not support it': 'The quote given does not support this sentence',
  'paper deleted': 'The paper of the quote was deleted or moved',
}

/** Returns why the answer of a message is incomplete, in words; null for a complete answer. */
export function whyIncomplete({
  status,
  error,
  answer,
}: Pick<ConversationMessage, 'status' | 'error' | 'answer'>): string | null {
  if (status === 'answering') return 'The answer is still being written.'
  if (status !== 'stopped') return error
  const isEmpty = answer === null || answer.sentences.length === 0
  return `${error ?? 'Stopped.'} ${isEmpty ? 'No sentence was verified.' : 'The sentences above are verified.'}`
}
