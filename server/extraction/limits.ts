import { availableParallelism } from 'node:os'
import { env } from '#server/lib/env.ts'

/** Returns the number of PDF workers: the setting WORKERS, or one for each processor core. */
export const workerCount = () => env.WORKERS ?? Math.max(1, availableParallelism())

/** Memory limit of one worker in MB, for heap and buffers. A PDF of 100 MB needs about 300 MB. */
export const WORKER_MEMORY_MB = 768
/** Maximum number of documents that wait for a worker. Further documents are refused. */
export const QUEUE_LIMIT = 200
export const IDLE_MS = 60_000

/** Time limit for reading a text layer. A thousand pages take well under a minute. */
export const TEXT_TIMEOUT_MS = 120_000
/** Time limit for opening a PDF to count its pages. */
export const INSPECT_TIMEOUT_MS = 20_000
