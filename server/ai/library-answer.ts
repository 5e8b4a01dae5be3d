import { env } from '#server/lib/env.ts'
import { AppError } from '#server/lib/errors.ts'
import { BUILT_IN_MODEL } from '#shared/contract/prompts.ts'
import { splitSentences } from '#shared/passages/sentences.ts'
import { currentModel } from './builtin/sentence-model/current.ts'
import { runBuiltIn } from './builtin-pool.ts'
import { streamChat, completeChat } from './chat-call.ts'
import type { AiContext } from './context.ts'
import { fitsContext } from './context-window.ts'
import { embeddingModel } from './embed.ts'
import { requestTooLarge } from './failure.ts'
import { createObjectReader } from './json-objects.ts'
import { betweenMarks, LIBRARY_INSTRUCTIONS, libraryPrompt, VERIFY_INSTRUCTIONS } from './library-prompt.ts'
import type { LibraryQuestion } from './library-question.ts'
import { recordCall } from './record.ts'

/**
 * A sentence of an answer that a model wrote or quoted, with the quotes that support it. The quotes are not verified: they may
 * not occur in the passages.
 */
export interface DraftSentence {
  text: string
  /** `passage`: the zero-based index of the passage in the given list; null for a passage that does not exist. */
  quotes: { passage: number | null; words: string }[]
  /** If papers disagree, a phrase for the side that the sentence reports, such as 'report longer sleep'; else null. */
  group: string | null
}

const MOST_SENTENCES = 40
const MOST_QUOTES = 6
const LONGEST_SENTENCE = 1500
const LONGEST_QUOTE = 2000
const LONGEST_GROUP = 80
/** Minimum number of passages in a prompt. With fewer, a model cannot answer from several papers. */
const LEAST_PASSAGES = 4

/**
 * Returns the question with the first of its passages, as many as fit into the context window of the model. Throws an AppError
 * if fewer than LEAST_PASSAGES fit.
 */
export function fitPassages(question: LibraryQuestion, model: string): LibraryQuestion {
  const first = (count: number) => ({ ...question, passages: question.passages.slice(0, count) })
  const fits = (part: LibraryQuestion) => fitsContext(LIBRARY_INSTRUCTIONS + libraryPrompt(part), model)
  let count = question.passages.length
  while (count > LEAST_PASSAGES && !fits(first(count))) count--
  if (!fits(first(count))) throw requestTooLarge()
  return first(count)
}

/**
 * Asks a provider's model and yields each sentence of its answer as soon as it is complete. The prompt with all passages of
 * `question` must fit into the context window of the model: see `fitPassages`. Yields nothing if the model finds no answer in
 * the passages. If the reply does not have the requested form, yields its sentences without quotes. Throws an AppError, or the
 * reason of the signal.
 */
export async function* draftSentences(
  question: LibraryQuestion,
  model: string,
  ctx: AiContext,
): AsyncGenerator<DraftSentence> {
  const prompt = libraryPrompt(question)
  const read = createObjectReader()
  let reply = ''
  let sentences = 0
  let isAsked = false
  for await (const piece of streamChat({ model, instructions: LIBRARY_INSTRUCTIONS, prompt }, ctx)) {
    reply += piece
    for (const object of read(piece)) {
      isAsked ||= 'text' in object
      const draft = draftOf(object, question.passages.length)
      if (draft !== null && sentences++ < MOST_SENTENCES) yield draft
    }
  }
  if (!reply.trim()) throw new AppError('outside_failed', 'No answer was generated')
  if (isAsked) return
  for (const { start, end } of splitSentences(reply).slice(0, MOST_SENTENCES))
    yield { text: plain(reply.slice(start, end), LONGEST_SENTENCE), quotes: [], group: null }
}

