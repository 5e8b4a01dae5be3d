import {
  chooseModel,
  embedTexts,
  fitsContext,
  NO_VECTOR,
  streamAnswer,
  type AiCall,
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
  type ChatStreamEvent,
} from '#shared/contract/chat.ts'
import { BUILT_IN_MODEL, modelName } from '#shared/contract/prompts.ts'
import type { RunVia } from '#shared/contract/runs.ts'
import { type AnswerRecorder, createRecorder } from './record-answer.ts'

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
 * the paper does not answer the question, the built-in model refuses. A provider's model is informed which words of the
 * question the paper lacks.
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
  recorder?: AnswerRecorder,
): AsyncGenerator<AnswerEvent> {
  const access = new AbortController()
  const stopWatching = watchAccess(
    actor,
    (tx) => documentOrThrow(tx, documentId, 'ask'),
    (error) => access.abort(error),
  )
  try {
    const either = AbortSignal.any([signal, access.signal])
    for await (const event of answerEvents(actor, documentId, request, either, recorder)) {
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
  recorder?: AnswerRecorder,
): AsyncGenerator<AnswerEvent> {
  const { question } = request
  const { document, wordsOnly } = await searchableDocument(actor, documentId)
  await checkChat(actor, documentId, request.conversation_id)
  const onCall = recorder?.onCall
  const vector = wordsOnly ? null : await embedQuery(actor, question, { signal, documentId, onCall })
  const { passages, weights, isFocused } = await retrieve(actor, documentId, { text: question, vector }, { signal })
  const sources = mostSimilarFirst(passages).map(({ sentences: _sentences, ...source }) => source)
  yield { event: 'sources', data: { sources } }
  try {
    const owner = { person: actor.userId, signal }
    const stored = await lazyText(actor, documentId)
    const end = async (answer: string, model: string): Promise<AnswerEvent> => {
      const statements = await groundAnswer(owner, answer, stored)
      const done = { answer, sources, statements, model: modelName(model), words_only: wordsOnly }
      const run = await recorder?.end(done, signal)
      const turn = { documentId, textVersion: stored.version, conversationId: request.conversation_id, question }
      return { event: 'done', data: { ...done, conversation_id: await storeChatTurn(actor, turn, done, run) } }
    }
    if (sources.length === 0) {
      await recorder?.start({ document, model: BUILT_IN_MODEL.id, passages, fullText: null, missing: [] })
      yield { event: 'delta', data: { text: NO_PASSAGES_ANSWER } }
      yield await end(NO_PASSAGES_ANSWER, BUILT_IN_MODEL.id)
      return
    }
    const missing = await findMissing(owner, stored, { question, isFocused })
    const ctx: AiContext = { userId: actor.userId, purpose: 'answer', documentId, signal, onCall }
    const model = await chooseModel()
    const fullText = await wholeText(owner, stored, model)
    await recorder?.start({ document, model, passages, fullText, missing })
    let answer = ''
    for await (const text of streamAnswer({ question, passages, weights, missing, fullText, model }, ctx).text) {
      answer += text
      yield { event: 'delta', data: { text } }
    }
    yield await end(answer, model)
  } catch (error) {
    if (signal.aborted) return
    if (error instanceof AppError) throw error
    log.error({ err: error, document: documentId }, 'an answer failed unexpectedly')
    throw new AppError('internal', CHAT_FAILED, { cause: error })
  }
}

/**
 * Returns the whole answer to a question about a document, which `answerQuestion` yields in pieces. Throws an AppError if the
 * answer fails. If `signal` is aborted, throws its reason or an AppError.
 */
export const answerWhole = (
  actor: Actor,
  documentId: string,
  request: ChatQuestion,
  signal: AbortSignal,
): Promise<ChatAnswer> => wholeAnswer(watchedEvents(actor, documentId, request, signal))

async function wholeAnswer(events: AsyncGenerator<AnswerEvent>): Promise<ChatAnswer> {
  for await (const { event, data } of events) if (event === 'done') return data
  throw new AppError('outside_failed', NO_ANSWER)
}

/**
 * Returns the whole answer to a question about a document, in a new private conversation, and its sentences with the evidence
 * that the server found. Records it as a private run (a recorded analysis or answer) of the project of the document; `runId` is
 * null for a document without a project. Throws an AppError if the answer fails, like `answerWhole`.
 */
export async function answerRecorded(
  actor: Actor,
  documentId: string,
  question: string,
  { via, signal }: { via: RunVia; signal: AbortSignal },
): Promise<ChatAnswer & AnswerRecorder['recorded']> {
  const recorder = createRecorder(actor, { documentId, question, via })
  try {
    const answer = await wholeAnswer(watchedEvents(actor, documentId, { question }, signal, recorder))
    return { ...answer, ...recorder.recorded }
  } catch (error) {
    await recorder.fail(error, signal.aborted)
    throw error
  }
}

/**
 * Returns the embedding of a question. Throws an AppError: 'not_configured' unchanged, any other error with a message about the
 * question and the original error as `cause`. Throws the reason of `signal` when it is aborted.
 */
export async function embedQuery(
  actor: Actor,
  query: string,
  options: { signal?: AbortSignal; documentId?: string; onCall?: (call: AiCall) => void } = {},
): Promise<Float32Array> {
  const { signal, documentId = null, onCall } = options
  try {
    const ctx: AiContext = { userId: actor.userId, purpose: 'embedding', documentId, signal, onCall }
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
 * Answers a question from passages that the caller of the API sends. Returns the answer, and these passages as its sources,
 * most similar first.
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
 * Returns the whole text of a document without its reference list, if `model` is a model of a provider and its context is large
 * enough; otherwise null.
 */
async function wholeText(owner: TaskOwner, stored: LazyText, model: string): Promise<string | null> {
  if (model === BUILT_IN_MODEL.id) return null
  const text = await withoutReferences(owner, stored)
  return fitsContext(text, model) ? text : null
}
