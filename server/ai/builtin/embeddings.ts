import { env } from '#server/lib/env.ts'
import { AppError } from '#server/lib/errors.ts'
import { runBuiltIn } from '../builtin-pool.ts'
import { currentModel } from './sentence-model/current.ts'

/** Number of characters at the start of a text that are embedded. The time grows faster than the length of a text. */
const MAX_CHARACTERS = 600
/**
 * Maximum number of characters in a batch. Such a batch takes about 0.25 s, and a question waits no longer than this for the
 * batches of a book.
 */
const BATCH_CHARACTERS = 10_000
const BATCH_TEXTS = 96
/** Maximum number of texts per call of embedSentences. */
const MAX_TEXTS = 50_000
/** Number of batches of a call that are in the queue at once, so that a worker always has the next batch. */
const BATCHES_AT_ONCE = 2

/** The user id for whom texts are embedded (the queue serves users in turn), and a signal that ends the work. */
interface Caller {
  person: string | null
  signal?: AbortSignal | undefined
}

/**
 * Embeds sentences in worker threads with the sentence model (see currentModel). Returns one vector of length 1 per text, in
 * the order of the texts. Embeds only the first MAX_CHARACTERS characters of a text. `isQuery` means that the texts are
 * questions, for models that embed questions differently. Batches of different users are processed in turn, so a question waits
 * for at most one batch of a book. Throws an AppError: 'not_configured' without a model, 'too_large' for too many texts, or an
 * error of the worker (see runBuiltIn). Throws the reason of the signal when aborted.
 */
export async function embedSentences(
  texts: readonly string[],
  caller: Caller = { person: null },
  isQuery = false,
): Promise<Float32Array[]> {
  caller.signal?.throwIfAborted()
  if (texts.length > MAX_TEXTS)
    throw new AppError(
      'too_large',
      `Request too large: at most ${MAX_TEXTS.toLocaleString('en-US')} texts can be embedded at once.`,
    )
  const { model, missing } = currentModel()
  if (!model) throw new AppError('not_configured', `Texts cannot be embedded, because ${missing}.`)
  const prefix = isQuery ? model.queryPrefix : model.textPrefix
  const vectors: Float32Array[] = []
  const batches = planBatches(texts)
  const lane = async () => {
    for (let batch = batches.shift(); batch; batch = batches.shift()) {
      const input = batch.map((position) => prefix + (texts[position]!.slice(0, MAX_CHARACTERS) || ' '))
      const task = { texts: input, model, threads: env.EMBEDDING_THREADS }
      const found = await runBuiltIn('embed', task, { ...caller, isBrief: true })
      const dimension = found.length / batch.length
      batch.forEach((position, index) => {
        vectors[position] = found.slice(index * dimension, (index + 1) * dimension)
      })
    }
  }
  try {
    await Promise.all(Array.from({ length: Math.min(BATCHES_AT_ONCE, batches.length) }, lane))
  } catch (error) {
    batches.length = 0
    throw error
  }
  return vectors
}

/** Loads the sentence model into its worker, so that the first texts do not wait for it. Does nothing without a model. */
export async function loadSentenceModel(): Promise<void> {
  const { model } = currentModel()
  if (model) await runBuiltIn('load', { model, threads: env.EMBEDDING_THREADS }, { person: null, isBrief: true })
}

/** Returns the indexes of the texts in batches of at most BATCH_TEXTS texts and BATCH_CHARACTERS embedded characters. */
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