function draftOf({ text, quotes, group }: Record<string, unknown>, passages: number): DraftSentence | null {
  if (typeof text !== 'string' || !/[\p{L}\p{N}]/u.test(text)) return null
  const given: unknown[] = Array.isArray(quotes) ? quotes : []
  return {
    text: plain(text, LONGEST_SENTENCE),
    quotes: given.slice(0, MOST_QUOTES).flatMap((one) => {
      const { passage, words } = (one ?? {}) as Record<string, unknown>
      if (typeof words !== 'string') return []
      const place = Number(/\d+/.exec(String(passage))?.[0] ?? 0)
      return [{ passage: place >= 1 && place <= passages ? place - 1 : null, words: words.slice(0, LONGEST_QUOTE) }]
    }),
    group: typeof group === 'string' && /\p{L}/u.test(group) ? groupName(group) : null,
  }
}

/**
 * Returns the phrase of a group without a number of papers at its beginning, such as 'three trials'. The server itself counts
 * the papers.
 */
const groupName = (group: string) =>
  plain(group, LONGEST_GROUP)
    .replace(
      /^(?:\p{N}+|one|two|three|four|five|six|seven|eight|nine|ten|some|most|many|several|a few)?\s*(?:papers?|studies|study|trials?)?\s+/iu,
      '',
    )
    .replace(/[.:]+$/, '')

/** Returns the text in one line, cut to `most` UTF-16 code units. The cut does not divide a surrogate pair. */
const plain = (text: string, most: number) =>
  text
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, most)
    .replace(/[\uD800-\uDBFF]$/, '')

export type Verdict = 'supported' | 'partly' | 'no'

/**
 * Asks a provider's model whether quotes support sentences. Returns the verdict on each pair, in the order of `pairs`; null for
 * a pair without a valid verdict.
 */
export async function judgePairs(
  pairs: readonly { sentence: string; quote: string }[],
  model: string,
  ctx: AiContext,
): Promise<(Verdict | null)[]> {
  const lines = pairs.map(({ sentence, quote }, at) => JSON.stringify({ id: at + 1, sentence, quote }))
  const prompt = betweenMarks('pairs', lines.join('\n')).marked
  const reply = await completeChat({ model, instructions: VERIFY_INSTRUCTIONS, prompt }, ctx)
  const verdicts = new Map(createObjectReader()(reply).map(({ id, verdict }) => [Number(id), verdict]))
  return pairs.map((_pair, at) => {
    const verdict = verdicts.get(at + 1)
    return verdict === 'supported' || verdict === 'partly' || verdict === 'no' ? verdict : null
  })
}

/**
 * Answers a question about several papers with sentences that the built-in model quotes. If no paper answers, `sentences` is
 * empty. The reason is then in `missing` (words of the question that no paper contains) or `apart` (words that no sentence has
 * together with the other words of the question). Deterministic.
 */
export async function quoteLibrary(
  { question, before, passages, weights, missing, absent }: LibraryQuestion,
  ctx: AiContext,
): Promise<{ sentences: DraftSentence[]; missing: string[]; apart: string[] }> {
  ctx.signal?.throwIfAborted()
  const startedAt = performance.now()
  const sent = passages.reduce((sum, { content }) => sum + content.length, question.length)
  let received = ''
  let error: string | null = 'internal'
  try {
    const { model: sentenceModel } = currentModel()
    const model =
      embeddingModel().isBuiltIn && sentenceModel ? { model: sentenceModel, threads: env.EMBEDDING_THREADS } : null
    const { refusal, quotes } = await runBuiltIn(
      'library',
      { question, before, passages, weights, missing, absent, model },
      { person: ctx.userId, signal: ctx.signal, isBrief: true },
    )
    received = quotes.map(({ text }) => text).join('\n')
    error = null
    const sentences = quotes.map(({ passage, text, side = null }) => ({
      text: plain(text, LONGEST_SENTENCE),
      quotes: [{ passage, words: text }],
      group: side,
    }))
    return { sentences, missing: refusal?.missing ?? [], apart: refusal?.apart ?? [] }
  } finally {
    if (ctx.signal?.aborted) error = 'aborted'
    await recordCall({ model: BUILT_IN_MODEL.id, ctx, startedAt, sent, received, error })
  }
}
