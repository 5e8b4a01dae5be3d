import { withRetries } from '#server/fetch/retry.ts'
import { timeLimits } from './time-limits.ts'

/**
 * Runs one call to the provider up to three times while a retry can help. A pause that the provider requests is at most
 * 60 s; beyond that the error has the time. Throws the last failure's AppError, or the reason of `signal`.
 */
export const withProviderRetries = <T>(attempt: () => Promise<T>, signal?: AbortSignal): Promise<T> =>
  withRetries(attempt, timeLimits, signal)
