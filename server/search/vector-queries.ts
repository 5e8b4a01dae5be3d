import { sql, type SQL } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { vectorIndexName } from '#server/retrieval/index.ts'
import { among, type Covered, inScope, type Place } from './scope-queries.ts'

/** The vector of a search, and the model that created it. */
export interface SearchVector {
  model: string
  vector: Float32Array
}

const quoted = (text: string) => sql.raw(`'${text.replaceAll("'", "''")}'`)

/** Maximum number of tuples that an iterative scan of an HNSW index reads. */
const MOST_TUPLES = 20_000
/** Length of the list of candidates (hnsw.ef_search) of a scan of an HNSW index: see docs/decisions/0034. */
export const SCAN_CANDIDATES = 800

/**
 * Query that sets the options of an HNSW scan for the transaction. Sorting is disabled, because the planner ignores the cost of
 * reading stored vectors, and would otherwise compare and sort up to tens of thousands of vectors.
 */
export const INDEX_SETTINGS = sql`select set_config('hnsw.iterative_scan', 'relaxed_order', true),
  set_config('hnsw.ef_search', ${String(SCAN_CANDIDATES)}, true), set_config('hnsw.max_scan_tuples', ${String(MOST_TUPLES)}, true),
  set_config('enable_sort', 'off', true)`

/**
 * Returns whether the HNSW index of a model's vectors is complete. If it is, also sets the options of its scan (INDEX_SETTINGS)
 * for the transaction.
 */
export async function useVectorIndex(tx: Tx, { model, vector }: SearchVector): Promise<boolean> {
  const { rows } = await tx.execute(sql`
    ${INDEX_SETTINGS} from pg_index where indexrelid = to_regclass(${vectorIndexName(model, vector.length)}) and indisvalid`)
  return rows.length > 0
}

/**
 * Returns the chunks of a scope nearest to a vector. If `isExact`, compares all vectors of the scope. Otherwise uses the HNSW
 * index, which applies the filter during its scan; call `useVectorIndex` before.
 */
export async function findByVector(
  tx: Tx,
  covered: Covered,
  asked: SearchVector & { isExact: boolean; limit: number },
): Promise<Place[]> {
  const { rows } = await tx.execute<Place & Record<string, unknown>>(nearestQuery(covered, asked))
  return rows
}

/**
 * Returns the SQL query that finds the chunks of a scope nearest to a vector (see `findByVector`). The model is a constant in
 * the SQL, because each model has its own partial index.
 */
export function nearestQuery(
  covered: Covered,
  { model, vector, isExact, limit }: SearchVector & { isExact: boolean; limit: number },
): SQL {
  const dimension = sql.raw(String(vector.length))
  const given = sql`${sql.param(vector, vectorColumn)}::halfvec(${dimension})`
  const distance = isExact ? sql`c.embedding <=> ${given}` : sql`(c.embedding::halfvec(${dimension})) <=> ${given}`
  return sql`select c.document_id, c.position from chunks c
    where ${inScope(covered.scope, 'c')} and c.model = ${quoted(model)} and c.dimension = ${dimension}
      and c.embedding is not null and ${among(covered, 'c.document_id')}
    order by ${distance} limit ${limit}`
}

/** Serializes a vector for PostgreSQL with five decimals, the precision of the stored vectors. */
export const vectorColumn = {
  mapToDriverValue: (vector: Float32Array) =>
    `[${Array.from(vector, (value) => Math.round(value * 1e5) / 1e5).join(',')}]`,
}
