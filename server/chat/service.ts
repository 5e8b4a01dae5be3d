import {
  embedTexts,
  fitsContext,
  hasProvider,
  chatModelName,
  NO_VECTOR,
  streamAnswer,
  type AiContext,
} from '#server/ai/index.ts'
import { checkChat, storeChatTurn } from '#server/conversations/index.ts'
import { documentOrThrow, lazyText } from '#server/documents/index.ts'
import { watchAccess } from '#server/events/watch-access.ts'
import { AppError, rephrase } from '#server/lib/errors.ts'
import { log } from '#server/lib/log.ts'
import type { Actor } from '#server/db/actor.ts'
import { findMissing, groundAnswer, type LazyText, withoutReferences } from '#server/texts/index.ts'
import { retrieve, searchableDocument } from '#server/retrieval/index.ts'
import {
  CHAT_FAILED,
  NO_PASSAGES_ANSWER,
  type ChatAnswer,
  type ChatQuestion,
  type ChatSource,
  type ChatStreamEvent,
} from '#shared/contract/chat.ts'
import { BUILT_IN_MODEL, modelName } from '#shared/contract/prompts.ts'

const EMBEDDING_FAILED = 'Failed to generate query embedding'
const NO_EMBEDDING = 'No embedding generated for query'
const NO_ANSWER = 'No answer was generated'

interface TaskOwner {
  person: string
  signal: AbortSignal
}

/**
 * Answers a question from one vectorized document. Yields `sources` once, `delta` for each piece of text, then `done` with the
 * passage of every sentence. Throws errors before `sources` (for example if the document is not vectorized or the question
 * cannot be embedded); later errors are `error` events. Ends without an event when `signal` is aborted, and with an error when
 * the caller loses the right to ask. Only a completed answer is stored, in `request.conversation_id` or a new conversation. If
 * the paper does not answer the question, the built-in model refuses. A provider receives the words that the paper lacks.
 */
export async function* answerQuestion(
  actor: Actor,
  documentId: string,
  request: ChatQuestion,
  signal: AbortSignal,
): AsyncGenerator<ChatStreamEvent> {
  let begun = false
  try {
    for await (const event of watchedEvents(actor, documentId, request, signal)) {
      yield event
      begun = true
    }
  } catch (error) {
    if (!begun || !(error instanceof AppError)) throw error
    yield { event: 'error', data: { message: error.message } }
  }
}

type AnswerEvent = Exclude<ChatStreamEvent, { event: 'error' }>

/** Yields the events of `answerQuestion`, but throws every error, including the loss of the right to ask. */
async function* watchedEvents(
  actor: Actor,
  documentId: string,
  request: ChatQuestion,
  signal: AbortSignal,
): AsyncGenerator<AnswerEvent> {
  const access = new AbortController()
  const stopWatching = watchAccess(
    actor,
    (tx) => documentOrThrow(tx, documentId, 'ask'),
    (error) => access.abort(error),
  )
  try {
    for await (const event of answerEvents(actor, documentId, request, AbortSignal.any([signal, access.signal]))) {
      access.signal.throwIfAborted()
      yield event
    }
    access.signal.throwIfAborted()
  } catch (error) {
    access.signal.throwIfAborted()
    throw error
  } finally {
    stopWatching()
  }
}

