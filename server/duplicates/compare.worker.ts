import { parentPort } from 'node:worker_threads'
import type { WorkerMessage } from '#server/workers/worker-pool.ts'
import { type CompareTask, keysOf, pairsOf } from './compare-papers.ts'

parentPort!.on('message', (task: CompareTask) => {
  const result = task.kind === 'keys' ? keysOf(task.papers) : pairsOf(task.papers, task.candidates)
  parentPort!.postMessage({ result } satisfies WorkerMessage)
})
