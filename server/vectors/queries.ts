import { and, asc, desc, eq, isNotNull, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { chunks, chunkSentences } from '#server/db/tables/chunks.ts'
import type { Span } from '#shared/sentences.ts'

/** A chunk ready to be stored: `embedding` and `sentences` are empty for references. */
export interface EmbeddedChunk {
  content: string
  pageNumber: number
  pageOffset: number
  isReference: boolean
  embedding: Float32Array | null
  sentences: (Span & { embedding: Float32Array })[]
}

/** Writing vectors as text is work for the event loop: about 5 ms for so many. */
const ROWS_AT_ONCE = 50

/** Puts these chunks in the place of all that the document had. */
export async function replaceChunks(
  tx: Tx,
  document: { id: string; owner_id: string },
  embedded: readonly EmbeddedChunk[],
  { model, dimension }: { model: string; dimension: number },
): Promise<void> {
  await tx.delete(chunks).where(eq(chunks.document_id, document.id))
  const owned = { document_id: document.id, owner_id: document.owner_id }
  const rows = embedded.map(({ content, pageNumber, pageOffset, isReference, embedding }, position) => ({
    ...owned,
    id: crypto.randomUUID(),
    position,
    content,
    page_number: pageNumber,
    page_offset: pageOffset,
    is_reference: isReference,
    model,
    dimension,
    embedding,
  }))
  const sentences = embedded.flatMap((chunk, position) =>
    chunk.sentences.map(({ start, end, embedding }) => ({
      ...owned,
      chunk_id: rows[position]!.id,
      start_offset: start,
      end_offset: end,
      embedding,
    })),
  )
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE)
    await tx.insert(chunks).values(rows.slice(at, at + ROWS_AT_ONCE))
  for (let at = 0; at < sentences.length; at += ROWS_AT_ONCE)
    await tx.insert(chunkSentences).values(sentences.slice(at, at + ROWS_AT_ONCE))
}

/** With which model and dimension the document's chunks were embedded; undefined without chunks. */
export async function findVectorModel(tx: Tx, documentId: string) {
  const [row] = await tx
    .select({ model: chunks.model, dimension: chunks.dimension })
    .from(chunks)
    .where(and(eq(chunks.document_id, documentId), isNotNull(chunks.embedding)))
    .limit(1)
  return row
}

/** The chunks nearest to a vector by cosine, nearest first: an exact scan of one document. */
export async function findNearestChunks(tx: Tx, documentId: string, vector: Float32Array, limit: number) {
  const similarity = cosine(chunks.embedding, vector)
  return tx
    .select({
      content: chunks.content,
      page_number: chunks.page_number,
      page_offset: chunks.page_offset,
      similarity: similarity.mapWith(Number),
    })
    .from(chunks)
    .where(and(eq(chunks.document_id, documentId), isNotNull(chunks.embedding)))
    .orderBy(desc(similarity), asc(chunks.position))
    .limit(limit)
}

/** Every chunk of a document that may stand in an answer, in order, and every sentence of them with its cosine to a vector. */
export async function findCandidates(tx: Tx, documentId: string, vector: Float32Array) {
  const found = await tx
    .select({
      id: chunks.id,
      content: chunks.content,
      page_number: chunks.page_number,
      page_offset: chunks.page_offset,
    })
    .from(chunks)
    .where(and(eq(chunks.document_id, documentId), eq(chunks.is_reference, false)))
    .orderBy(asc(chunks.position))
  const sentences = await tx
    .select({
      chunk_id: chunkSentences.chunk_id,
      start: chunkSentences.start_offset,
      end: chunkSentences.end_offset,
      similarity: cosine(chunkSentences.embedding, vector).mapWith(Number),
    })
    .from(chunkSentences)
    .where(eq(chunkSentences.document_id, documentId))
    .orderBy(asc(chunkSentences.start_offset))
  return { found, sentences }
}

/** 1 for the same direction, 0 for none in common, below 0 for opposite ones. */
const cosine = (column: typeof chunks.embedding | typeof chunkSentences.embedding, vector: Float32Array) =>
  sql<number>`1 - (${column} <=> ${sql.param(vector, column)}::halfvec)`
