import { z } from 'zod'
import { env } from '#server/lib/env.ts'
import { AppError } from '#server/lib/errors.ts'
import { log } from '#server/lib/log.ts'
import { BUILT_IN_MODEL, DEFAULT_MODEL } from '#shared/prompts.ts'
import { readFailure, statusFailure } from './failure.ts'
import { hasProvider, providerUrl } from './provider.ts'
import { openCall } from './provider-call.ts'
import { timeLimits } from './time-limits.ts'

const KEPT_MS = 60_000

/** A model as a person chooses it. */
export interface ModelOption {
  id: string
  name: string
}

interface ProviderModel {
  id: string
  /** Tokens it can take, where the provider says so. */
  window: number | undefined
}

/** GET /models. The window's name differs: vLLM max_model_len, OpenRouter context_length, Groq context_window, Mistral max_context_length. */
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

/** Models that do not chat, told by their names: the protocol has no field for it. */
const NOT_CHAT =
  /embed|whisper|tts|dall-?e|gpt-image|moderation|rerank|transcri|realtime|audio|sora|babbage|davinci|\bbge\b|bge-|minilm|e5-|clip/i

let kept: { address: string; at: number; models: ProviderModel[] } | null = null

/** The provider's models, kept for 60 s. Throws an AppError where it cannot be asked. */
async function providerModels(): Promise<ProviderModel[]> {
  const address = providerUrl()
  if (kept?.address === address && performance.now() - kept.at < KEPT_MS) return kept.models
  const call = openCall(undefined, { wholeCallMs: timeLimits.listModelsMs })
  try {
    const response = await call.fetch(`${address}/models`, {
      headers: { accept: 'application/json', ...(env.AI_API_KEY ? { authorization: `Bearer ${env.AI_API_KEY}` } : {}) },
    })
    if (!response.ok) throw statusFailure(response.status, await response.text(), response.headers).error
    const { data } = modelsAnswer.parse(await response.json())
    kept = { address, at: performance.now(), models: data }
    return data
  } catch (error) {
    throw readFailure(error, call, undefined).error
  } finally {
    call.close()
  }
}

const chatModels = (models: ProviderModel[]) => models.filter((model) => !NOT_CHAT.test(model.id))

/** The built-in model first, then the provider's chat models; `error` says in words why the provider's are missing. */
export async function listModelsWithState(): Promise<{ models: ModelOption[]; error: string | null }> {
  const builtIn: ModelOption = { ...BUILT_IN_MODEL }
  if (!hasProvider()) return { models: [builtIn], error: null }
  try {
    const models = chatModels(await providerModels()).map(({ id }) => ({ id, name: id }))
    return { models: [builtIn, ...models], error: null }
  } catch (error) {
    const words = error instanceof AppError ? error.message : 'The AI provider could not be asked for its models.'
    log.warn(
      { provider: new URL(providerUrl()).origin, reason: words },
      'the models of the AI provider could not be listed',
    )
    return { models: [builtIn], error: words }
  }
}

/** The list alone; a provider that cannot be asked leaves the built-in model (and a warning in the log). */
export const listModels = async (): Promise<ModelOption[]> => (await listModelsWithState()).models

/**
 * Which model answers: the named one; with none named AI_CHAT_MODEL, else the provider's first chat model, else the
 * built-in one. Throws when a provider's model is named and no provider is configured.
 */
export async function chooseModel(asked?: string | null): Promise<string> {
  const named = namedModel(asked)
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
  // A provider that lists nothing today may still answer: yesterday's list names the model then.
  const models = await providerModels().catch((error: unknown) => {
    const old = keptModels()
    if (!old) throw error
    return old
  })
  const first = chatModels(models)[0]
  if (!first) throw new AppError('not_configured', 'The AI provider lists no model that can answer. Set AI_CHAT_MODEL.')
  return first.id
}

/** The id that is really named; null for none and for the prompt library's 'default'. */
export const namedModel = (asked: string | null | undefined) => (asked && asked !== DEFAULT_MODEL.id ? asked : null)

/** The model that answers when none is named, by its id. */
export const chatModelName = () => chooseModel()

/** The same from what is known without asking; 'AI provider' until the provider's models have been listed once. */
export function defaultModelNow(): string {
  if (!hasProvider()) return BUILT_IN_MODEL.id
  return env.AI_CHAT_MODEL ?? chatModels(keptModels() ?? [])[0]?.id ?? 'AI provider'
}

/** The context window that the provider's own list gives for a model, if it does. */
export const knownWindow = (model: string) => keptModels()?.find(({ id }) => id === model)?.window

/** The last list of the provider in use, however old. */
const keptModels = () => (hasProvider() && kept?.address === providerUrl() ? kept.models : undefined)
