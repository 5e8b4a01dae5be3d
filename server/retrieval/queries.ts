import { and, asc, desc, eq, isNotNull, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { chunks, chunkSentences } from '#server/db/tables/chunks.ts'
import { documents } from '#server/db/tables/documents.ts'
import { vectorRenewal } from '#server/db/tables/vector-renewal.ts'
import { isPausedJob } from '#server/queue/pause-queries.ts'
import type { CountedTerms } from '#server/texts/index.ts'
import type { Span } from '#shared/passages/sentences.ts'
import { copyTerms, storeTerms } from './index-queries.ts'
import { encodeVector } from './vector-code.ts'

/**
 * A chunk to store. If the chunk is in a reference list, or if no embedding model is available, `embedding` is null and
 * `sentences` is empty.
 */
export interface EmbeddedChunk {
  content: string
  pageNumber: number
  pageOffset: number
  isReference: boolean
  embedding: Float32Array | null
  sentences: (Span & { embedding: Float32Array })[]
}

/** Number of rows in one INSERT. Serializing the vectors of this number of rows blocks the event loop for about 5 ms. */
const ROWS_AT_ONCE = 50

/**
 * The position of the chunk with the title and abstract of a paper without a text. The positions of other chunks begin at 0.
 */
export const FRONT_POSITION = -1

/**
 * Replaces all chunks of a document and their terms in the inverted index. `first` is the position that the first new chunk
 * gets. If `hasCodes` is true, also stores the vectors in eight bits per number, which the search of the embedded database
 * uses.
 */
export async function replaceChunks(
  tx: Tx,
  document: { id: string },
  embedded: readonly EmbeddedChunk[],
  stored: { model: string; dimension: number; terms: CountedTerms; first: number; hasCodes: boolean },
): Promise<void> {
  const { model, dimension, terms, first, hasCodes } = stored
  // `terms.sections` has no entries for reference lists.
  const sections = terms.sections.values()
  await tx.delete(chunks).where(eq(chunks.document_id, document.id))
  const owned = { document_id: document.id }
  for (let at = 0; at < embedded.length; at += ROWS_AT_ONCE) {
    const slice = embedded.slice(at, at + ROWS_AT_ONCE).map((chunk) => ({ ...chunk, id: crypto.randomUUID() }))
    await tx.insert(chunks).values(
      slice.map(({ id, content, pageNumber, pageOffset, isReference, embedding }, index) => ({
        ...owned,
        id,
        position: first + at + index,
        content,
        page_number: pageNumber,
        page_offset: pageOffset,
        is_reference: isReference,
        model,
        dimension,
        embedding,
        code: hasCodes && embedding ? encodeVector(embedding) : null,
        section: isReference ? null : (sections.next().value ?? null),
      })),
    )
    const sentences = slice.flatMap((chunk) =>
      chunk.sentences.map(({ start, end, embedding }) => ({
        ...owned,
        chunk_id: chunk.id,
        start_offset: start,
        end_offset: end,
        embedding,
      })),
    )
    for (let from = 0; from < sentences.length; from += ROWS_AT_ONCE)
      await tx.insert(chunkSentences).values(sentences.slice(from, from + ROWS_AT_ONCE))
  }
  await storeTerms(tx, document.id, terms)
}

/** Copies the chunks, sentences and terms of the document `from` to the document `to`, which must have none. */
export async function copyChunks(tx: Tx, from: string, to: string): Promise<void> {
  await tx.execute(sql`
    with copied as (
      insert into chunks (document_id, position, content, page_number, page_offset, is_reference, model, dimension, embedding,
        code, section)
      select ${to}::uuid, position, content, page_number, page_offset, is_reference, model, dimension, embedding, code, section
      from chunks where document_id = ${from}::uuid
      returning id, document_id, position
    )
    insert into chunk_sentences (chunk_id, document_id, start_offset, end_offset, embedding)
    select copied.id, copied.document_id, sentence.start_offset, sentence.end_offset, sentence.embedding
    from chunk_sentences as sentence
    join chunks as source on source.id = sentence.chunk_id
    join copied using (position)
    where sentence.document_id = ${from}::uuid`)
  await copyTerms(tx, from, to)
}

/**
 * Returns the model and dimension of a document's vectors, or undefined if the document has no chunks. The dimension 0 means
 * that the chunks have no vectors.
 */
export async function findVectorModel(tx: Tx, documentId: string) {
  const [row] = await tx
    .select({ model: chunks.model, dimension: chunks.dimension })
    .from(chunks)
    .where(and(eq(chunks.document_id, documentId), eq(chunks.is_reference, false)))
    .limit(1)
  return row
}

/**
 * Returns the chunks of a document that are nearest to a vector by cosine, nearest first. Scans all chunks of the document, so
 * the result is exact.
 */
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

/**
 * Returns the end (exclusive) of the positions of the chunks of a document: the highest position plus 1; 0 if there are no
 * chunks.
 */
export async function countPositions(tx: Tx, documentId: string): Promise<number> {
  const [row] = await tx
    .select({ last: sql<number | null>`max(${chunks.position})` })
    .from(chunks)
    .where(eq(chunks.document_id, documentId))
  return row?.last === null || row === undefined ? 0 : row.last + 1
}

/**
 * Returns the chunks of a document in order, from the position `from` up to but not including `to`, without reference lists.
 * Each chunk has its sentences with their cosines to `vector`, or no sentences if `vector` is null. The result is the JSON of
 * StoredCandidate[] (server/texts). A worker parses it, because a long document has a hundred thousand sentences.
 */
export async function findCandidates(
  tx: Tx,
  documentId: string,
  vector: Float32Array | null,
  { from, to }: { from: number; to: number },
): Promise<string> {
  const similarity = vector ? cosine(chunkSentences.embedding, vector) : sql`0`
  const isInRange = sql`${chunks.document_id} = ${documentId} and ${chunks.position} >= ${from} and ${chunks.position} < ${to}`
  const found = await tx.execute<{ candidates: string }>(sql`
    select coalesce(json_agg(json_build_object('content', ${chunks.content}, 'page_number', ${chunks.page_number},
      'page_offset', ${chunks.page_offset}, 'sentences', coalesce(own.list, '[]'::json)) order by ${chunks.position}),
      '[]')::text as candidates
    from ${chunks} left join (
      select ${chunkSentences.chunk_id} as chunk_id, json_agg(json_build_object('start', ${chunkSentences.start_offset},
        'end', ${chunkSentences.end_offset}, 'similarity', ${similarity})
        order by ${chunkSentences.start_offset}) as list
      from ${chunkSentences} where ${vector !== null} and ${chunkSentences.document_id} = ${documentId}
        and ${chunkSentences.chunk_id} in (select ${chunks.id} from ${chunks} where ${isInRange})
      group by ${chunkSentences.chunk_id}
    ) own on own.chunk_id = ${chunks.id}
    where ${isInRange} and not ${chunks.is_reference}`)
  return found.rows[0]!.candidates
}

/**
 * Returns the SQL for the cosine of a stored vector and `vector`: 1 for the same direction, 0 for orthogonal vectors, -1 for
 * opposite vectors.
 */
const cosine = (column: typeof chunks.embedding | typeof chunkSentences.embedding, vector: Float32Array) =>
  sql<number>`1 - (${column} <=> ${sql.param(vector, column)}::halfvec)`

/**
 * Returns whether an administrator has paused (true) or continued (false) the renewal of vectors; undefined without such a
 * choice.
 */
export async function isRenewalPaused(tx: Tx): Promise<boolean | undefined> {
  const [row] = await tx.select({ isPaused: vectorRenewal.is_paused }).from(vectorRenewal)
  return row?.isPaused
}

/** Stores whether the renewal of vectors is paused, for all processes. */
export async function storeRenewalPaused(tx: Tx, isPaused: boolean): Promise<void> {
  await tx
    .insert(vectorRenewal)
    .values({ is_paused: isPaused })
    .onConflictDoUpdate({ target: vectorRenewal.id, set: { is_paused: isPaused } })
}

const isStale = (model: string) =>
  sql`${documents.vectorized_at} is not null and ${documents.embedding_model} is distinct from ${model}`

/**
 * Returns the number of vectorized documents of all users, and the number of those with vectors of another model than `model`
 * (`stale`). Ignores deleted documents.
 */
export async function countStale(tx: Tx, model: string): Promise<{ documents: number; stale: number }> {
  const [row] = await tx
    .select({
      documents: sql<number>`count(*) filter (where ${documents.vectorized_at} is not null)::int`,
      stale: sql<number>`count(*) filter (where ${isStale(model)})::int`,
    })
    .from(documents)
    .where(sql`${documents.deleted_at} is null`)
  return row!
}

/**
 * Returns the newest document whose vectors are of another model than `model`; undefined if there is none. Ignores documents of
 * disabled users and documents with a queued or failed `vectorize` job. `owner_id` is the account that can own a `vectorize`
 * job for the document: the owner of its project, or its own owner if it is in no project. `isBusy` is true if any job of the
 * installation waits or runs, except the waiting jobs of paused uploads, because an upload can stay paused for months.
 */
export async function findNextStale(tx: Tx, model: string) {
  const { rows } = await tx.execute<{ id: string; owner_id: string; project_id: string; isBusy: boolean }>(sql`
    select ${documents.id}, profiles.id as owner_id, ${documents.project_id},
      exists (select 1 from jobs where status = 'running' or status = 'queued' and not ${isPausedJob}) as "isBusy"
    from ${documents} left join projects on projects.id = ${documents.project_id}
    join profiles on profiles.id = coalesce(projects.owner_id, ${documents.owner_id}) and profiles.disabled_at is null
    where ${documents.deleted_at} is null and ${isStale(model)} and not exists (
      select 1 from jobs where jobs.document_id = ${documents.id} and jobs.kind = 'vectorize' and jobs.status in ('queued', 'failed'))
    order by ${documents.created_at} desc limit 1`)
  return rows[0]
}
