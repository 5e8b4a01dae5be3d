import { availableParallelism } from 'node:os'
import { env } from '#server/lib/env.ts'

/** Returns the number of PDF workers: WORKERS, or one per core. */
export const workerCount = () => env.WORKERS ?? Math.max(1, availableParallelism())

/** Memory of one worker: heap and buffers. A 100 MB PDF needs about 300 MB. */
export const WORKER_MEMORY_MB = 768
/** Documents that can wait for a worker; further ones are refused. */
export const QUEUE_LIMIT = 200
export const IDLE_MS = 60_000

/** Time limit for a text layer: a thousand pages take well under a minute. */
export const TEXT_TIMEOUT_MS = 120_000
/** Time limit for opening a PDF to count its pages. */
export const INSPECT_TIMEOUT_MS = 20_000
