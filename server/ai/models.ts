import { z } from 'zod'
import { env } from '#server/lib/env.ts'
import { AppError } from '#server/lib/errors.ts'
import { log } from '#server/lib/log.ts'
import { BUILT_IN_MODEL, DEFAULT_MODEL } from '#shared/contract/prompts.ts'
import { readFailure } from './failure.ts'
import { featuresOf } from './features.ts'
import { hasProvider, providerUrl } from './provider.ts'
import { callProvider } from './provider-call.ts'
import { timeLimits } from './time-limits.ts'

const CACHE_MS = 60_000

/** A model that a user can choose. */
export interface ModelOption {
  id: string
  name: string
}

interface ProviderModel {
  id: string
  /** The context window of the model in tokens, if the provider states it. */
  window: number | undefined
}

/**
 * The response of GET /models. The name of the field for the context window depends on the server: max_model_len (vLLM),
 * context_length (OpenRouter), context_window (Groq) or max_context_length (Mistral).
 */
const modelsAnswer = z.object({
  data: z.array(
    z
      .looseObject({
        id: z.string(),
        max_model_len: z.number().nullish(),
        context_length: z.number().nullish(),
        context_window: z.number().nullish(),
        max_context_length: z.number().nullish(),
      })
      .transform((model): ProviderModel => ({
        id: model.id,
        window:
          model.max_model_len ?? model.context_length ?? model.context_window ?? model.max_context_length ?? undefined,
      })),
  ),
})

/** Matches the ids of models that cannot chat: the model list has no field for this. */
const NOT_CHAT =
  /embed|whisper|tts|dall-?e|gpt-image|moderation|rerank|transcri|realtime|audio|sora|babbage|davinci|\bbge\b|bge-|minilm|e5-|clip/i

let cached: { address: string; at: number; models: ProviderModel[] } | null = null

/** Returns the provider's models, cached for 60 s. Throws an AppError when the provider fails. */
async function providerModels(): Promise<ProviderModel[]> {
  const address = providerUrl()
  if (cached?.address === address && performance.now() - cached.at < CACHE_MS) return cached.models
  try {
    const response = await callProvider({ path: '/models', wholeCallMs: timeLimits.listModelsMs })
    const { data } = modelsAnswer.parse(await response.json())
    cached = { address, at: performance.now(), models: data }
    return data
  } catch (error) {
    throw readFailure(error).error
  }
}

const chatModels = (models: ProviderModel[]) => models.filter((model) => !NOT_CHAT.test(model.id))

/**
 * Returns the models that a user can choose: the built-in model, then the provider's chat models. `error` is the reason why the
 * provider's models could not be listed, else null.
 */
export async function listModelsWithState(): Promise<{ models: ModelOption[]; error: string | null }> {
  const builtIn: ModelOption = { ...BUILT_IN_MODEL }
  if (!hasProvider()) return { models: [builtIn], error: null }
  try {
    const models = chatModels(await providerModels()).map(({ id }) => ({ id, name: id }))
    return { models: [builtIn, ...models], error: null }
  } catch (error) {
    const words = error instanceof AppError ? error.message : 'The models of the AI provider could not be listed.'
    log.warn(
      { provider: new URL(providerUrl()).origin, reason: words },
      'the models of the AI provider could not be listed',
    )
    return { models: [builtIn], error: words }
  }
}

/**
 * Returns the models that a user can choose: the built-in model, then the provider's chat models. If the provider fails,
 * returns the built-in model only, and logs a warning.
 */
export const listModels = async (): Promise<ModelOption[]> => (await listModelsWithState()).models

/**
 * Returns the id of the model to use: the requested one; else AI_CHAT_MODEL, else the provider's first chat model. Without a
 * provider, returns the built-in model, and throws 'not_configured' if another model is requested. Throws an AppError if the
 * provider's models are needed and cannot be listed, or if none of them can chat.
 */
export async function chooseModel(requested?: string | null): Promise<string> {
  const named = namedModel(requested)
  if (named === BUILT_IN_MODEL.id) return named
  if (!hasProvider()) {
    if (!named) return BUILT_IN_MODEL.id
    throw new AppError(
      'not_configured',
      `The model "${named}" needs an AI provider, and none is configured. Choose the built-in model instead.`,
    )
  }
  if (named) return named
  if (env.AI_CHAT_MODEL) return env.AI_CHAT_MODEL
  // A provider whose list fails can still answer: then the last list is used.
  const models = await providerModels().catch((error: unknown) => {
    const old = cachedModels()
    if (!old) throw error
    return old
  })
  const first = chatModels(models)[0]
  if (!first) throw new AppError('not_configured', 'The AI provider lists no model that can answer. Set AI_CHAT_MODEL.')
  return first.id
}

/** Returns the settings of a chat model that determine its output together with the prompt. */
export const modelSettings = (model: string): Record<string, unknown> =>
  model === BUILT_IN_MODEL.id
    ? { provider: model }
    : { provider: new URL(providerUrl()).host, temperature: featuresOf(model).temperature ? 0 : 'default' }

/**
 * Returns the id of the requested model. Returns null if none is requested, or if the request is DEFAULT_MODEL, the entry for
 * the default model in the prompt library.
 */
export const namedModel = (requested: string | null | undefined) =>
  requested && requested !== DEFAULT_MODEL.id ? requested : null

/**
 * Returns the id of the default model without a request to the provider. If AI_CHAT_MODEL is not set, returns 'AI provider'
 * until the provider's models have been listed.
 */
export function defaultModelNow(): string {
  if (!hasProvider()) return BUILT_IN_MODEL.id
  return env.AI_CHAT_MODEL ?? chatModels(cachedModels() ?? [])[0]?.id ?? 'AI provider'
}

/** Returns the context window of a model in tokens, as in the provider's last model list; undefined if it is unknown. */
export const knownWindow = (model: string) => cachedModels()?.find(({ id }) => id === model)?.window

/** Returns the model's id as a label for metrics; 'other' for an id that is neither configured nor listed by the provider. */
export function modelLabel(model: string): string {
  const named = [BUILT_IN_MODEL.id, env.AI_CHAT_MODEL, env.AI_EMBEDDING_MODEL, env.AI_VISION_MODEL]
  return named.includes(model) || cachedModels()?.some(({ id }) => id === model) ? model : 'other'
}

/** Returns the last model list of the configured provider, even if it is old; undefined if there is none. */
const cachedModels = () => (hasProvider() && cached?.address === providerUrl() ? cached.models : undefined)
