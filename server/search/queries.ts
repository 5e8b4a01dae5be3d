import { sql, type SQL } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { hasRight } from '#server/members/index.ts'
import { among, type Covered, inScope, type PassageConditions, passageConditions, type Scope } from './scope-queries.ts'

/** The size of the index in a scope, and how many chunks the filters leave. */
export interface Totals extends Record<string, unknown> {
  documents: number
  chunks: number
  mean_length: number
  covered: number
}

/** Returns the number of chunks and their mean length in a scope, for BM25. */
export async function readTotals(tx: Tx, covered: Covered): Promise<Totals> {
  const { rows } = await tx.execute<Totals>(sql`
    select count(*)::int as documents, coalesce(sum(i.chunk_count), 0)::int as chunks,
      (coalesce(sum(i.term_count), 0)::float8 / greatest(1, sum(i.chunk_count)))::float8 as mean_length,
      (coalesce(sum(i.chunk_count) filter (where ${among(covered, 'i.document_id')}), 0))::int as covered
    from indexed_documents i where ${inScope(covered.scope, 'i')}`)
  return rows[0]!
}

/** Returns the papers of a scope that have a text or an abstract and no vectors of the model. */
export async function countNotVectorized(tx: Tx, scope: Scope, model: string): Promise<number> {
  const { rows } = await tx.execute<{ n: number }>(sql`
    select count(*)::int as n from documents d where ${inScope(scope, 'd')} and ${notVectorized(model)}`)
  return rows[0]!.n
}

const notVectorized = (model: string) => sql`(d.vectorized_at is null or d.embedding_model is distinct from ${model})
  and (d.extracted_text is not null or nullif(btrim(d.abstract), '') is not null)`

/** Returns the ids of the papers of `countNotVectorized` that the caller may edit, at most `limit`, newest first. */
export async function listNotVectorized(tx: Tx, scope: Scope, model: string, limit: number): Promise<string[]> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    select d.id from documents d where ${inScope(scope, 'd')} and ${hasRight(sql`d.project_id`, 'edit')} and ${notVectorized(model)} order by d.created_at desc limit ${limit}`)
  return rows.map(({ id }) => id)
}

/** Size of the sample of papers in which terms are counted, in a scope with more than twice as many papers. */
const COUNTED_PAPERS = 500
/** A term in fewer papers of the sample is counted in all papers. */
const LEAST_COUNTED = 40

/**
 * Returns for each term the number of chunks in the scope that contain it. In a scope of many papers, the number of a frequent
 * term is estimated from a sample: ids are random, and a complete count reads a page of the table for each row.
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
    from chunk_terms t where ${inScope(scope, 't')} and ${condition} group by t.term`
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

/** The usual constants of BM25, as within a paper (server/texts/bm25.ts). */
const K1 = sql.raw('1.2::float8')
const B = sql.raw('0.75::float8')

/** Passages found by words, best first, with the number of all such passages and papers. */
export interface WordHits extends Record<string, unknown> {
  passages: number
  papers: number
  hits: [documentId: string, position: number, score: number][]
}

/**
 * Scores the chunks that contain any of the terms by BM25, and returns the best `limit`. `weights`: the IDF of each term.
 * `share`: below 1, a random part of the papers is read, and the numbers of passages and papers are estimated.
 */
export async function findByWords(
  tx: Tx,
  covered: Covered,
  asked: {
    weights: readonly (readonly [string, number])[]
    meanLength: number
    conditions: PassageConditions
    share: number
    limit: number
  },
): Promise<WordHits> {
  const { weights, meanLength, conditions, share, limit } = asked
  const terms = sql.param(weights.map(([term]) => term))
  const needed = conditions.required.flatMap((group) => {
    const sets = group.map((one) => ('terms' in one ? one.terms : null))
    // All terms of one phrase of the group: a cheap condition before the text is read.
    return sets.every((set) => set !== null)
      ? [
          sql`(${sql.join(
            sets.map((set) => sql`array_agg(t.term) @> ${sql.param(set)}::text[]`),
            sql` or `,
          )})`,
        ]
      : []
  })
  const isRead = share < 1 ? sql`t.document_id < ${idAt(share)}::uuid` : sql`true`
  const having = needed.length > 0 ? sql`having ${sql.join(needed, sql` and `)}` : sql``
  const { rows } = await tx.execute<WordHits>(sql`
    with postings as (
      select t.document_id, t.term, (${sql.param(weights.map(([, weight]) => weight))}::float8[])[array_position(${terms}::text[], t.term)] as weight,
        unnest(t.positions) as position, unnest(t.counts) as count, unnest(t.lengths) as length
      from chunk_terms t
      where ${inScope(covered.scope, 't')} and t.term = any(${terms}::text[]) and ${isRead} and ${among(covered, 't.document_id')}
    ), scored as (
      select t.document_id, t.position,
        sum(t.weight * t.count * (${K1} + 1) / (t.count + ${K1} * (1 - ${B} + ${B} * t.length / ${meanLength}::float8))) as score
      from postings t group by t.document_id, t.position ${having}
    ), hits as materialized (
      select h.document_id, h.position, h.score from scored h
      where ${passageConditions(conditions, 'h.document_id', 'h.position', null)}
    )
    select (select count(*)::int from hits) as passages, (select count(distinct document_id)::int from hits) as papers,
      coalesce((select json_agg(json_build_array(best.document_id, best.position, best.score))
        from (select * from hits order by score desc, document_id, position limit ${limit}) best), '[]') as hits`)
  const { passages, papers, hits } = rows[0]!
  return { passages: Math.round(passages / share), papers: Math.round(papers / share), hits }
}

/** The first passage of each paper, newest first: for a search that has conditions on papers only. */
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
