import { parentPort } from 'node:worker_threads'
import { END_MESSAGE, type WorkerMessage } from '#server/workers/worker-pool.ts'
import { analyzeExtractively } from './builtin/analysis.ts'
import { answerExtractively } from './builtin/answer.ts'
import { findSearchPhrases } from './builtin/search-phrases.ts'
import type { Encode } from './builtin/sentence-model/encode.ts'
import type { SentenceModel } from './builtin/sentence-model/model-folder.ts'

/** Input and output of the worker's tasks, by name. */
export interface BuiltInTasks {
  analysis: { input: Parameters<typeof analyzeExtractively>[0]; output: ReturnType<typeof analyzeExtractively> }
  answer: { input: Parameters<typeof answerExtractively>[0]; output: string }
  phrases: { input: string; output: string[] }
  /** The concatenated vectors, each of length 1. */
  embed: { input: { texts: string[]; model: SentenceModel; threads: number }; output: Float32Array<ArrayBuffer> }
}

/** A request to the worker. */
export type BuiltInRequest = {
  [K in keyof BuiltInTasks]: { task: K; input: BuiltInTasks[K]['input'] }
}[keyof BuiltInTasks]

/** Loaded with the first texts: an analysis needs no weights. */
let encoder: Promise<Encode> | undefined
const load = async (model: SentenceModel, threads: number) =>
  (await import('./builtin/sentence-model/encode.ts')).loadEncoder(model, threads)

async function run(request: BuiltInRequest): Promise<BuiltInTasks[keyof BuiltInTasks]['output']> {
  switch (request.task) {
    case 'analysis':
      return analyzeExtractively(request.input)
    case 'answer':
      return answerExtractively(request.input)
    case 'phrases':
      return findSearchPhrases(request.input)
    case 'embed':
      return (await (encoder ??= load(request.input.model, request.input.threads)))(request.input.texts)
  }
}

const port = parentPort!
port.on('message', (request: BuiltInRequest | typeof END_MESSAGE) => {
  // Arrives between two batches: the native library would abort the process if its thread ended within a call.
  if (request === END_MESSAGE) process.exit()
  run(request).then(
    (result) =>
      port.postMessage({ result } satisfies WorkerMessage, result instanceof Float32Array ? [result.buffer] : []),
    (error: unknown) => {
      const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
      port.postMessage({ failure: { code: 'internal', message } } satisfies WorkerMessage)
    },
  )
})
