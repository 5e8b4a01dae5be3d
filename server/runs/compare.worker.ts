import { parentPort } from 'node:worker_threads'
import type { WorkerMessage } from '#server/workers/worker-pool.ts'
import { type ComparedInput, compareValues } from './compare-values.ts'

parentPort!.on('message', (input: ComparedInput) => {
  parentPort!.postMessage({ result: compareValues(input) } satisfies WorkerMessage)
})
