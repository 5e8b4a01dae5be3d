import { setImmediate } from 'node:timers/promises'
import { embeddingModel, embedTexts, type AiContext } from '#server/ai/index.ts'
import { asActor, database, type Tx } from '#server/db/client.ts'
import { documentOrThrow, lazyText, markVectorized } from '#server/documents/index.ts'
import { AppError } from '#server/lib/errors.ts'
import { enqueue } from '#server/queue/queue.ts'
import { log } from '#server/lib/log.ts'
import type { Actor } from '#server/db/actor.ts'
import {
  countTerms,
  type GivenChunk,
  markChunks,
  type PlannedChunk,
  planChunks,
  refuseTooLarge,
} from '#server/texts/index.ts'
import type { Job } from '#shared/contract/jobs.ts'
import { placed } from './build-index.ts'
import { findFront } from './index-queries.ts'
import { meanDirection } from './mean-direction.ts'
import { FRONT_POSITION, replaceChunks, type EmbeddedChunk } from './queries.ts'

const ALREADY_VECTORIZED = 'This document has already been vectorized. Use the force option to re-vectorize.'
const NO_TEXT = 'No text available to vectorize'
const FRONT_CHANGED = 'The abstract changed while it was being vectorized.'
const NO_CHUNKS = 'No valid text chunks were generated'
/** Number of sentences that are embedded at once. The progress is reported after each batch. */
const BATCH = 192

interface Run {
  signal?: AbortSignal
  report?: (progress: number, text?: string) => void
  /**
   * Called at the start of the transaction that stores the chunks. Throws if the job was cancelled or if another process runs
   * it.
   */
  assertStillRunning?: (tx: Tx) => Promise<void>
}

/**
 * Queues a job that vectorizes the text of a document, or the title and abstract of a paper without a text. Throws 'refused' if
 * it has neither a text nor an abstract, and 'already_vectorized' if it is vectorized and `force` is false. An `automatic` job
 * waits while the document's upload is paused. The status of the document does not change.
 */
export function startVectorizing(
  actor: Actor,
  documentId: string,
  { force, automatic }: { force: boolean; automatic?: true | undefined },
): Promise<Job> {
  return asActor(actor, async (tx) => {
    const document = await documentOrThrow(tx, documentId, 'edit')
    if (!document.has_text && !document.abstract?.trim()) throw new AppError('refused', NO_TEXT)
    if (document.vectorized_at && !force) throw new AppError('already_vectorized', ALREADY_VECTORIZED)
    return enqueue(tx, {
      kind: 'vectorize',
      ownerId: actor.userId,
      documentId,
      projectId: document.project_id,
      input: automatic ? { automatic } : {},
    })
  })
}

/**
 * Chunks, embeds and stores the current text of a document, or the title and abstract of a paper without a text. Returns the
 * number of chunks. Throws 'conflict' if the text, the title or the abstract changes meanwhile, because the chunks would belong
 * to the old values, and 'refused' if there are no words.
 */
export async function vectorizeDocument(actor: Actor, documentId: string, run: Run): Promise<{ chunks: number }> {
  try {
    const document = await asActor(actor, (tx) => documentOrThrow(tx, documentId, 'edit'))
    const front = document.has_text ? undefined : await readFront(actor, documentId)
    const chunks =
      front === undefined ? await planText(actor, documentId, run.signal) : await planFront(actor, front, run.signal)
    await embedAndStore(actor, { ...document, front }, chunks, run)
    return { chunks: chunks.length }
  } catch (error) {
    // A cancelled job is reported by its own error.
    if (error instanceof AppError || run.signal?.aborted || (error instanceof Error && error.name === 'AbortError'))
      throw error
    log.error({ err: error, document: documentId }, 'vectorizing failed unexpectedly')
    throw new AppError('internal', 'Failed to vectorize document', { cause: error })
  }
}

async function planText(actor: Actor, documentId: string, signal: AbortSignal | undefined): Promise<PlannedChunk[]> {
  const { chunks, hasWords } = await planChunks({ person: actor.userId, signal }, await lazyText(actor, documentId))
  if (!hasWords) throw new AppError('refused', NO_TEXT)
  return chunks
}

/** Returns the title and the abstract of a paper without a text. */
async function readFront(actor: Actor, documentId: string): Promise<string> {
  const content = await asActor(actor, (tx) => findFront(tx, documentId))
  if (content === null) throw new AppError('refused', NO_TEXT)
  return content
}

