import { asSystemAtOnce } from '#server/db/client.ts'
import { AppError } from '#server/lib/errors.ts'
import { createWorkerPool, type WorkerPool } from '#server/workers/worker-pool.ts'
import { countIndexedDocuments, readChangedCodes } from './code-queries.ts'
import type { CodesRequest } from './codes.worker.ts'
import type { Place } from './scope-queries.ts'
import type { CodeScope } from './vector-codes.ts'

/**
 * Memory limit of the worker in MB. The codes (vectors with eight bits for each number) of 100,000 chunks with 384 numbers each
 * need 40 MB.
 */
const MEMORY_MB = 1024
const IDLE_MS = 15 * 60_000
const TIMEOUT_MS = 20_000
const PERSON_LIMIT = 30
const QUEUE_LIMIT = 500
/**
 * Maximum number of attempts to search in a worker that has the codes of all vectors in memory. A worker may end between the
 * last update and the search, and its successor has no codes.
 */
const ATTEMPTS = 3
/**
 * Maximum number of removed documents whose codes (8-bit vectors) a worker may still have in memory. A search does not return
 * their passages, because they are no longer in the database.
 */
const MOST_REMOVED = 50

let opened: WorkerPool | undefined

const lost = (cause?: unknown) => new AppError('internal', 'The search by meaning failed.', { cause })
const pool = () =>
  (opened ??= createWorkerPool({
    script: new URL('./codes.worker.ts', import.meta.url),
    size: 1,
    memoryMb: MEMORY_MB,
    queueLimit: QUEUE_LIMIT,
    personLimit: PERSON_LIMIT,
    idleMs: IDLE_MS,
    errors: {
      slow: lost,
      memory: lost,
      lost,
      full: () =>
        new AppError('too_many', 'Too many of your searches are running. Please try again in a moment.', {
          retryAfter: 5,
        }),
    },
  }))

/**
 * Describes the codes (vectors with eight bits for each number) that a worker has in memory: the model of the vectors, and the
 * number of the last index change that the codes include.
 */
interface Loaded {
  model: string
  change: number
}
const loaded = new WeakMap<object, Loaded>()
let updating: Promise<unknown> = Promise.resolve()

/** The model and the dimension of the vectors of a search. */
interface Vectors {
  model: string
  dimension: number
}
let latest: Vectors | null = null

/**
 * Brings the codes (vectors of passages with eight bits for each number) in the worker's memory up to date, for the model and
 * dimension of the previous search. A search calls it while the text of the search is embedded, to save time. Returns this
 * model and dimension; null if there was no previous search or the update failed.
 */
export async function refreshCodes(): Promise<Vectors | null> {
  const vectors = latest
  if (!vectors) return null
  return updateNext(vectors).then(
    () => vectors,
    () => null,
  )
}

/**
 * Returns at most `limit` chunks nearest to a vector, nearest first, each as its document and position. Used for the embedded
 * database: a worker compares the codes (vectors with eight bits for each number) of the chunks in its memory. `person` is the
 * id of the user who searches. `refreshed` is the result of the call of `refreshCodes` in the same search.
 */
export async function findByCodes(
  person: string,
  asked: { model: string; vector: Float32Array; scope: CodeScope; limit: number },
  refreshed: ReturnType<typeof refreshCodes>,
): Promise<Place[]> {
  const { model, vector, scope, limit } = asked
  const known = await refreshed
  let isFresh = known?.model === model && known.dimension === vector.length
  latest = { model, dimension: vector.length }
  for (let attempt = 1; ; attempt++) {
    if (!isFresh) await updateNext({ model, dimension: vector.length })
    let isLoaded = true
    const found = await pool().run(
      (worker: object): CodesRequest => {
        isLoaded = loaded.get(worker)?.model === model
        return { task: 'nearest', vector, scope, limit: isLoaded ? limit : 0 }
      },
      { person, timeoutMs: TIMEOUT_MS },
    )
    if (isLoaded) return found as Place[]
    if (attempt >= ATTEMPTS) throw lost()
    isFresh = false
  }
}

/** Runs `update` after all earlier updates have ended. */
function updateNext(vectors: Vectors): Promise<void> {
  const next = updating.catch(() => {}).then(() => update(vectors))
  updating = next
  return next
}

/** Sends the codes (8-bit vectors) of the documents that changed since the last search to the worker. */
async function update({ model, dimension }: Vectors): Promise<void> {
  let isComplete = false
  while (!isComplete) {
    let used: object | undefined
    let isChanged = false
    const task = async (worker: object): Promise<CodesRequest> => {
      used = worker
      const known = loaded.get(worker)
      const isNew = known?.model !== model
      const after = { change: isNew ? 0 : known.change, model, dimension }
      const next = await asSystemAtOnce((db) => readChangedCodes(db, after))
      loaded.set(worker, { model, change: next.change })
      isComplete = next.isComplete
      isChanged = next.documents.length > 0
      return { task: 'put', clear: isNew ? { dimension } : null, documents: next.documents }
    }
    const size = (await pool().run(task, { timeoutMs: TIMEOUT_MS })) as number
    if (!isComplete || !isChanged || !used) continue
    if (size > (await asSystemAtOnce(countIndexedDocuments)) + MOST_REMOVED) {
      // The next update loads everything.
      loaded.delete(used)
      isComplete = false
    }
  }
}

/** Ends the worker that holds the vector codes and searches them; the next search starts a new worker. */
export async function stopCodes(): Promise<void> {
  await opened?.stop()
  opened = undefined
}
