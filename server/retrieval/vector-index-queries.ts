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

/** Runs one statement on the connection of `withIndexLock`. */
type Run = (statement: string) => Promise<void>

/**
 * Creates the HNSW index for the vectors of one model. It is a partial index, because vectors of different models have
 * different dimensions. Uses `create index concurrently`, outside a transaction, which blocks no writes. Raises
 * `maintenance_work_mem` (64 MB by default) to the size of the graph of the index, at most MOST_MEMORY_KB: if the graph does
 * not fit in this memory, each further vector takes several times as long.
 */
export async function createVectorIndex(
  run: Run,
  name: string,
  { model, dimension, count }: { model: string; dimension: number; count: number },
): Promise<void> {
  const needed = Math.ceil((count * (dimension * NUMBER_BYTES + GRAPH_BYTES)) / 1024)
  const build = `create index concurrently ${name} on chunks
      using hnsw ((embedding::halfvec(${dimension})) halfvec_cosine_ops) with (m = 16, ef_construction = 160)
      where model = '${model.replaceAll("'", "''")}' and dimension = ${dimension}`
  try {
    await run(`select set_config('maintenance_work_mem', greatest(reset_val::bigint, ${Math.min(needed, MOST_MEMORY_KB)})::text, false)
      from pg_settings where name = 'maintenance_work_mem'`)
    await run(build)
  } catch (error) {
    const { code } = error as { code?: string }
    if (code !== NO_SHARED_MEMORY && code !== NO_MEMORY) throw error
    await run('set max_parallel_maintenance_workers = 0')
    if (code === NO_MEMORY) await run('reset maintenance_work_mem')
    await dropVectorIndex(run, name)
    await run(build)
  }
}

/** Drops an index of vectors. */
export const dropVectorIndex = (run: Run, name: string): Promise<void> =>
  run(`drop index concurrently if exists ${name}`)

/**
 * Calls `work` while an advisory lock prevents changes of the indexes of vectors by other servers. The statements of `work` run
 * on a separate connection, outside a transaction. Does nothing if another server has the lock. It must not wait for the lock:
 * `create index concurrently` of the other server waits for the end of all older statements, also of one that waits for the
 * lock, and PostgreSQL ends such a deadlock with an error of the build. An abort of `signal` cancels the running statement.
 */
export async function withIndexLock(signal: AbortSignal, work: (run: Run) => Promise<void>): Promise<void> {
  const { pool } = database()
  const client = await pool.connect()
  let cancel: (() => void) | undefined
  try {
    await client.query(`set statement_timeout = '${BUILD_LIMIT}'`)
    const { rows } = await client.query<{ pid: number; is_locked: boolean }>(
      `select pg_backend_pid() as pid, pg_try_advisory_lock(hashtext('lectern:vector-index')) as is_locked`,
    )
    const { pid, is_locked } = rows[0]!
    if (!is_locked) return
    // Otherwise PostgreSQL would continue the statement for minutes after the end of this process.
    cancel = () => void pool.query('select pg_cancel_backend($1)', [pid]).catch(() => undefined)
    signal.addEventListener('abort', cancel)
    await work(async (statement) => {
      signal.throwIfAborted()
      await client.query(statement)
    })
  } finally {
    if (cancel) signal.removeEventListener('abort', cancel)
    // Closes the connection, which has other settings than those of the pool. This also releases the lock.
    client.release(true)
  }
}
