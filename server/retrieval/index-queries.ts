import { eq, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { chunks } from '#server/db/tables/chunks.ts'
import { chunkTerms, indexedDocuments, indexPause } from '#server/db/tables/search-index.ts'
import type { FailedDocument } from '#server/lib/recent-failures.ts'
import type { CountedTerms } from '#server/texts/index.ts'

/**
 * Replaces the terms of a document in the inverted index, and marks its index as complete. The caller must have locked the
 * document, so that it does not move to another project in the meantime.
 */
export async function storeTerms(
  tx: Tx,
  documentId: string,
  { rows, chunks: count, terms }: CountedTerms,
): Promise<void> {
  await tx.delete(chunkTerms).where(eq(chunkTerms.document_id, documentId))
  for (const part of rows)
    await tx.execute(sql`
      insert into chunk_terms (document_id, project_id, created_by, term, positions, counts, lengths)
      select d.id, d.project_id, d.created_by, t.term, t.positions, t.counts, t.lengths
      from documents d, json_to_recordset(${part}::json)
        as t(term text, positions integer[], counts smallint[], lengths smallint[])
      where d.id = ${documentId}::uuid`)
  await tx
    .update(indexedDocuments)
    .set({ is_stale: false, chunk_count: count, term_count: terms })
    .where(eq(indexedDocuments.document_id, documentId))
}

/** Copies the terms of the document `from` to the document `to`, which must have no terms. */
export async function copyTerms(tx: Tx, from: string, to: string): Promise<void> {
  await tx.execute(sql`
    insert into chunk_terms (document_id, project_id, created_by, term, positions, counts, lengths)
    select d.id, d.project_id, d.created_by, t.term, t.positions, t.counts, t.lengths
    from documents d, chunk_terms t where d.id = ${to}::uuid and t.document_id = ${from}::uuid`)
  await tx.execute(sql`
    update indexed_documents copy set is_stale = source.is_stale, chunk_count = source.chunk_count,
      term_count = source.term_count
    from indexed_documents source where copy.document_id = ${to}::uuid and source.document_id = ${from}::uuid`)
}

/** A document whose index of passages must be built, because the index is missing or was built from an older text. */
export interface StaleDocument extends Record<string, unknown> {
  id: string
  owner_id: string | null
  /** A number that changes at each edit of the text, title or abstract. */
  change: string
  /** The size of the text in bytes. */
  bytes: number
  has_text: boolean
  /** True if the document has been vectorized since the last change of its text. */
  is_vectorized: boolean
  has_chunks: boolean
}

/**
 * Returns one of the eight last changed documents whose index is stale (missing or built from an older text), without the
 * documents in `except` that have not changed since then (`version` is their `change`); undefined if there is none. The choice
 * among the eight is random, so that several servers rarely choose the same document.
 */
export async function findStaleDocument(tx: Tx, except: readonly FailedDocument[]): Promise<StaleDocument | undefined> {
  const ids = sql.param(except.map(({ id }) => id))
  const changes = sql.param(except.map(({ version }) => version))
  const { rows } = await tx.execute<StaleDocument>(sql`
    select d.id, d.created_by as owner_id, i.change, coalesce(d.extracted_text <> '', false) as has_text,
      coalesce(octet_length(d.extracted_text), 0) as bytes,
      d.vectorized_at is not null as is_vectorized, exists (select 1 from chunks c where c.document_id = d.id) as has_chunks
    from (select document_id, change from indexed_documents s
      where is_stale and not exists (select 1 from unnest(${ids}::uuid[], ${changes}::bigint[]) as failed (id, change)
        where failed.id = s.document_id and failed.change = s.change) order by change desc limit 8) i
    join documents d on d.id = i.document_id order by random() limit 1`)
  return rows[0]
}

/** Returns the title and abstract of a document as the text of a chunk; null if it has neither. */
export async function findFront(tx: Tx, documentId: string): Promise<string | null> {
  const { rows } = await tx.execute<{ title: string | null; abstract: string | null }>(
    sql`select nullif(btrim(title), '') as title, nullif(btrim(abstract), '') as abstract from documents where id = ${documentId}::uuid`,
  )
  const text = [rows[0]?.title, rows[0]?.abstract].filter(Boolean).join('\n\n')
  return text ? text.slice(0, LONGEST_FRONT) : null
}

/**
 * Maximum length of the chunk with the title and abstract of a paper, in characters. An abstract has about 2,000 characters.
 */
const LONGEST_FRONT = 6000

/** Returns the text of a document from which its index is built; null if it has none. */
export async function findIndexedText(tx: Tx, documentId: string): Promise<string | null> {
  const { rows } = await tx.execute<{ text: string | null }>(
    sql`select extracted_text as text from documents where id = ${documentId}::uuid`,
  )
  return rows[0]?.text ?? null
}

/**
 * Locks a document until the transaction ends, so that its index can be stored. Returns true if the index must be stored.
 * Returns false if the text, title or abstract has changed since `findStaleDocument`, if the document does not exist, or if its
 * index has been stored meanwhile.
 */
export async function lockForIndex(tx: Tx, { id, change }: StaleDocument): Promise<boolean> {
  await tx.execute(sql`select 1 from documents where id = ${id}::uuid for no key update`)
  // A separate statement: it sees the changes of a transaction that the lock waited for.
  const { rows } = await tx.execute(
    sql`select 1 from indexed_documents where document_id = ${id}::uuid and change = ${change}::bigint`,
  )
  return rows.length > 0
}

/** Returns the chunks of a document in order, except those of reference lists, as the JSON of PlacedChunk[]. */
export async function findPlacedChunks(tx: Tx, documentId: string): Promise<string> {
  const { rows } = await tx.execute<{ chunks: string }>(sql`
    select coalesce(json_agg(json_build_object('position', position, 'content', content) order by position), '[]')::text as chunks
    from chunks where document_id = ${documentId}::uuid and not is_reference`)
  return rows[0]!.chunks
}

/**
 * Stores the heading of the section of each chunk of a document; null for a chunk without a heading. `sections` is in the order
 * of the chunks and has no entries for chunks of reference lists.
 */
export async function storeSections(tx: Tx, documentId: string, sections: readonly (string | null)[]): Promise<void> {
  await tx.execute(sql`
    update chunks set section = named.section
    from (select id, row_number() over (order by position) as n from chunks
      where document_id = ${documentId}::uuid and not is_reference) ordered
    join unnest(${sql.param([...sections])}::text[]) with ordinality as named(section, n) using (n)
    where chunks.id = ordered.id and chunks.section is distinct from named.section`)
}

/** Maximum number of chunks that one transaction reads or writes. The vectors of this number of chunks take about 10 ms. */
const VECTORS_AT_ONCE = 100

/** Returns up to VECTORS_AT_ONCE chunks of a document that have a vector but no code (the vector in eight bits per number). */
export async function findUncodedChunks(tx: Tx, documentId: string) {
  return tx
    .select({ id: chunks.id, embedding: chunks.embedding })
    .from(chunks)
    .where(
      sql`${chunks.document_id} = ${documentId}::uuid and ${chunks.code} is null and ${chunks.embedding} is not null`,
    )
    .limit(VECTORS_AT_ONCE)
}

/** Stores the code of a chunk: its vector in eight bits per number (see encodeVector). */
export async function storeCode(tx: Tx, id: string, code: Buffer): Promise<void> {
  await tx.update(chunks).set({ code }).where(eq(chunks.id, id))
}

/** Deletes the chunks and terms of a document that has no text, title or abstract, and marks its index as complete. */
export async function markIndexed(tx: Tx, documentId: string): Promise<void> {
  await tx.delete(chunks).where(eq(chunks.document_id, documentId))
  await storeTerms(tx, documentId, { rows: [], chunks: 0, terms: 0, sections: [] })
}

/**
 * Returns the number of documents of all users, and the number of those whose index is missing or built from an older text
 * (`waiting`). Ignores deleted documents.
 */
export async function countIndexed(tx: Tx): Promise<{ documents: number; waiting: number }> {
  const { rows } = await tx.execute<{ documents: number; waiting: number }>(sql`
    select count(*)::int as documents, (count(*) filter (where i.is_stale))::int as waiting
    from indexed_documents i join documents d on d.id = i.document_id where d.deleted_at is null`)
  return rows[0]!
}

/** Returns whether an administrator has paused the building of the index. */
export async function isIndexPaused(tx: Tx): Promise<boolean> {
  const [row] = await tx.select({ isPaused: indexPause.is_paused }).from(indexPause)
  return row?.isPaused ?? false
}

/** Stores whether the building of the index is paused, for all processes. */
export async function storeIndexPaused(tx: Tx, isPaused: boolean): Promise<void> {
  await tx
    .insert(indexPause)
    .values({ is_paused: isPaused })
    .onConflictDoUpdate({ target: indexPause.id, set: { is_paused: isPaused } })
}