/** Yields the events of an answer. After the event `sources`, every thrown error is an AppError. */
async function* answerEvents(
  actor: Actor,
  documentId: string,
  request: ChatQuestion,
  signal: AbortSignal,
): AsyncGenerator<AnswerEvent> {
  const { question } = request
  const { wordsOnly } = await searchableDocument(actor, documentId)
  await checkChat(actor, documentId, request.conversation_id)
  const store = async (done: Omit<ChatAnswer, 'conversation_id'>): Promise<AnswerEvent> => {
    const turn = { documentId, conversationId: request.conversation_id, question }
    return { event: 'done', data: { ...done, conversation_id: await storeChatTurn(actor, turn, done) } }
  }
  const vector = wordsOnly ? null : await embedQuery(actor, question, { signal, documentId })
  const { passages, weights, isFocused } = await retrieve(actor, documentId, { text: question, vector }, { signal })
  const sources = mostSimilarFirst(passages).map(({ sentences: _sentences, ...source }) => source)
  yield { event: 'sources', data: { sources } }
  try {
    const owner = { person: actor.userId, signal }
    const stored = await lazyText(actor, documentId)
    if (sources.length === 0) {
      yield { event: 'delta', data: { text: NO_PASSAGES_ANSWER } }
      const done = await finished(owner, NO_PASSAGES_ANSWER, sources, stored, BUILT_IN_MODEL.id)
      yield await store({ ...done, words_only: wordsOnly })
      return
    }
    const missing = await findMissing(owner, stored, { question, isFocused })
    const ctx: AiContext = { userId: actor.userId, purpose: 'answer', documentId, signal }
    const fullText = await wholeText(owner, stored)
    const reply = streamAnswer({ question, passages, weights, missing, fullText }, ctx)
    let answer = ''
    for await (const text of reply.text) {
      answer += text
      yield { event: 'delta', data: { text } }
    }
    const done = await finished(owner, answer, sources, stored, reply.model)
    yield await store({ ...done, words_only: wordsOnly })
  } catch (error) {
    if (signal.aborted) return
    if (error instanceof AppError) throw error
    log.error({ err: error, document: documentId }, 'an answer failed unexpectedly')
    throw new AppError('internal', CHAT_FAILED, { cause: error })
  }
}

/**
 * Returns the whole answer to a question about a document. Throws the errors that `answerQuestion` throws, and an AppError for
 * the errors that it yields as `error` events.
 */
export async function answerWhole(
  actor: Actor,
  documentId: string,
  request: ChatQuestion,
  signal: AbortSignal,
): Promise<ChatAnswer> {
  for await (const { event, data } of watchedEvents(actor, documentId, request, signal))
    if (event === 'done') return data
  throw new AppError('outside_failed', NO_ANSWER)
}

/**
 * Returns the embedding of a question. Throws an AppError: 'not_configured' unchanged, any other error with a message about the
 * question and the original error as `cause`. Throws the reason of `signal` when it is aborted.
 */
export async function embedQuery(
  actor: Actor,
  query: string,
  options: { signal?: AbortSignal; documentId?: string } = {},
): Promise<Float32Array> {
  const { signal, documentId = null } = options
  try {
    const ctx: AiContext = { userId: actor.userId, purpose: 'embedding', documentId, signal }
    const { vectors } = await embedTexts([query], ctx, { isQuery: true })
    return vectors[0]!
  } catch (error) {
    signal?.throwIfAborted()
    if (error instanceof AppError && error.message === NO_VECTOR)
      throw new AppError('outside_failed', NO_EMBEDDING, { cause: error })
    if (error instanceof AppError && error.code === 'not_configured') throw error
    if (error instanceof AppError) throw rephrase(error, EMBEDDING_FAILED)
    log.error({ err: error }, 'could not embed a question')
    throw new AppError('internal', EMBEDDING_FAILED, { cause: error })
  }
}

/**
 * Answers a question from passages that the caller of a server function sends. The passages are also the sources of the answer.
 */
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
  return {
    answer,
    sources: mostSimilarFirst(chunks).map(({ content, page_number, similarity }) => ({
      content,
      page_number,
      similarity,
    })),
  }
}

/** Sorts sources by similarity for display. The model receives the passages in another order, in which keywords also count. */
const mostSimilarFirst = <T extends { similarity: number }>(passages: readonly T[]): T[] =>
  passages.toSorted((a, b) => b.similarity - a.similarity)

/**
 * Returns the whole text of a document without its reference list, if the model of a provider is used and its context is large
 * enough; otherwise null.
 */
async function wholeText(owner: TaskOwner, stored: LazyText): Promise<string | null> {
  if (!hasProvider()) return null
  const model = await chatModelName()
  if (model === BUILT_IN_MODEL.id) return null
  const text = await withoutReferences(owner, stored)
  return fitsContext(text, model) ? text : null
}

async function finished(
  owner: TaskOwner,
  answer: string,
  sources: ChatSource[],
  stored: LazyText,
  model: string,
): Promise<Omit<ChatAnswer, 'words_only' | 'conversation_id'>> {
  return { answer, sources, statements: await groundAnswer(owner, answer, stored), model: modelName(model) }
}
