import { poolErrors } from '#server/workers/pool-errors.ts'
import { createWorkerPool } from '#server/workers/worker-pool.ts'
import { type Compared, type ComparedInput, compareValues } from './compare-values.ts'

const WORKERS = 1
const MEMORY_MB = 512
const IDLE_MS = 30_000
const QUEUE_LIMIT = 100
const PERSON_LIMIT = 10
const TIMEOUT_MS = 60_000
/**
 * Maximum number of characters of two runs (stored analyses or answers) that are compared in the main thread and not in a
 * worker. It takes a few milliseconds and is enough for most analyses.
 */
const FEW_CHARACTERS = 30_000

const pool = createWorkerPool({
  script: new URL('./compare.worker.ts', import.meta.url),
  size: WORKERS,
  memoryMb: MEMORY_MB,
  queueLimit: QUEUE_LIMIT,
  personLimit: PERSON_LIMIT,
  idleMs: IDLE_MS,
  errors: poolErrors('Comparing these runs', 'Too many of your runs are being compared.'),
})

/**
 * Compares the values and prompts of two runs (recorded analyses or answers). Long texts are compared in a worker thread;
 * waiting users are served in turn. `person` is the user's id.
 */
export async function compareInTurn(input: ComparedInput, person: string): Promise<Compared> {
  const { one, other, prompts } = input
  const characters = [...one, ...other].reduce(
    (sum, { text, evidence }) => sum + text.length + evidence.reduce((total, { quote }) => total + quote.length, 0),
    prompts.one.length + prompts.other.length,
  )
  if (characters <= FEW_CHARACTERS) return compareValues(input)
  return (await pool.run(input, { person, timeoutMs: TIMEOUT_MS })) as Compared
}
