import { embeddingModel, hasProvider } from '#server/ai/index.ts'
import { asActor, type Tx } from '#server/db/client.ts'
import { documentOrThrow, measureDocumentText, type StoredDocument } from '#server/documents/index.ts'
import { AppError } from '#server/lib/errors.ts'
import type { Actor } from '#server/lib/session.ts'
import { choosePassages } from '#server/texts/index.ts'
import { SIMILAR_CHUNKS, type ChatSource } from '#shared/chat.ts'
import { findCandidates, findNearestChunks, findVectorModel } from './queries.ts'

/** A passage as the server function similarity-search answers it. */
export interface SimilarChunk {
  content: string
  page_number: number
  page_offset: number
  /** Cosine, 0..1. */
  similarity: number
}

/**
 * Below this cosine of its best sentence, and without the question's words, a paper has nothing on a question. Measured
 * for the built-in model (docs/decisions/0009-retrieval.md); a provider's chat model judges for itself, so there only
 * what has nothing in common at all is left out.
 */
const leastSimilarity = () => (hasProvider() ? 0.05 : 0.3)

/**
 * The document, if questions can be asked of it. Refuses one that is not vectorised ('refused'), and one that was
 * vectorised with another model than the one in use ('conflict'), whose vectors cannot be compared.
 */
export function searchableDocument(actor: Actor, documentId: string): Promise<StoredDocument> {
  return asActor(actor, async (tx) => {
    const document = await documentOrThrow(tx, documentId)
    const vectors = await findVectorModel(tx, documentId)
    if (!document.vectorized_at || !vectors)
      throw new AppError(
        'refused',
        'This document has not been vectorized yet. Vectorize it first, then ask your question.',
      )
    if (vectors.model !== embeddingModel().model)
      throw new AppError(
        'conflict',
        `This document was vectorized with ${vectors.model}, but ${embeddingModel().model} is in use now. Re-vectorize it first.`,
      )
    return document
  })
}

/** The chunks nearest to a vector by cosine alone, most similar first; references are left out. */
export function findSimilar(
  actor: Actor,
  documentId: string,
  vector: Float32Array,
  limit = SIMILAR_CHUNKS,
): Promise<SimilarChunk[]> {
  return asActor(actor, async (tx) => {
    await documentOrThrow(tx, documentId)
    const direction = await comparable(tx, documentId, vector)
    const found = direction ? await findNearestChunks(tx, documentId, direction, limit) : []
    return found.map((chunk) => ({ ...chunk, similarity: toShare(chunk.similarity) }))
  })
}

/**
 * The passages of a document that answer a question best, by its words and its vector (see blend.ts), best first; none
 * when the document says nothing on it. `start` and `end` are the place in the page of the sentence that answers best,
 * `similarity` is that sentence's own cosine to the question.
 */
export async function retrieve(
  actor: Actor,
  documentId: string,
  question: { text: string; vector: Float32Array },
  signal?: AbortSignal,
  limit = SIMILAR_CHUNKS,
): Promise<ChatSource[]> {
  const size = await asActor(actor, (tx) => measureDocumentText(tx, documentId))
  const load = () =>
    asActor(actor, async (tx) => {
      await documentOrThrow(tx, documentId)
      const direction = await comparable(tx, documentId, question.vector)
      return direction ? findCandidates(tx, documentId, direction) : '[]'
    })
  const chosen = await choosePassages(
    { person: actor.userId, signal },
    { size, load },
    {
      question: question.text,
      limit,
      leastSimilarity: leastSimilarity(),
    },
  )
  return chosen.map(({ content, page_number, page_offset, best }) => ({
    content,
    page_number,
    page_offset,
    similarity: toShare(best?.similarity ?? 0),
    start: best?.start ?? page_offset,
    end: best?.end ?? page_offset + content.length,
  }))
}

/** The vector at length 1; null without chunks. One of another dimension, or that is no direction, cannot be compared: 'refused'. */
async function comparable(tx: Tx, documentId: string, vector: Float32Array): Promise<Float32Array | null> {
  const stored = await findVectorModel(tx, documentId)
  if (!stored) return null
  if (vector.length !== stored.dimension)
    throw new AppError(
      'refused',
      `The embedding has ${vector.length} numbers, but the document's have ${stored.dimension}.`,
    )
  const length = Math.hypot(...vector)
  if (!Number.isFinite(length) || length === 0) throw new AppError('refused', 'The embedding is not a direction.')
  return vector.map((value) => value / length)
}

const toShare = (similarity: number) => Math.min(1, Math.max(0, Number.isFinite(similarity) ? similarity : 0))
