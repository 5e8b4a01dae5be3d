import { AppError } from '#server/lib/errors.ts'
import type { AnswerStatement } from '#shared/chat.ts'
import type { FoundPassage } from '#shared/passages.ts'
import { MAX_TEXT_CHARACTERS, MAX_TEXT_PAGES, TEXT_TOO_LARGE } from '#shared/text-limits.ts'
import { runOnText, type TextTaskOptions } from './text-pool.ts'
import type { ChosenPassage, GivenChunk, PlannedChunk, TextTasks, WantedPassage } from './tasks.ts'

/** Whose text it is, for the turn in the queue; `signal` ends the work. */
type Whose = Pick<TextTaskOptions, 'person' | 'signal'>

/** A text that is loaded when its turn has come. `size`: its characters, as far as they are known before. */
export interface LazyText {
  size: number
  load: () => Promise<string>
}

const asLazy = (text: string | LazyText): LazyText =>
  typeof text === 'string' ? { size: text.length, load: async () => text } : text

/** Finds every quote in a text with page markers, by `findPassage`, in the order given. */
export async function findPassages(
  whose: Whose,
  text: string | LazyText,
  wanted: readonly WantedPassage[],
): Promise<FoundPassage[]> {
  if (wanted.length === 0) return []
  const { size, load } = asLazy(text)
  return runOnText('passages', { ...whose, size }, async () => ({ text: await load(), wanted }))
}

/** The sentences of an answer with their passages in a text: see ground-answer.ts. */
export function groundAnswer(whose: Whose, answer: string, { size, load }: LazyText): Promise<AnswerStatement[]> {
  return runOnText('ground', { ...whose, size }, async () => ({ text: await load(), answer }))
}

/** A text with its lists of references left out. */
export function withoutReferences(whose: Whose, { size, load }: LazyText): Promise<string> {
  return runOnText('withoutReferences', { ...whose, size }, async () => ({ text: await load() }))
}

/** The chunks of a text with the sentences that get vectors. Refuses more sentences than a document may have. */
export function planChunks(
  whose: Whose,
  { size, load }: LazyText,
): Promise<{ chunks: PlannedChunk[]; hasWords: boolean }> {
  const chunks: PlannedChunk[] = []
  const onProgress = (planned: unknown) => void chunks.push(...(planned as PlannedChunk[]))
  const task = runOnText('chunks', { ...whose, size, onProgress }, async () => ({ text: await load() }))
  return task.then(({ hasWords }) => ({ chunks, hasWords }))
}

/** The same for chunks that a caller cut out of the text; chunks without a letter or digit are left out. */
export async function markChunks(
  whose: Whose,
  { size, load }: LazyText,
  given: readonly GivenChunk[],
): Promise<PlannedChunk[]> {
  const chunks: PlannedChunk[] = []
  const onProgress = (planned: unknown) => void chunks.push(...(planned as PlannedChunk[]))
  const characters = given.reduce((sum, { content }) => sum + content.length, size)
  await runOnText('mark', { ...whose, size: characters, onProgress }, async () => ({
    text: await load(),
    chunks: given,
  }))
  return chunks
}

/** The chunks that answer a question best: see choose-passages.ts. `load` gives JSON of StoredCandidate[]. */
export function choosePassages(
  whose: Whose,
  { size, load }: LazyText,
  options: Omit<TextTasks['choose']['input'], 'candidates'>,
): Promise<ChosenPassage[]> {
  return runOnText('choose', { ...whose, size }, async () => ({ ...options, candidates: await load() }))
}

/** The number of pages of a text, and whether it has a letter or digit besides its page markers. */
export const inspectText = (whose: Whose, text: string) =>
  runOnText('inspect', { ...whose, size: text.length }, () => ({ text }))

/** Refuses a text beyond the limits of the contract with 'too_large', which names them. */
export function refuseTooLarge({ characters, pages = 0 }: { characters: number; pages?: number }): void {
  if (characters > MAX_TEXT_CHARACTERS || pages > MAX_TEXT_PAGES) throw new AppError('too_large', TEXT_TOO_LARGE)
}

/**
 * Parses JSON bytes; they move to the worker and are gone here. Throws 'malformed' where they are not JSON, 'refused'
 * where they have too many parts.
 */
export const parseJson = (whose: Whose, bytes: Uint8Array<ArrayBuffer>): Promise<unknown> =>
  runOnText('parse', { ...whose, size: bytes.length, transfer: [bytes.buffer] }, () => ({ bytes }))

/** A value as JSON in UTF-8. `size`: about how many characters it has. */
export const writeJson = (whose: Whose, value: unknown, size: number): Promise<Uint8Array<ArrayBuffer>> =>
  runOnText('write', { ...whose, size }, () => ({ value }))
