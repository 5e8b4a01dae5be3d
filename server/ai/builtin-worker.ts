import { parentPort } from 'node:worker_threads'
import { analyzeExtractively } from './builtin/analysis.ts'
import { findSearchPhrases } from './builtin/search-phrases.ts'

/** What the thread does: a paper to be analysed, or a research question whose phrases are wanted. */
export interface Tasks {
  analysis: { input: Parameters<typeof analyzeExtractively>[0]; output: ReturnType<typeof analyzeExtractively> }
  phrases: { input: string; output: string[] }
}

/** What goes to the thread, and what comes back under the same number. */
export type WorkerRequest = { [K in keyof Tasks]: { id: number; task: K; input: Tasks[K]['input'] } }[keyof Tasks]
export type WorkerReply = { id: number; output: Tasks[keyof Tasks]['output'] } | { id: number; error: string }

// Half a second of pure computing, or a language model to be loaded: either would hold up every request in the main thread.
parentPort?.on('message', (request: WorkerRequest) => {
  let reply: WorkerReply
  try {
    const output = request.task === 'analysis' ? analyzeExtractively(request.input) : findSearchPhrases(request.input)
    reply = { id: request.id, output }
  } catch (error) {
    reply = { id: request.id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
  parentPort?.postMessage(reply, [])
})