/** Returns the chunk for a title and an abstract, with the sentences that get vectors. */
function planFront(actor: Actor, content: string, signal: AbortSignal | undefined): Promise<PlannedChunk[]> {
  const noText = { size: 0, load: async () => '' }
  return markChunks({ person: actor.userId, signal }, noText, [{ content, pageNumber: 0, pageOffset: 0 }])
}

/**
 * Embeds and stores `chunks`, which the caller of the API has made from the text of a document. Replaces all chunks of the
 * document. If the document is vectorized and `force` is false, stores nothing and returns `alreadyVectorized: true`. Chunks in
 * the document's reference list are excluded from answers.
 */
export async function storeChunks(
  actor: Actor,
  documentId: string,
  chunks: readonly GivenChunk[],
  force: boolean,
  signal?: AbortSignal,
): Promise<{ success: boolean; error: string | null; alreadyVectorized: boolean }> {
  const document = await asActor(actor, (tx) => documentOrThrow(tx, documentId, 'edit'))
  if (document.vectorized_at && !force) return { success: true, error: null, alreadyVectorized: true }
  refuseTooLarge({ characters: chunks.reduce((sum, { content }) => sum + content.length, 0) })
  const marked = await markChunks({ person: actor.userId, signal }, await lazyText(actor, documentId), chunks)
  await embedAndStore(actor, document, marked, { signal })
  return { success: true, error: null, alreadyVectorized: false }
}

/**
 * Embeds chunks outside any transaction, then replaces all chunks of the document and marks it as vectorized in one
 * transaction. If no embedding model is available, stores chunks without vectors, which are found by words. `front` is the
 * title and abstract from which the chunk was made. Throws 'conflict' if the text, the title or the abstract has changed.
 */
async function embedAndStore(
  actor: Actor,
  document: { id: string; text_version: number; has_text: boolean; front?: string | undefined },
  chunks: readonly PlannedChunk[],
  run: Run,
): Promise<void> {
  if (chunks.every(({ isReference }) => isReference)) throw new AppError('refused', NO_CHUNKS)
  const { model, hasVectors } = embeddingModel()
  const embedded = hasVectors
    ? await embedChunks(actor, document.id, chunks, run)
    : { model, dimension: 0, chunks: chunks.map((chunk) => ({ ...chunk, sentences: [], embedding: null })) }
  run.signal?.throwIfAborted()
  const first = document.has_text ? 0 : FRONT_POSITION
  const terms = await countTerms({ person: actor.userId, signal: run.signal }, placed(chunks, first))
  await asActor(actor, async (tx) => {
    await run.assertStillRunning?.(tx)
    // Locks the document against changes of its text, and throws if the text has changed.
    await markVectorized(tx, document.id, embedded.model, document.text_version)
    if (document.front !== undefined && (await findFront(tx, document.id)) !== document.front)
      throw new AppError('conflict', FRONT_CHANGED)
    const { model, dimension } = embedded
    const hasCodes = database().embedded
    await replaceChunks(tx, document, embedded.chunks, { model, dimension, terms, first, hasCodes })
  })
}

async function embedChunks(
  actor: Actor,
  documentId: string,
  chunks: readonly PlannedChunk[],
  { signal, report }: Run,
): Promise<{ model: string; dimension: number; chunks: EmbeddedChunk[] }> {
  const texts = chunks.flatMap(({ content, pageOffset, sentences }) =>
    sentences.map(({ start, end }) => content.slice(start - pageOffset, end - pageOffset)),
  )
  const ctx: AiContext = { userId: actor.userId, purpose: 'embedding', documentId, signal }
  const vectors: Float32Array[] = []
  let used = { model: embeddingModel().model, dimension: 0 }
  for (let at = 0; at < texts.length; at += BATCH) {
    const { vectors: more, ...model } = await embedTexts(texts.slice(at, at + BATCH), ctx)
    if (at > 0 && (model.model !== used.model || model.dimension !== used.dimension))
      throw new AppError('conflict', 'The embedding model changed while the document was vectorized.')
    used = model
    vectors.push(...more)
    report?.(
      Math.round((95 * vectors.length) / texts.length),
      `Embedding sentence ${vectors.length} of ${texts.length}`,
    )
  }
  const embedded: EmbeddedChunk[] = []
  let next = 0
  for (const chunk of chunks) {
    const sentences = chunk.sentences.map((span) => ({ ...span, embedding: vectors[next++]! }))
    const embedding = sentences.length > 0 ? meanDirection(sentences.map((one) => one.embedding)) : null
    embedded.push({ ...chunk, sentences, embedding })
    // A book has ten thousand chunks. Yields to other requests between them.
    if (embedded.length % 100 === 0) await setImmediate()
  }
  return { ...used, chunks: embedded }
}
