import {
  embedTexts,
  fitsContext,
  hasProvider,
  chatModelName,
  NO_VECTOR,
  streamAnswer,
  type AiContext,
} from '#server/ai/index.ts'
import { lazyText } from '#server/documents/index.ts'
import { AppError, rephrase } from '#server/lib/errors.ts'
import { log } from '#server/lib/log.ts'
import type { Actor } from '#server/lib/session.ts'
import { groundAnswer, type LazyText, withoutReferences } from '#server/texts/index.ts'
import { retrieve, searchableDocument } from '#server/vectors/index.ts'
import {
  CHAT_FAILED,
  NO_PASSAGES_ANSWER,
  type ChatAnswer,
  type ChatSource,
  type ChatStreamEvent,
} from '#shared/chat.ts'
import { BUILT_IN_MODEL, modelName } from '#shared/prompts.ts'

const EMBEDDING_FAILED = 'Failed to generate query embedding'
const NO_EMBEDDING = 'No embedding generated for query'
const NO_ANSWER = 'No answer was generated'

interface Whose {
  person: string
  signal: AbortSignal
}

/**
 * Answers a question from one vectorised document: `sources` once, `delta` per piece of text, then `done` with every
 * sentence tied to its passage. What is refused before there is a source is thrown (the document is not there, not
 * vectorised, vectorised with another model; the question cannot be embedded); what fails later is an `error` event.
 * Ends without a word when `signal` is aborted. Nothing is stored.
 */
export async function* answerQuestion(
  actor: Actor,
  documentId: string,
  question: string,
  signal: AbortSignal,
): AsyncGenerator<ChatStreamEvent> {
  let begun = false
  try {
    for await (const event of answerEvents(actor, documentId, question, signal)) {
      yield event
      begun = true
    }
  } catch (error) {
    if (!begun || !(error instanceof AppError)) throw error
    yield { event: 'error', data: { message: error.message } }
  }
}

/** The same events, but every failure is thrown, as an AppError once there are sources. */
async function* answerEvents(
  actor: Actor,
  documentId: string,
  question: string,
  signal: AbortSignal,
): AsyncGenerator<Exclude<ChatStreamEvent, { event: 'error' }>> {
  await searchableDocument(actor, documentId)
  const vector = await embedQuery(actor, question, { signal, documentId })
  const passages = await retrieve(actor, documentId, { text: question, vector }, signal)
  const sources = mostSimilarFirst(passages)
  yield { event: 'sources', data: { sources } }
  const whose = { person: actor.userId, signal }
  if (sources.length === 0) {
    yield { event: 'delta', data: { text: NO_PASSAGES_ANSWER } }
    yield {
      event: 'done',
      data: await finished(whose, NO_PASSAGES_ANSWER, [], await lazyText(actor, documentId), BUILT_IN_MODEL.id),
    }
    return
  }
  try {
    const ctx: AiContext = { userId: actor.userId, purpose: 'answer', documentId, signal }
    const stored = await lazyText(actor, documentId)
    const reply = streamAnswer({ question, passages, fullText: await wholeText(whose, stored) }, ctx)
    let answer = ''
    for await (const text of reply.text) {
      answer += text
      yield { event: 'delta', data: { text } }
    }
    if (!answer.trim()) throw new AppError('outside_failed', NO_ANSWER)
    yield { event: 'done', data: await finished(whose, answer, sources, stored, reply.model) }
  } catch (error) {
    if (signal.aborted) return
    if (error instanceof AppError) throw error
    log.error({ err: error, document: documentId }, 'an answer failed unexpectedly')
    throw new AppError('internal', CHAT_FAILED, { cause: error })
  }
}

/** The whole answer. Throws the AppError whose message the stream would send as `error`, with its code and Retry-After. */
export async function answerWhole(
  actor: Actor,
  documentId: string,
  question: string,
  signal: AbortSignal,
): Promise<ChatAnswer> {
  for await (const { event, data } of answerEvents(actor, documentId, question, signal))
    if (event === 'done') return data
  throw new AppError('outside_failed', NO_ANSWER)
}

/** The vector of a question. Throws with the specification's words, the reason as `cause`. */
export async function embedQuery(
  actor: Actor,
  query: string,
  options: { signal?: AbortSignal; documentId?: string } = {},
): Promise<Float32Array> {
  const { signal, documentId = null } = options
  try {
    const { vectors } = await embedTexts([query], { userId: actor.userId, purpose: 'embedding', documentId, signal })
    return vectors[0]!
  } catch (error) {
    signal?.throwIfAborted()
    if (error instanceof AppError && error.message === NO_VECTOR)
      throw new AppError('outside_failed', NO_EMBEDDING, { cause: error })
    if (error instanceof AppError) throw rephrase(error, EMBEDDING_FAILED)
    log.error({ err: error }, 'a question could not be embedded')
    throw new AppError('internal', EMBEDDING_FAILED, { cause: error })
  }
}

/** Answers from passages that a caller of the server function sends; they are its sources. */
export async function answerFromChunks(
  actor: Actor,
  question: string,
  chunks: readonly { content: string; page_number: number; page_offset: number; similarity: number }[],
  signal?: AbortSignal,
): Promise<{ answer: string; sources: { content: string; page_number: number; similarity: number }[] }> {
  const passages = chunks.map((chunk) => ({
    ...chunk,
    start: chunk.page_offset,
    end: chunk.page_offset + chunk.content.length,
  }))
  let answer = ''
  for await (const text of streamAnswer({ question, passages }, { userId: actor.userId, purpose: 'answer', signal })
    .text)
    answer += text
  if (!answer.trim()) throw new AppError('outside_failed', NO_ANSWER)
  return {
    answer,
    sources: mostSimilarFirst(chunks).map(({ content, page_number, similarity }) => ({
      content,
      page_number,
      similarity,
    })),
  }
}

/** The order of the sources in an answer. The model gets the passages in the order of retrieval, which also counts words. */
const mostSimilarFirst = <T extends { similarity: number }>(passages: readonly T[]): T[] =>
  passages.toSorted((a, b) => b.similarity - a.similarity)

/** The whole paper without its references, where a provider's model can take it; the passages alone otherwise. */
async function wholeText(whose: Whose, stored: LazyText): Promise<string | null> {
  if (!hasProvider()) return null
  const model = await chatModelName()
  if (model === BUILT_IN_MODEL.id) return null
  const text = await withoutReferences(whose, stored)
  return fitsContext(text, model) ? text : null
}

async function finished(
  whose: Whose,
  answer: string,
  sources: ChatSource[],
  stored: LazyText,
  model: string,
): Promise<ChatAnswer> {
  return { answer, sources, statements: await groundAnswer(whose, answer, stored), model: modelName(model) }
}
