import { sql } from 'drizzle-orm'
import { database, type Tx } from '#server/db/client.ts'

/** Returns the models and dimensions of the stored vectors, each with the number of its chunks. */
export async function countModels(tx: Tx): Promise<{ model: string; dimension: number; count: number }[]> {
  const { rows } = await tx.execute<{ model: string; dimension: number; count: number }>(sql`
    select model, dimension, count(*)::int as count from chunks where embedding is not null group by model, dimension`)
  return rows
}

/** Returns the indexes of vectors. `is_valid` is false if a build has not finished. */
export async function listVectorIndexes(tx: Tx): Promise<{ name: string; is_valid: boolean }[]> {
  const { rows } = await tx.execute<{ name: string; is_valid: boolean }>(sql`
    select c.relname as name, i.indisvalid as is_valid from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indrelid = 'chunks'::regclass and c.relname like 'chunks\\_nearest\\_%'`)
  return rows
}

/** Time limit of the build of an index. It is long, because no request waits for the index. */
const BUILD_LIMIT = '6h'
/**
 * Memory of a vector in the graph that pgvector builds: NUMBER_BYTES for each number, and GRAPH_BYTES for neighbors and
 * headers. A parallel build of 120,000 vectors needed 1,104 bytes for the latter, and 720 bytes without parallel workers.
 */
const NUMBER_BYTES = 2
const GRAPH_BYTES = 1_200
/** Maximum memory for the build of an index. A million vectors of 384 numbers need 2 GB. */
const MOST_MEMORY_KB = 2 * 1024 * 1024
/** The SQLSTATE of PostgreSQL in a container whose shared memory is too small for a parallel build. */
const NO_SHARED_MEMORY = '53100'
/** The SQLSTATE of PostgreSQL on a machine with less memory than the build needs. */
const NO_MEMORY = '53200'

/**
 * Creates the HNSW index for the vectors of one model. It is a partial index, because vectors of different models have
 * different dimensions. Uses `create index concurrently`, outside a transaction, which blocks no writes. Raises
 * `maintenance_work_mem` (64 MB by default) to the size of the graph of the index, at most MOST_MEMORY_KB: if the graph does
 * not fit in this memory, each further vector takes several times as long.
 */
export async function createVectorIndex(
  name: string,
  { model, dimension, count }: { model: string; dimension: number; count: number },
): Promise<void> {
  const needed = Math.ceil((count * (dimension * NUMBER_BYTES + GRAPH_BYTES)) / 1024)
  const memory = `select set_config('maintenance_work_mem', greatest(setting::bigint, ${Math.min(needed, MOST_MEMORY_KB)})::text, false)
    from pg_settings where name = 'maintenance_work_mem'`
  const build = `create index concurrently if not exists ${name} on chunks
      using hnsw ((embedding::halfvec(${dimension})) halfvec_cosine_ops) with (m = 16, ef_construction = 160)
      where model = '${model.replaceAll("'", "''")}' and dimension = ${dimension}`
  try {
    await alone([memory, build])
  } catch (error) {
    const { code } = error as { code?: string }
    if (code !== NO_SHARED_MEMORY && code !== NO_MEMORY) throw error
    const serial = 'set max_parallel_maintenance_workers = 0'
    const settings = code === NO_MEMORY ? [serial] : [memory, serial]
    await alone([...settings, `drop index concurrently if exists ${name}`, build])
  }
}

/** Drops an index of vectors. */
export const dropVectorIndex = (name: string): Promise<void> => alone([`drop index concurrently if exists ${name}`])

/**
 * Runs statements on a separate connection, outside a transaction. An advisory lock admits one server at a time; a second
 * server waits and then finds that the index exists.
 */
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
