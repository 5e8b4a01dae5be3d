import { parentPort } from 'node:worker_threads'
import { analyzeExtractively } from './builtin/analysis.ts'

/** What goes to the thread, and what comes back under the same number. */
export interface WorkerRequest {
  id: number
  paper: Parameters<typeof analyzeExtractively>[0]
}
export type WorkerReply =
  | { id: number; analysis: ReturnType<typeof analyzeExtractively> }
  | { id: number; error: string }

// Only an analysis runs here: half a second of pure computing, which would hold up every request in the main thread.
parentPort?.on('message', ({ id, paper }: WorkerRequest) => {
  let reply: WorkerReply
  try {
    reply = { id, analysis: analyzeExtractively(paper) }
  } catch (error) {
    reply = { id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
  parentPort?.postMessage(reply, [])
})
