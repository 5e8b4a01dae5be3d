import { availableParallelism } from 'node:os'
import { env } from '#server/lib/env.ts'

/** Workers that read PDFs at the same time: WORKERS, or one for each core. */
export const workerCount = () => env.WORKERS ?? Math.max(1, availableParallelism())

/** Memory of one worker: heap and buffers. A 100 MB PDF needs some 300 MB. */
export const WORKER_MEMORY_MB = 768
/** Documents that may wait for a worker before one more is refused. */
export const QUEUE_LIMIT = 200
export const IDLE_MS = 60_000

/** Reading a text layer: a thousand pages take well under a minute. */
export const TEXT_TIMEOUT_MS = 120_000
/** Opening a PDF to count its pages. */
export const INSPECT_TIMEOUT_MS = 20_000
