import { sql, type SQL } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { hasRight } from '#server/members/index.ts'
import type { NotVectorized, SearchFilters } from '#shared/contract/library-search.ts'
import {
  among,
  type Covered,
  inScope,
  type PassageConditions,
  passageConditions,
  type Scope,
  termRows,
} from './scope-queries.ts'

/**
 * The size of the index of passages in a scope (the projects and documents that a search covers). `mean_length` is the mean
 * number of terms of a chunk. `covered` is the number of chunks of those papers in the scope that match the filters of the
 * search.
 */
export interface Totals extends Record<string, unknown> {
  documents: number
  chunks: number
  mean_length: number
  covered: number
}

/** Returns the size of the index of passages in the scope of a search. The ranking of passages by words (BM25) needs it. */
export async function readTotals(tx: Tx, covered: Covered): Promise<Totals> {
  const { rows } = await tx.execute<Totals>(sql`
    select count(*)::int as documents, coalesce(sum(i.chunk_count), 0)::int as chunks,
      (coalesce(sum(i.term_count), 0)::float8 / greatest(1, sum(i.chunk_count)))::float8 as mean_length,
      (coalesce(sum(i.chunk_count) filter (where ${among(covered, 'i.document_id')}), 0))::int as covered
    from indexed_documents i where ${inScope(covered.scope, 'i')}`)
  return rows[0]!
}

/** Returns the number of papers of a scope that have a PDF, a text or an abstract, and no vectors of the model. */
export async function countNotVectorized(tx: Tx, scope: Scope, model: string): Promise<number> {
  const { rows } = await tx.execute<{ n: number }>(sql`
    select count(*)::int as n from documents d where ${inScope(scope, 'd')} and ${notVectorized(model)}`)
  return rows[0]!.n
}

/** Returns the types (CSL) of the papers of a scope, each with its number of papers, the most frequent type first. */
export async function listTypes(tx: Tx, scope: Scope): Promise<SearchFilters['types']> {
  const { rows } = await tx.execute<SearchFilters['types'][number]>(sql`
    select d.ref_type as type, count(*)::int as document_count from documents d
    where ${inScope(scope, 'd')} and d.ref_type is not null group by 1 order by 2 desc, 1`)
  return rows
}

/** Returns the number of papers of a scope that have vectors of the model. */
export async function countVectorized(tx: Tx, scope: Scope, model: string): Promise<number> {
  const { rows } = await tx.execute<{ n: number }>(sql`
    select count(*)::int as n from documents d where ${inScope(scope, 'd')} and d.embedding_model = ${model}`)
  return rows[0]!.n
}

/** Returns the numbers of papers of a scope that have a text or an abstract, and of retracted papers. */
export async function countReadable(tx: Tx, scope: Scope): Promise<Pick<NotVectorized, 'with_text' | 'retracted'>> {
  const { rows } = await tx.execute<{ with_text: number; retracted: number }>(sql`
    select (count(*) filter (where ${hasText}))::int as with_text, (count(*) filter (where d.retracted))::int as retracted
    from documents d where ${inScope(scope, 'd')}`)
  return rows[0]!
}

const hasText = sql`(d.extracted_text is not null or nullif(btrim(d.abstract), '') is not null)`

/**
 * Returns the condition that a paper has a PDF, a text or an abstract, and no vectors of the model. A paper without vectors has
 * a null model. Compares with < and >, because `is distinct from` would not use the index on the model.
 */
const notVectorized = (
  model: string,
) => sql`(d.embedding_model is null or d.embedding_model < ${model} or d.embedding_model > ${model})
  and (d.source_url is not null or ${hasText})`

/**
 * Returns the ids of the papers that `countNotVectorized` counts and that the caller may edit, at most `limit`, newest first.
 */
