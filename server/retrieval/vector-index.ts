import { createHash } from 'node:crypto'
import { asSystem, database } from '#server/db/client.ts'
import { log } from '#server/lib/log.ts'
import {
  countModels,
  createVectorIndex,
  dropVectorIndex,
  listVectorIndexes,
  withIndexLock,
} from './vector-index-queries.ts'

/**
 * Maximum number of chunks of a model that are searched without an index. To compare all of them is as fast as to use an index.
 */
export const EXACT_CHUNKS = 2_000
/** The largest number of dimensions that pgvector supports in an HNSW index of half-precision vectors. */
const LARGEST_DIMENSION = 4_000
/** Minimum time between two counts of the chunks of each model, because a count reads all chunks. */
const CHECK_MS = 10 * 60_000

let checkedAt = -Infinity

/** Returns the name of the index of a model's vectors. */
export const vectorIndexName = (model: string, dimension: number): string =>
  `chunks_nearest_${dimension}_${createHash('sha256').update(model).digest('hex').slice(0, 12)}`

/**
 * Creates the HNSW index of each model with more than 2,000 chunks, and drops the indexes of models without chunks. Does
 * nothing in the embedded database, where a build takes minutes and 850 MB and the index finds fewer of the nearest chunks
 * (decision 34), within 10 minutes of the last check, or while another server does this. Does not block reads or writes.
 * An abort of `signal` ends the build.
 */
export async function ensureVectorIndex(signal: AbortSignal, now = performance.now()): Promise<void> {
  if (database().embedded || now - checkedAt < CHECK_MS) return
  checkedAt = now
  await withIndexLock(signal, async (run) => {
    const models = await asSystem(countModels)
    const existing = await asSystem(listVectorIndexes)
    const wanted = models.filter(({ dimension }) => dimension > 0 && dimension <= LARGEST_DIMENSION)
    for (const { model, dimension, count } of wanted) {
      const name = vectorIndexName(model, dimension)
      const found = existing.find((one) => one.name === name)
      if (found?.is_valid || count <= EXACT_CHUNKS) continue
      // A build that a killed process left incomplete: no build runs, because this process has the lock.
      if (found) await dropVectorIndex(run, name)
      const startedAt = performance.now()
      await createVectorIndex(run, name, { model, dimension, count })
      log.info({ index: name, chunks: count, ms: Math.round(performance.now() - startedAt) }, 'vector index built')
    }
    const names = new Set(wanted.map(({ model, dimension }) => vectorIndexName(model, dimension)))
    for (const { name } of existing) if (!names.has(name)) await dropVectorIndex(run, name)
  })
}
