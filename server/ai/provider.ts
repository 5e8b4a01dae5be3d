import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { env } from '#server/lib/env.ts'
import { AppError } from '#server/lib/errors.ts'

/** True when a provider is configured; otherwise the built-in models answer. */
export const hasProvider = () => env.AI_BASE_URL !== undefined

/** True when a vision model may read scanned pages. */
export const hasVision = () => hasProvider() && env.AI_VISION_MODEL !== undefined

/** The provider's address without a trailing slash. Throws where none is configured. */
export function providerUrl(): string {
  if (!env.AI_BASE_URL) throw new AppError('not_configured', 'No AI provider is configured.')
  return env.AI_BASE_URL.replace(/\/+$/, '')
}

/**
 * Anything that speaks the OpenAI protocol at AI_BASE_URL. Made for each call: it holds nothing but settings, and
 * `fetch` belongs to the call (see provider-call.ts).
 */
export function openProvider(options: { fetch: typeof fetch; usageInStream?: boolean }) {
  return createOpenAICompatible({
    name: 'provider',
    baseURL: providerUrl(),
    ...(env.AI_API_KEY ? { apiKey: env.AI_API_KEY } : {}),
    fetch: options.fetch,
    includeUsage: options.usageInStream ?? true,
  })
}

/** Takes the key out of words that a provider sent back, and cuts them to a readable length. */
export function withoutSecrets(words: string): string {
  const plain = env.AI_API_KEY ? words.replaceAll(env.AI_API_KEY, '[key]') : words
  return plain.replace(/\s+/g, ' ').trim().slice(0, 300)
}
