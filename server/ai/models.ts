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

/** A model in the choice of a user. */
export interface ModelOption {
  id: string
  name: string
}

interface ProviderModel {
  id: string
  /** Its window in tokens, if the provider states it. */
  window: number | undefined
}

/**
 * GET /models. The window's field differs: vLLM max_model_len, OpenRouter context_length, Groq context_window, Mistral
 * max_context_length.
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

/** Names of models that do not chat: the protocol has no field for that. */
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
 * Returns the built-in model, then the provider's chat models; `error` is the reason when the provider's are missing.
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
 * Returns the models of listModelsWithState. If the provider fails, returns the built-in model only, and logs a
 * warning.
 */
export const listModels = async (): Promise<ModelOption[]> => (await listModelsWithState()).models

/**
 * Returns the model that answers: the named one; else AI_CHAT_MODEL, else the provider's first chat model, else the
 * built-in one. Throws when a provider's model is named and no provider is configured.
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
  // A provider without a list at present can still answer: the last list names the model then.
  const models = await providerModels().catch((error: unknown) => {
    const old = cachedModels()
    if (!old) throw error
    return old
  })
  const first = chatModels(models)[0]
  if (!first) throw new AppError('not_configured', 'The AI provider lists no model that can answer. Set AI_CHAT_MODEL.')
  return first.id
}

/** Returns the settings of a chat model that determine its output besides the prompt. */
export const modelSettings = (model: string): Record<string, unknown> =>
  model === BUILT_IN_MODEL.id
    ? { provider: model }
    : { provider: new URL(providerUrl()).host, temperature: featuresOf(model).temperature ? 0 : 'default' }

/** Returns the id of the requested model. Null if none is requested, or 'default', the entry of the prompt library. */
export const namedModel = (requested: string | null | undefined) =>
  requested && requested !== DEFAULT_MODEL.id ? requested : null

/** Returns the id of the default model. */
export const chatModelName = () => chooseModel()

/** Returns the default model without a request; 'AI provider' until the provider's models have been listed once. */
export function defaultModelNow(): string {
  if (!hasProvider()) return BUILT_IN_MODEL.id
  return env.AI_CHAT_MODEL ?? chatModels(cachedModels() ?? [])[0]?.id ?? 'AI provider'
}

/** Returns the context window of a model in the provider's list, if known. */
export const knownWindow = (model: string) => cachedModels()?.find(({ id }) => id === model)?.window

/** Returns the model as a label of metrics. 'other' for a name from a user that the provider does not list. */
export function modelLabel(model: string): string {
  const named = [BUILT_IN_MODEL.id, env.AI_CHAT_MODEL, env.AI_EMBEDDING_MODEL, env.AI_VISION_MODEL]
  return named.includes(model) || cachedModels()?.some(({ id }) => id === model) ? model : 'other'
}

/** Returns the last list of the present provider, of any age. */
const cachedModels = () => (hasProvider() && cached?.address === providerUrl() ? cached.models : undefined)
