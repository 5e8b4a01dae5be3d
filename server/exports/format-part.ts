import { poolErrors } from '#server/workers/pool-errors.ts'
import { createWorkerPool } from '#server/workers/worker-pool.ts'
import type { PartTask } from './write-part.ts'

const MEMORY_MB = 256
const IDLE_MS = 60_000
/** Maximum number of parts that a user has in the queue of the worker. An export queues one part at a time. */
const PERSON_LIMIT = 20
const QUEUE_LIMIT = 500
/** Time limit of a part in milliseconds. A part usually takes about 20 ms. */
const TIMEOUT_MS = 30_000

const pool = createWorkerPool({
  script: new URL('./exports.worker.ts', import.meta.url),
  size: 1,
  memoryMb: MEMORY_MB,
  queueLimit: QUEUE_LIMIT,
  personLimit: PERSON_LIMIT,
  idleMs: IDLE_MS,
  countsProcessorTime: true,
  errors: poolErrors('Writing these references', 'Too many of your exports are waiting.'),
})

/**
 * Returns the text of one part of an export file. A worker thread writes the text. If several users wait for the worker, it
 * serves them in turn. `person` is the id of the user.
 */
export const formatPart = (task: PartTask, person: string): Promise<string> =>
  pool.run(task, { person, timeoutMs: TIMEOUT_MS }) as Promise<string>
