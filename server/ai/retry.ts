import { withRetries } from '#server/fetch/retry.ts'
import { timeLimits } from './time-limits.ts'

/**
 * Runs one call to the provider, at most three times, as long as its failure is temporary. If the provider asks to wait for
 * more than 60 s, the call is not retried. Throws the last failure's AppError, or the reason of `signal`.
 */
export const withProviderRetries = <T>(attempt: () => Promise<T>, signal?: AbortSignal): Promise<T> =>
  withRetries(attempt, timeLimits, signal)
