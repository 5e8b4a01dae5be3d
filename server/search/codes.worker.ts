import { parentPort } from 'node:worker_threads'
import type { WorkerMessage } from '#server/workers/worker-pool.ts'
import { type CodedDocument, type CodeScope, VectorCodes } from './vector-codes.ts'

/**
 * A request to the worker that searches vector codes (eight bits for each number). 'put' stores the codes of documents,
 * 'nearest' searches. `clear` first removes all stored codes and sets the dimension of the new ones.
 */
export type CodesRequest =
  | { task: 'put'; clear: { dimension: number } | null; documents: CodedDocument[] }
  | { task: 'nearest'; vector: Float32Array; scope: CodeScope; limit: number }

let codes = new VectorCodes(0)

const port = parentPort!
port.on('message', (request: CodesRequest) => {
  try {
    send({ result: run(request) })
  } catch (error) {
    send({ failure: { code: 'internal', message: String(error) } })
  }
})

const send = (message: WorkerMessage) => port.postMessage(message)

function run(request: CodesRequest): unknown {
  if (request.task === 'nearest') return codes.nearest(request.vector, request.scope, request.limit)
  if (request.clear) codes = new VectorCodes(request.clear.dimension)
  for (const document of request.documents) codes.put(document)
  return codes.size
}
