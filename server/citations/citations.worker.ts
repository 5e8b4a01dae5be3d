import { parentPort } from 'node:worker_threads'
import type { WorkerMessage } from '#server/workers/worker-pool.ts'
import { CannotCite, cite, type CitationTask, listAll } from './cite.ts'

parentPort!.on('message', (task: CitationTask) => parentPort!.postMessage(run(task)))

/** The result is a CiteResult or the list of styles; the message of a failure is for users. */
function run(task: CitationTask): WorkerMessage {
  try {
    return { result: task.kind === 'list' ? listAll() : cite(task) }
  } catch (error) {
    if (error instanceof CannotCite) return { failure: { code: 'refused', message: error.message } }
    return { failure: { code: 'style', message: error instanceof Error ? error.message : String(error) } }
  }
}
