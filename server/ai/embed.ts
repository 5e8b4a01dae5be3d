import { z } from 'zod'
import { FailedTry } from '#server/fetch/retry.ts'
import { SettingError } from '#server/lib/dot-env.ts'
import { env } from '#server/lib/env.ts'
import { log } from '#server/lib/log.ts'
import { embedSentences, loadSentenceModel } from './builtin/embeddings.ts'
import { currentModel } from './builtin/sentence-model/current.ts'
import type { AiContext } from './context.ts'
import { permanentFailure, readFailure } from './failure.ts'
import { passGate } from './gate.ts'
import { hasProvider } from './provider.ts'
import { callProvider } from './provider-call.ts'
import { recordCall } from './record.ts'
import { withProviderRetries } from './retry.ts'

/** Limits of one request to a provider. Cohere accepts only 96 texts, OpenAI 2048 texts and 300,000 tokens. */
const MAX_TEXTS = 96
const MAX_CHARACTERS = 200_000

/** Error message for a response without a vector. */
export const NO_VECTOR = 'The embedding model returned no vector.'

/**
 * Stored instead of a model's name with chunks (pieces of a paper) that have no vectors. Only the word search finds these
 * chunks.
 */
const WORDS_ONLY = 'words-only'

const providerModel = () => (env.EMBEDDINGS && hasProvider() ? env.AI_EMBEDDING_MODEL : undefined)

/**
 * Returns the current embedding model. Its name is stored with every vector, because vectors of different models are not
 * comparable. `hasVectors` is false when this process cannot embed texts; then papers are searched by words only.
 * `isFree`: a call costs nothing, because the model runs in this process. `isBuiltIn`: it is the model that comes with
 * the product.
 */
export function embeddingModel(): { model: string; hasVectors: boolean; isFree: boolean; isBuiltIn: boolean } {
  const named = providerModel()
  if (named) return { model: named, hasVectors: true, isFree: false, isBuiltIn: false }
  const { model } = currentModel()
  const isBuiltIn = model !== null && env.EMBEDDING_MODEL_DIR === undefined
  return { model: model?.name ?? WORDS_ONLY, hasVectors: model !== null, isFree: true, isBuiltIn }
}

/**
 * Checks the sentence model at startup, unless a provider embeds texts. Logs a warning with the reason if there is no model.
 * Embeds one text as a test if the model is in the folder EMBEDDING_MODEL_DIR. Throws a SettingError or StartError for an
 * unusable model.
 */
export async function prepareEmbeddings(): Promise<void> {
  if (providerModel() !== undefined) return
  const { model, missing } = currentModel()
  if (model && env.EMBEDDING_MODEL_DIR) {
    await embedSentences(['A sentence.']).catch((error: unknown) => {
      const reason = String(((error as Error).cause as Error | undefined)?.message ?? error).split('\n')[0]
      throw new SettingError(`EMBEDDING_MODEL_DIR: the model ${model.weights} cannot be used (${reason}).`)
    })
  }
  if (!model) log.warn(`Papers are searched by words only, because ${missing}.`)
}

/** Starts loading the built-in sentence model, unless a provider embeds texts. Call it shortly before texts are embedded. */
export function warmEmbeddings(): void {
  if (providerModel() !== undefined) return
  loadSentenceModel().catch((error: unknown) => log.warn({ err: error }, 'the sentence model could not be loaded'))
}

/**
 * Returns one vector of length 1 per text, in order. Uses the provider's AI_EMBEDDING_MODEL if set, else the sentence model
 * of this process. `isQuery`: the texts are questions, which some sentence models mark with a prefix. Throws 'not_configured'
 * without a model.
 */
export async function embedTexts(
  texts: string[],
  ctx: AiContext,
  { isQuery = false } = {},
): Promise<{ model: string; dimension: number; vectors: Float32Array[] }> {
  const { model } = embeddingModel()
  const vectors: Float32Array[] = []
  if (providerModel() === undefined) vectors.push(...(await embedHere(texts, model, ctx, isQuery)))
  else {
    const characters = texts.reduce((sum, text) => sum + text.length, 0)
    const end = await passGate({ model, characters, answers: false }, ctx)
    try {
      for (const batch of inBatches(texts))
        vectors.push(...(await withProviderRetries(() => embedBatch(batch, model, ctx), ctx.signal)))
    } finally {
      end()
    }
  }
  if (vectors.some((vector) => vector.length === 0)) throw permanentFailure(NO_VECTOR)
  const dimension = vectors[0]?.length ?? 0
  if (vectors.length !== texts.length || vectors.some((vector) => vector.length !== dimension))
    throw permanentFailure(`The embedding model "${model}" returned vectors of different lengths.`)
  return { model, dimension, vectors: vectors.map(toUnitLength) }
}

/** Response of POST /embeddings. */
const embeddingsAnswer = z.object({
  data: z.array(z.object({ embedding: z.array(z.number()) })),
  usage: z.object({ prompt_tokens: z.number().nullish() }).nullish(),
})

async function embedBatch(texts: string[], model: string, ctx: AiContext): Promise<Float32Array[]> {
  ctx.signal?.throwIfAborted()
  const startedAt = performance.now()
  let tokens: number | undefined
  let error: string | null = 'aborted'
  try {
    const body = { model, input: texts, encoding_format: 'float' }
    const response = await callProvider({ path: '/embeddings', body, model, signal: ctx.signal })
    const { data, usage } = embeddingsAnswer.parse(await response.json())
    tokens = usage?.prompt_tokens || undefined
    if (data.length === 0) throw permanentFailure(NO_VECTOR)
    if (data.length !== texts.length)
      throw permanentFailure(
        `The embedding model "${model}" returned ${data.length} vectors for ${texts.length} texts.`,
      )
    error = null
    return data.map(({ embedding }) => Float32Array.from(embedding))
  } catch (thrown) {
    ctx.signal?.throwIfAborted()
    error = 'internal'
    const failure = readFailure(thrown)
    error = failure.error.code
    throw new FailedTry(failure)
  } finally {
    const sent = texts.reduce((sum, text) => sum + text.length, 0)
    await recordCall({ model, ctx, startedAt, sent, received: 0, tokensIn: tokens, tokensOut: 0, error })
  }
}

async function embedHere(texts: string[], model: string, ctx: AiContext, isQuery: boolean): Promise<Float32Array[]> {
  const startedAt = performance.now()
  let error: string | null = 'internal'
  try {
    const vectors = await embedSentences(texts, { person: ctx.userId, signal: ctx.signal }, isQuery)
    error = null
    return vectors
  } finally {
    const sent = texts.reduce((sum, text) => sum + text.length, 0)
    await recordCall({
      model,
      ctx,
      startedAt,
      sent,
      received: 0,
      tokensOut: 0,
      builtIn: true,
      error: ctx.signal?.aborted ? 'aborted' : error,
    })
  }
}

/**
 * Splits texts into batches for requests to a provider: at most MAX_TEXTS texts and MAX_CHARACTERS characters each. A text that
 * is longer than MAX_CHARACTERS is a batch of its own.
 */
export function inBatches(texts: readonly string[]): string[][] {
  const batches: string[][] = []
  let characters = 0
  for (const text of texts) {
    const last = batches.at(-1)
    if (last && last.length < MAX_TEXTS && characters + text.length <= MAX_CHARACTERS) {
      last.push(text)
      characters += text.length
    } else {
      batches.push([text])
      characters = text.length
    }
  }
  return batches
}

function toUnitLength(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector)
  if (!(length > 0 && Number.isFinite(length))) throw permanentFailure('The embedding model returned a zero vector.')
  return vector.map((value) => value / length)
}
