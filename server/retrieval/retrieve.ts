import { embeddingModel, hasProvider } from '#server/ai/index.ts'
import { asActor, type Tx } from '#server/db/client.ts'
import { documentOrThrow, measureDocumentText, type StoredDocument } from '#server/documents/index.ts'
import { AppError } from '#server/lib/errors.ts'
import type { Actor } from '#server/db/actor.ts'
import { type ChosenPassage, choosePassages, type TextTasks } from '#server/texts/index.ts'
import { SIMILAR_CHUNKS, type ChatSource } from '#shared/contract/chat.ts'
import { countPositions, findCandidates, findNearestChunks, findVectorModel } from './queries.ts'

/** A chunk in the response of POST /functions/v1/similarity-search. */
export interface SimilarChunk {
  content: string
  page_number: number
  page_offset: number
  /** Cosine of the chunk to the given vector, 0..1. */
  similarity: number
}

/**
 * Minimum relevance of a paper to a question; for a less relevant paper, no passages are returned. The relevance is high if a
 * sentence of the paper is similar to the question or a chunk contains many of its words (see blend.ts). LEAST_RELEVANCE was
 * measured for the built-in model (docs/decisions/0009-retrieval.md). LEAST_ANY excludes only unrelated papers: it is used for
 * other embedding models, whose cosines differ, and with a provider, whose chat model judges the relevance itself.
 */
const LEAST_RELEVANCE = 0.22
const LEAST_ANY = 0.05
const leastRelevance = () => (hasProvider() || !embeddingModel().isBuiltIn ? LEAST_ANY : LEAST_RELEVANCE)

/**
 * The result of a search in one document for the passages that answer a question. `passages`: the passages, best first.
 * `weights`: the search terms of the question with their IDF in the document; empty for a general question. `isFocused`:
 * whether one chunk contains all search terms of the question that the document contains, at least three.
 */
export interface Retrieved extends Pick<TextTasks['choose']['output'], 'weights' | 'isFocused'> {
  passages: (ChatSource & Pick<ChosenPassage, 'sentences'>)[]
}

/**
 * Returns a document, and whether only its words can be searched. Checks that the caller has the right `right` for the
 * document. `wordsOnly` is true if the vectors of the document come from another model than the current one, or if no model is
 * available. If it is false, the document is searched by meaning and words. Throws 'refused' if the document has no text or is
 * not vectorized.
 */
export function searchableDocument(
  actor: Actor,
  documentId: string,
  right: 'ask' | 'read' = 'ask',
): Promise<{ document: StoredDocument; wordsOnly: boolean }> {
  return asActor(actor, async (tx) => {
    const document = await documentOrThrow(tx, documentId, right)
    const stored = await findVectorModel(tx, documentId)
    if (!document.vectorized_at || !document.has_text || !stored)
      throw new AppError(
        'refused',
        'This document has not been vectorized yet. Vectorize it first, then ask your question.',
      )
    const { model, hasVectors } = embeddingModel()
    return { document, wordsOnly: !hasVectors || stored.model !== model }
  })
}

/**
 * Returns at most `limit` chunks of a document, those nearest to `vector` by cosine, most similar first. Omits chunks of
 * reference lists. Returns [] if the document is not vectorized. Throws 'refused' if the chunks have no vectors or vectors with
 * another number of dimensions, or if `vector` is a zero vector or contains a number that is not finite.
 */
export function findSimilar(
  actor: Actor,
  documentId: string,
  vector: Float32Array,
  limit = SIMILAR_CHUNKS,
): Promise<SimilarChunk[]> {
  return asActor(actor, async (tx) => {
    // A document that is not vectorized can have chunks without vectors for the search by words.
    const { vectorized_at } = await documentOrThrow(tx, documentId, 'read')
    const direction = vectorized_at ? await comparable(tx, documentId, vector) : null
    const found = direction ? await findNearestChunks(tx, documentId, direction, limit) : []
    return found.map((chunk) => ({ ...chunk, similarity: toShare(chunk.similarity) }))
  })
}

/**
 * Returns the passages of a document that best answer a question, best first. Combines keyword and vector search (see
 * blend.ts). Returns no passages if the document does not cover the question. `start` and `end` are the offsets of the best
 * sentence in its page; `similarity` is the cosine of this sentence to the question. Without a vector only words are compared,
 * and `similarity` is the weighted share of the question's words that the passage contains.
 */
export async function retrieve(
  actor: Actor,
  documentId: string,
  question: { text: string; vector: Float32Array | null },
  {
    signal,
    limit = SIMILAR_CHUNKS,
    right = 'ask',
  }: { signal?: AbortSignal; limit?: number; right?: 'ask' | 'read' } = {},
): Promise<Retrieved> {
  const { bytes: size } = await asActor(actor, (tx) => measureDocumentText(tx, documentId))
  const load = () => loadCandidates(actor, documentId, { vector: question.vector, right })
  const { passages, ...facts } = await choosePassages(
    { person: actor.userId, signal },
    { size, load },
    {
      question: question.text,
      limit,
      leastRelevance: question.vector ? leastRelevance() : null,
    },
  )
  const sources = passages.map(({ content, page_number, page_offset, best, coverage, sentences }) => ({
    content,
    page_number,
    page_offset,
    similarity: toShare(question.vector ? (best?.similarity ?? 0) : coverage),
    start: best?.start ?? page_offset,
    end: best?.end ?? page_offset + content.length,
    sentences,
  }))
  return { ...facts, passages: sources }
}

/**
 * Maximum number of chunks that one query reads. One query for all chunks of a book would block the embedded database for 100
 * ms.
 */
const CHUNKS_AT_ONCE = 250

/** Returns the candidates for an answer as JSON arrays of StoredCandidate, one for each part of the document. */
async function loadCandidates(
  actor: Actor,
  documentId: string,
  { vector, right }: { vector: Float32Array | null; right: 'ask' | 'read' },
): Promise<string[]> {
  const parts: string[] = []
  let end = Infinity
  for (let from = 0; from < end; from += CHUNKS_AT_ONCE) {
    await asActor(actor, async (tx) => {
      await documentOrThrow(tx, documentId, right)
      end = await countPositions(tx, documentId)
      const direction = vector && (await comparable(tx, documentId, vector))
      parts.push(await findCandidates(tx, documentId, direction, { from, to: from + CHUNKS_AT_ONCE }))
    })
  }
  return parts
}

/**
 * Returns `vector` scaled to length 1, or null if the document has no chunks. Throws 'refused' if the vector has another
 * dimension than those of the document, if it is a zero vector, or if the document has no vectors.
 */
async function comparable(tx: Tx, documentId: string, vector: Float32Array): Promise<Float32Array | null> {
  const stored = await findVectorModel(tx, documentId)
  if (!stored) return null
  if (stored.dimension === 0)
    throw new AppError('refused', 'This document has no vectors: it was prepared for a search by words only.')
  if (vector.length !== stored.dimension)
    throw new AppError(
      'refused',
      `The embedding has ${vector.length} numbers, but those of the document have ${stored.dimension}.`,
    )
  const length = Math.hypot(...vector)
  if (!Number.isFinite(length) || length === 0)
    throw new AppError('refused', 'The embedding must be a non-zero vector of finite numbers.')
  return vector.map((value) => value / length)
}

const toShare = (similarity: number) => Math.min(1, Math.max(0, Number.isFinite(similarity) ? similarity : 0))
