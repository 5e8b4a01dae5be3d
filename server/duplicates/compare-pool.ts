import { poolErrors } from '#server/workers/pool-errors.ts'
import { createWorkerPool } from '#server/workers/worker-pool.ts'
import type { Candidates, Keyed, Waiting } from './check-queries.ts'
import { type CompareTask, keysOf, pairsOf } from './compare-papers.ts'
import type { SuspectedPair } from './pair-queries.ts'

const WORKERS = 1
const MEMORY_MB = 512
const IDLE_MS = 30_000
const QUEUE_LIMIT = 100
/** Limit of the processor time of a task. A task with 250 documents takes well under a second. */
const TIMEOUT_MS = 60_000
/**
 * Up to FEW_PAPERS documents or FEW_CANDIDATES pairs of documents are compared in the main thread and not in a worker, because
 * this takes less than a millisecond.
 */
const FEW_PAPERS = 5
const FEW_CANDIDATES = 30

const pool = createWorkerPool({
  script: new URL('./compare.worker.ts', import.meta.url),
  size: WORKERS,
  memoryMb: MEMORY_MB,
  queueLimit: QUEUE_LIMIT,
  idleMs: IDLE_MS,
  countsProcessorTime: true,
  errors: poolErrors('Comparing these papers', 'Too many papers are waiting for a comparison.'),
})

const run = (task: CompareTask, person: string) => pool.run(task, { person, timeoutMs: TIMEOUT_MS })

/**
 * Returns the comparison values and keys of documents. Many documents are processed in a worker thread, round-robin per
 * project.
 */
export const findKeys = async (projectId: string, papers: Waiting[]): Promise<Keyed[]> =>
  papers.length <= FEW_PAPERS ? keysOf(papers) : ((await run({ kind: 'keys', papers }, projectId)) as Keyed[])

/**
 * Returns the pairs of `candidates` whose two documents are suspected to be the same paper. Many pairs are compared in a worker
 * thread, which serves the projects in turn.
 */
export const findPairs = async (
  projectId: string,
  papers: Parameters<typeof pairsOf>[0][number][],
  candidates: Candidates[],
): Promise<SuspectedPair[]> =>
  candidates.length <= FEW_CANDIDATES
    ? pairsOf(papers, candidates)
    : ((await run({ kind: 'compare', papers, candidates }, projectId)) as SuspectedPair[])
