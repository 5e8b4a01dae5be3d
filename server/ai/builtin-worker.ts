import { parentPort } from 'node:worker_threads'
import { END_MESSAGE, type WorkerMessage } from '#server/workers/worker-pool.ts'
import { analyzeExtractively } from './builtin/analysis.ts'
import { alignWords } from './builtin/align-words.ts'
import { answerExtractively } from './builtin/answer.ts'
import { refuse } from './builtin/judge-answerable.ts'
import { type PaperQuote, quotePapers } from './builtin/library-answer.ts'
import { textsToCompare } from './builtin/quotable-sentences.ts'
import { findSearchPhrases } from './builtin/search-phrases.ts'
import type { Encoder } from './builtin/sentence-model/encode.ts'
import type { SentenceModel } from './builtin/sentence-model/model-folder.ts'

/** The sentence model and its threads. */
interface LoadedModel {
  model: SentenceModel
  threads: number
}

/** Input and output of the worker's tasks, by name. */
export interface BuiltInTasks {
  analysis: { input: Parameters<typeof analyzeExtractively>[0]; output: ReturnType<typeof analyzeExtractively> }
  /** `missing`: asked words that the paper contains nowhere. Without a model, no words are compared by meaning. */
  answer: {
    input: Parameters<typeof answerExtractively>[0] & { missing: readonly string[]; model: LoadedModel | null }
    output: string
  }
  /** Like `answer`, over several papers. `isRefused`: no paper answers. */
  library: {
    input: Omit<Parameters<typeof quotePapers>[0], 'words'> & { missing: readonly string[]; model: LoadedModel | null }
    output: { isRefused: boolean; quotes: PaperQuote[] }
  }
  phrases: { input: string; output: string[] }
  /** The concatenated vectors, each of length 1. */
  embed: { input: { texts: string[] } & LoadedModel; output: Float32Array<ArrayBuffer> }
}

/** A request to the worker. */
export type BuiltInRequest = {
  [K in keyof BuiltInTasks]: { task: K; input: BuiltInTasks[K]['input'] }
}[keyof BuiltInTasks]

/** Loaded with the first texts: an analysis needs no weights. */
let encoder: Promise<Encoder> | undefined
const encoderOf = (loaded: LoadedModel) => (encoder ??= load(loaded))
const load = async ({ model, threads }: LoadedModel) =>
  (await import('./builtin/sentence-model/encode.ts')).loadEncoder(model, threads)

async function answer({ model, missing, ...input }: BuiltInTasks['answer']['input']): Promise<string> {
  const { question, passages } = input
  const content = passages.map((passage) => passage.content).join('\n')
  if (!model) return refuse({ question, content, missing }, null) ?? answerExtractively(input)
  const { words, units, quotable } = await compare(question, passages, model)
  return (
    refuse({ question, content, missing }, { words, units, idf: new Map(input.weights) }) ??
    answerExtractively({ ...input, words: quotable })
  )
}

async function answerLibrary({
  model,
  missing,
  ...input
}: BuiltInTasks['library']['input']): Promise<BuiltInTasks['library']['output']> {
  const { question, passages } = input
  const content = passages.map((passage) => passage.content).join('\n')
  const compared = model ? await compare(question, passages, model) : null
  const judged = compared && { words: compared.words, units: compared.units, idf: new Map(input.weights) }
  if (refuse({ question, content, missing }, judged) !== null) return { isRefused: true, quotes: [] }
  return { isRefused: false, quotes: quotePapers({ ...input, words: compared?.quotable }) }
}

/** Compares the words of a question with passages, within a time limit, and with the quotable sentences of the passages. */
async function compare(question: string, passages: Parameters<typeof textsToCompare>[0], model: LoadedModel) {
  const { texts, quotable, units } = textsToCompare(passages)
  const { embedWords } = await encoderOf(model)
  const words = await alignWords(question, texts, embedWords)
  const count = words[0]?.cosines.length ?? 0
  const places = quotable.filter((at) => at < count)
  return {
    words,
    // A long passage of the server function is compared in part.
    units: units.filter((unit) => unit.every((at) => at < count)),
    quotable: words.map((word) => ({ ...word, cosines: places.map((at) => word.cosines[at]!) })),
  }
}

async function run(request: BuiltInRequest): Promise<BuiltInTasks[keyof BuiltInTasks]['output']> {
  switch (request.task) {
    case 'analysis':
      return analyzeExtractively(request.input)
    case 'answer':
      return answer(request.input)
    case 'library':
      return answerLibrary(request.input)
    case 'phrases':
      return findSearchPhrases(request.input)
    case 'embed':
      return (await encoderOf(request.input)).embed(request.input.texts)
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
