import { AppError } from '#server/lib/errors.ts'
import type { AnswerStatement } from '#shared/contract/chat.ts'
import type { FoundPassage } from '#shared/contract/passages.ts'
import { MAX_TEXT_CHARACTERS, MAX_TEXT_PAGES, TEXT_TOO_LARGE } from '#shared/contract/text-limits.ts'
import type { Place } from '#shared/passages/place-of.ts'
import type { Anchor } from '#shared/passages/reanchor.ts'
import type { TextComparison } from './compare-texts.ts'
import type { CountedTerms } from './count-terms.ts'
import { runOnText, textFor, type TextTaskOptions } from './text-pool.ts'
import type { GivenChunk, KnownPlace, LazyText, PlannedChunk, TextTasks, WantedPassage } from './tasks.ts'

/** The user id for whom a task runs (the queue serves users in turn), and a signal that aborts the task. */
type TaskOwner = Pick<TextTaskOptions, 'person' | 'signal'>

const asLazy = (text: string | LazyText): LazyText =>
  typeof text === 'string' ? { size: text.length, load: async () => text } : text

/**
 * Finds quotes in a text with page markers. Returns one passage for each quote, in the given order; `match` is 'none' for a
 * quote that was not found. A worker runs `findPassage` of find-passage.ts.
 */
export async function findPassages(
  owner: TaskOwner,
  text: string | LazyText,
  wanted: readonly WantedPassage[],
): Promise<FoundPassage[]> {
  if (wanted.length === 0) return []
  const lazy = asLazy(text)
  return runOnText('passages', { ...owner, size: lazy.size }, async (worker) => ({
    ...(await textFor(worker, lazy)),
    wanted,
  }))
}

/**
 * Finds quotes in a text with page markers. Returns for each quote, in the given order, its place with the text around it;
 * `match` is 'none' for a quote that was not found.
 */
export async function findPlaces(
  owner: TaskOwner,
  text: string | LazyText,
  wanted: readonly WantedPassage[],
): Promise<Place[]> {
  if (wanted.length === 0) return []
  const lazy = asLazy(text)
  return runOnText('places', { ...owner, size: lazy.size }, async (worker) => ({
    ...(await textFor(worker, lazy)),
    wanted,
  }))
}

/**
 * Finds quotes of an older text of a document in its current text. Returns their places in the given order; `match` is 'none'
 * for a quote that was not found. See reanchor.ts.
 */
export async function reanchorQuotes(
  owner: TaskOwner,
  text: string | LazyText,
  anchors: readonly Anchor[],
): Promise<Place[]> {
  const lazy = asLazy(text)
  return runOnText('reanchor', { ...owner, size: lazy.size }, async (worker) => ({
    ...(await textFor(worker, lazy)),
    anchors,
  }))
}

/**
 * Returns up to five passages of a text that are similar to the quote of `anchor`, best first. An anchor is a quote with its
 * place in an older text; this quote could not be found in the text. See reanchor.ts.
 */
export function findSimilar(owner: TaskOwner, text: string | LazyText, anchor: Anchor): Promise<Place[]> {
  const lazy = asLazy(text)
  return runOnText('similar', { ...owner, size: lazy.size }, async (worker) => ({
    ...(await textFor(worker, lazy)),
    anchor,
  }))
}

/**
 * Finds the words at the given places of the current text of a document in a new text. Returns their places in the new text, in
 * the given order; `match` is 'none' for words that were not found. See reanchor.ts.
 */
export async function relocatePlaces(
  owner: TaskOwner,
  current: LazyText,
  newText: string,
  places: readonly KnownPlace[],
): Promise<Place[]> {
  if (places.length === 0) return []
  return runOnText('relocate', { ...owner, size: newText.length + current.size }, async (worker) => ({
    ...(await textFor(worker, current)),
    newText,
    places,
  }))
}

/**
 * Splits an answer about a paper into sentences, and finds the passages of the text that each sentence quotes or restates: see
 * ground-answer.ts.
 */
export function groundAnswer(owner: TaskOwner, answer: string, text: LazyText): Promise<AnswerStatement[]> {
  return runOnText('ground', { ...owner, size: text.size }, async (worker) => ({
    ...(await textFor(worker, text)),
    answer,
  }))
}

/**
 * Compares a new text of a document with the current one. Returns the numbers of letters and digits in both texts, and whether
 * the new text is poorer. A worker runs `compareTexts` of compare-texts.ts.
 */
export function compareTexts(owner: TaskOwner, newText: string, current: LazyText): Promise<TextComparison> {
  return runOnText('compare', { ...owner, size: newText.length + current.size }, async (worker) => ({
    ...(await textFor(worker, current)),
    newText,
  }))
}

/**
 * Returns at most three words of a question, such as names and numbers, that a text does not contain. If `isFocused` is true
 * (one passage contains all other words of the question), every uncommon word that the text lacks can be among them. `part` is
 * the part of the question whose words are sought, by default the whole question. See find-missing.ts.
 */
export function findMissing(
  owner: TaskOwner,
  text: LazyText,
  asked: { question: string; part?: string; isFocused: boolean },
): Promise<string[]> {
  return runOnText('missing', { ...owner, size: text.size }, async (worker) => ({
    ...(await textFor(worker, text)),
    ...asked,
  }))
}