export async function listNotVectorized(tx: Tx, scope: Scope, model: string, limit: number): Promise<string[]> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    select d.id from documents d where ${inScope(scope, 'd')} and ${hasRight(sql`d.project_id`, 'edit')} and ${notVectorized(model)} order by d.created_at desc limit ${limit}`)
  return rows.map(({ id }) => id)
}

/** In a scope with more than twice this number of papers, terms are counted in a sample of this number of papers. */
const COUNTED_PAPERS = 500
/** A term that is in fewer papers of the sample than this is counted in all papers instead. */
const LEAST_COUNTED = 40

/**
 * Returns for each term the number of chunks in the scope that contain it. In a scope of many papers, the number of a frequent
 * term is estimated from the papers with the lowest ids, which are a sample because ids are random. A complete count would read
 * a page of the table for each row.
 */
export async function countTermChunks(
  tx: Tx,
  scope: Scope,
  { terms, documents }: { terms: readonly string[]; documents: number },
): Promise<Map<string, number>> {
  const all = sql`${sql.param([...terms])}::text[]`
  const counted = (
    condition: SQL,
  ) => sql`select t.term, count(*)::int as papers, sum(cardinality(t.positions))::int as n
    from ${termRows(scope, condition)} t group by t.term`
  const share = documents > 2 * COUNTED_PAPERS ? COUNTED_PAPERS / documents : 1
  const { rows } = await tx.execute<{ term: string; n: number }>(
    share === 1
      ? counted(sql`t.term = any(${all})`)
      : sql`with sampled as materialized (${counted(sql`t.term = any(${all}) and t.document_id < ${idAt(share)}::uuid`)}),
          frequent as materialized (select term, (n / ${share}::float8)::int as n from sampled where papers >= ${LEAST_COUNTED}),
          rare as materialized (${counted(sql`t.term = any(array(select unnest(${all}) except select term from frequent))`)})
        select term, n from frequent union all select term, n from rare`,
  )
  return new Map(rows.map(({ term, n }) => [term, n]))
}

/** Returns the UUID that is greater than the specified share of all random UUIDs. */
function idAt(share: number): string {
  const first = Math.min(0xffffffff, Math.floor(share * 2 ** 32))
  return `${first.toString(16).padStart(8, '0')}-0000-0000-0000-000000000000`
}

/** Passages found by words, best first, with the number of all such passages and papers. */
export interface WordHits extends Record<string, unknown> {
  passages: number
  papers: number
  hits: [documentId: string, position: number, score: number][]
}

/**
 * Returns the entries of each term in the inverted index: the ids of the papers that contain the term, with positions, counts
 * and lengths, in the format that scorePostings (server/texts) reads. If `share` is below 1, reads only a sample of about this
 * share of the papers: those whose ids are in a range of this size, which begins at `first` and wraps at 1. `share` and `first`
 * are fractions (0..1) of all possible ids.
 */
export async function readPostings(
  tx: Tx,
  covered: Covered,
  { terms, share, first }: { terms: readonly string[]; share: number; first: number },
): Promise<{ term: string; postings: string }[]> {
  const end = first + share
  const isRead =
    share >= 1
      ? sql`true`
      : end <= 1
        ? sql`t.document_id >= ${idAt(first)}::uuid and t.document_id < ${idAt(end)}::uuid`
        : sql`(t.document_id >= ${idAt(first)}::uuid or t.document_id < ${idAt(end - 1)}::uuid)`
  const { rows } = await tx.execute<{ term: string; postings: string }>(sql`
    select t.term, string_agg(t.document_id || t.positions::text || t.counts::text || t.lengths::text, '') as postings
    from ${termRows(covered.scope, sql`t.term = any(${sql.param([...terms])}::text[]) and ${isRead} and ${among(covered, 't.document_id')}`)} t
    group by t.term`)
  return rows
}

/** Returns the hits whose passages match the conditions. */
export async function filterHits(
  tx: Tx,
  hits: WordHits['hits'],
  conditions: PassageConditions,
): Promise<WordHits['hits']> {
  const { rows } = await tx.execute<{ places: number[] | null }>(sql`
    select array_agg(h.place::int order by h.place) as places
    from unnest(${sql.param(hits.map(([id]) => id))}::uuid[], ${sql.param(hits.map(([, position]) => position))}::int[])
      with ordinality as h(document_id, position, place)
    where ${passageConditions(conditions, 'h.document_id', 'h.position', null)}`)
  return (rows[0]!.places ?? []).map((place) => hits[place - 1]!)
}

/** Returns the first passage of each paper, newest paper first, for a search that has only conditions on papers. */
export async function findFirstPassages(tx: Tx, covered: Covered, limit: number): Promise<WordHits> {
  const { rows } = await tx.execute<WordHits>(sql`
    with hits as materialized (
      select d.created_at, c.document_id, min(c.position) as position from documents d join chunks c on c.document_id = d.id
      where ${among(covered, 'd.id')} and ${inScope(covered.scope, 'd')} and not c.is_reference group by d.created_at, c.document_id)
    select (select count(*)::int from hits) as passages, (select count(*)::int from hits) as papers,
      coalesce((select json_agg(json_build_array(best.document_id, best.position, 0))
        from (select * from hits order by created_at desc, document_id limit ${limit}) best), '[]') as hits`)
  return rows[0]!
}

/**
 * Returns the passages that match the conditions (document ids and positions), newest paper first. Reads the text of every
 * passage that the search covers.
 */
export async function findMatchingPassages(
  tx: Tx,
  covered: Covered,
  conditions: PassageConditions,
  limit: number,
): Promise<(readonly [id: string, position: number])[]> {
  const { rows } = await tx.execute<{ document_id: string; position: number }>(sql`
    select c.document_id, c.position from documents d join chunks c on c.document_id = d.id
    where ${among(covered, 'd.id')} and ${inScope(covered.scope, 'd')} and not c.is_reference
      and ${passageConditions(conditions, 'c.document_id', 'c.position', 'c.content')}
    order by d.created_at desc, c.document_id, c.position limit ${limit}`)
  return rows.map(({ document_id, position }) => [document_id, position] as const)
}
