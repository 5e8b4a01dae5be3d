import { env } from '#server/lib/env.ts'
import { AppError } from '#server/lib/errors.ts'

/** Returns whether a provider is configured; otherwise the built-in models answer. */
export const hasProvider = () => env.AI_BASE_URL !== undefined

/** Returns whether a vision model is configured for scanned pages. */
export const hasVision = () => hasProvider() && env.AI_VISION_MODEL !== undefined

/** Returns the provider's address without a trailing slash. Throws when none is configured. */
export function providerUrl(): string {
  if (!env.AI_BASE_URL) throw new AppError('not_configured', 'No AI provider is configured.')
  return env.AI_BASE_URL.replace(/\/+$/, '')
}

/** Returns a provider's message in one line without the key, cut to 300 characters. */
export function withoutSecrets(words: string): string {
  const plain = env.AI_API_KEY ? words.replaceAll(env.AI_API_KEY, '[key]') : words
  return plain.replace(/\s+/g, ' ').trim().slice(0, 300)
}
