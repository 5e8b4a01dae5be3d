import { parentPort } from 'node:worker_threads'
import type { WorkerMessage } from '#server/workers/worker-pool.ts'
import { CannotCite } from './cannot-cite.ts'
import { checkStyle, type CheckTask } from './check-style.ts'
import { cite, type CiteTask, listAll } from './cite.ts'

/**
 * A task of the worker that formats citations. 'cite': formats citations. 'check': checks the file of a new style. 'list':
 * lists all styles and languages.
 */
export type CitationTask = CiteTask | CheckTask | { kind: 'list' }

parentPort!.on('message', (task: CitationTask) => parentPort!.postMessage(run(task)))

/**
 * Runs a task and returns its result or a failure. The message of the failure 'refused' is for users, and the message of
 * 'style' is for the log.
 */
function run(task: CitationTask): WorkerMessage {
  try {
    return { result: resultOf(task) }
  } catch (error) {
    if (error instanceof CannotCite) return { failure: { code: 'refused', message: error.message } }
    return { failure: { code: 'style', message: error instanceof Error ? error.message : String(error) } }
  }
}

function resultOf(task: CitationTask): unknown {
  if (task.kind === 'list') return listAll()
  return task.kind === 'check' ? checkStyle(task) : cite(task)
}
