import { sql } from 'drizzle-orm'
import { database, type Tx } from '#server/db/client.ts'

/** Returns the models of the stored vectors with the number of their chunks. */
export async function countModels(tx: Tx): Promise<{ model: string; dimension: number; count: number }[]> {
  const { rows } = await tx.execute<{ model: string; dimension: number; count: number }>(sql`
    select model, dimension, count(*)::int as count from chunks where embedding is not null group by model, dimension`)
  return rows
}

/** Returns the indexes of vectors; one whose build did not end is not valid. */
export async function listVectorIndexes(tx: Tx): Promise<{ name: string; is_valid: boolean }[]> {
  const { rows } = await tx.execute<{ name: string; is_valid: boolean }>(sql`
    select c.relname as name, i.indisvalid as is_valid from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indrelid = 'chunks'::regclass and c.relname like 'chunks\\_nearest\\_%'`)
  return rows
}

/** Hours of a build that no request waits for. */
const BUILD_LIMIT = '6h'

/**
 * Creates the HNSW index of the vectors of a model, partial, because vectors of several models have several dimensions. Not
 * in a transaction, so that it blocks no writes.
 */
export async function createVectorIndex(
  name: string,
  { model, dimension }: { model: string; dimension: number },
): Promise<void> {
  await alone([
    `create index concurrently if not exists ${name} on chunks
      using hnsw ((embedding::halfvec(${dimension})) halfvec_cosine_ops) with (m = 16, ef_construction = 64)
      where model = '${model.replaceAll("'", "''")}' and dimension = ${dimension}`,
  ])
}

/** Drops an index of vectors. */
export const dropVectorIndex = (name: string): Promise<void> => alone([`drop index concurrently if exists ${name}`])

/** Runs statements on a connection without a transaction. One server at a time: the second finds the index. */
async function alone(statements: readonly string[]): Promise<void> {
  const client = await database().pool.connect()
  let isBroken = false
  try {
    await client.query(`set statement_timeout = '${BUILD_LIMIT}'`)
    await client.query(`select pg_advisory_lock(hashtext('lectern:vector-index'))`)
    for (const statement of statements) await client.query(statement)
  } catch (error) {
    isBroken = true
    throw error
  } finally {
    if (!isBroken) await client.query(`select pg_advisory_unlock(hashtext('lectern:vector-index'))`)
    // The connection has other settings than those of the pool.
    client.release(true)
  }
}