/** Returns a text without its lists of references. */
export function withoutReferences(owner: TaskOwner, text: LazyText): Promise<string> {
  return runOnText('withoutReferences', { ...owner, size: text.size }, (worker) => textFor(worker, text))
}

/**
 * Returns the chunks of a text with the sentences that get vectors. `hasWords` is true if the text has a letter or digit
 * besides its page markers. Throws 'refused' for more than 100,000 sentences that get vectors.
 */
export function planChunks(
  owner: TaskOwner,
  { size, load }: LazyText,
): Promise<{ chunks: PlannedChunk[]; hasWords: boolean }> {
  const chunks: PlannedChunk[] = []
  const onProgress = (planned: unknown) => void chunks.push(...(planned as PlannedChunk[]))
  const task = runOnText('chunks', { ...owner, size, onProgress }, async () => ({ text: await load() }))
  return task.then(({ hasWords }) => ({ chunks, hasWords }))
}

/**
 * Returns the given chunks of a text, which were not made by `chunkText`, each with its sentences that get vectors. Omits
 * chunks without a letter or digit. Throws 'refused' if the chunks have more than 100,000 such sentences.
 */
export async function markChunks(
  owner: TaskOwner,
  { size, load }: LazyText,
  given: readonly GivenChunk[],
): Promise<PlannedChunk[]> {
  const chunks: PlannedChunk[] = []
  const onProgress = (planned: unknown) => void chunks.push(...(planned as PlannedChunk[]))
  const characters = given.reduce((sum, { content }) => sum + content.length, size)
  await runOnText('mark', { ...owner, size: characters, onProgress }, async () => ({
    text: await load(),
    chunks: given,
  }))
  return chunks
}

/** Counts the terms of each chunk of a document, for the inverted index. A worker runs `countTerms` of count-terms.ts. */
export function countTerms(owner: TaskOwner, chunks: TextTasks['terms']['input']['chunks']): Promise<CountedTerms> {
  const size = typeof chunks === 'string' ? chunks.length : chunks.reduce((sum, { content }) => sum + content.length, 0)
  return runOnText('terms', { ...owner, size }, () => ({ chunks }))
}

/**
 * Ranks the candidates of a search over many papers by meaning and words, best first. A worker runs `rankPassages` of
 * rank-passages.ts.
 */
export const rankPassages = (
  owner: TaskOwner,
  input: TextTasks['rank']['input'],
): Promise<TextTasks['rank']['output']> =>
  runOnText('rank', { ...owner, size: input.candidates.passages.length }, () => input)

/**
 * Scores the passages of a search by their words (BM25). Returns the best passages, best first, and the numbers of all matching
 * passages and papers. A worker runs `scorePostings` of score-postings.ts.
 */
export const scorePassages = (
  owner: TaskOwner,
  input: TextTasks['score']['input'],
): Promise<TextTasks['score']['output']> =>
  runOnText(
    'score',
    { ...owner, size: input.lists.reduce((sum, { postings }) => sum + postings.length, 0) },
    () => input,
  )

/**
 * Finds the words of each text that match a term of a search. Returns the offsets of these words and the best sentence of each
 * text. A worker runs `markTerms` of mark-terms.ts.
 */
export const markTerms = (
  owner: TaskOwner,
  input: TextTasks['marks']['input'],
): Promise<TextTasks['marks']['output']> =>
  runOnText('marks', { ...owner, size: input.texts.reduce((sum, { length }) => sum + length, 0) }, () => input)

/**
 * Returns the chunks of a paper that best answer a question, best first, at most `limit`. `load` returns all chunks of the
 * paper in parts, each the JSON of StoredCandidate[]. A worker runs `choosePassages` of choose-passages.ts.
 */
export function choosePassages(
  owner: TaskOwner,
  { size, load }: { size: number; load: () => Promise<readonly string[]> },
  options: Omit<TextTasks['choose']['input'], 'candidates'>,
): Promise<TextTasks['choose']['output']> {
  return runOnText('choose', { ...owner, size }, async () => ({ ...options, candidates: await load() }))
}

/** Returns the number of pages of a text, and whether it has a letter or digit besides its page markers. */
export const inspectText = (owner: TaskOwner, text: string) =>
  runOnText('inspect', { ...owner, size: text.length }, () => ({ text }))

/** Throws 'too_large' for a text with more characters or pages than the API accepts. The message states the limits. */
export function refuseTooLarge({ characters, pages = 0 }: { characters: number; pages?: number }): void {
  if (characters > MAX_TEXT_CHARACTERS || pages > MAX_TEXT_PAGES) throw new AppError('too_large', TEXT_TOO_LARGE)
}

/**
 * Parses JSON bytes in a worker. The bytes are transferred to the worker, so the caller cannot use them afterwards. Throws
 * 'malformed' if they are not JSON, and 'refused' if they are too complex.
 */
export const parseJson = (owner: TaskOwner, bytes: Uint8Array<ArrayBuffer>): Promise<unknown> =>
  runOnText('parse', { ...owner, size: bytes.length, transfer: [bytes.buffer] }, () => ({ bytes }))

/** Serializes a value as JSON in UTF-8, in a worker. `size` is the approximate length of the JSON in characters. */
export const writeJson = (owner: TaskOwner, value: unknown, size: number): Promise<Uint8Array<ArrayBuffer>> =>
  runOnText('write', { ...owner, size }, () => ({ value }))
