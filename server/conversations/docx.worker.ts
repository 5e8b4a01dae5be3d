import { parentPort } from 'node:worker_threads'
import type { WorkerMessage } from '#server/workers/worker-pool.ts'
import type { Block } from './export-blocks.ts'
import { writeDocx } from './write-docx.ts'

parentPort!.on('message', (blocks: Block[]) => {
  void writeDocx(blocks).then((result) => parentPort!.postMessage({ result } satisfies WorkerMessage))
})
