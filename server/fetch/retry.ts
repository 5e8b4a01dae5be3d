import { setTimeout as pause } from 'node:timers/promises'
import type { AppError } from '#server/lib/errors.ts'

/** A try that failed: the error for users, whether a retry can help, and the pause that the service requested. */
export interface Failure {
  error: AppError
  retry: boolean
  /** The pause that the service requested with Retry-After, in milliseconds. */
  waitMs?: number | undefined
  /** The message of a service that refused a request as invalid (400, 422). It can contain the name of a parameter to omit. */
  refusal?: string | undefined
}

/** The error of one failed attempt. `withRetries` repeats the attempt, or throws the AppError of the failure. */
export class FailedTry extends Error {
  readonly failure: Failure
  constructor(failure: Failure) {
    super(failure.error.message)
    this.failure = failure
  }
}

/** The limits of all attempts of a call. `deadline` is a time of performance.now(). */
export interface RetryLimits {
  tries: number
  /** The first pause in milliseconds. It doubles with each failure. */
  backoffMs: number
  /** Maximum pause in milliseconds. If the service requests a longer pause, there is no retry. */
  longestWaitMs: number
  deadline?: number
}

/**
 * Runs `attempt` until it succeeds, as long as the limits and the failure allow a retry. Before a retry, waits for the pause
 * that the service requested, else with exponential backoff. Throws the AppError of the last FailedTry, any other error at
 * once, or the reason of `signal`, which also ends the pause.
 */
export async function withRetries<T>(attempt: () => Promise<T>, limits: RetryLimits, signal?: AbortSignal): Promise<T> {
  for (let failed = 1; ; failed += 1) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof FailedTry)) throw error
      const { failure } = error
      const wait = failure.waitMs ?? jitteredBackoff(failed, limits.backoffMs)
      const isLast = !failure.retry || failed >= limits.tries || wait > limits.longestWaitMs
      if (isLast || performance.now() + wait >= (limits.deadline ?? Infinity)) throw failure.error
      await pause(wait, undefined, signal ? { signal } : {}).catch(() => signal?.throwIfAborted())
    }
  }
}

/**
 * Returns a random pause between half and all of base × 2^(failed - 1), in milliseconds. The randomness spreads the retries of
 * many callers.
 */
const jitteredBackoff = (failed: number, baseMs: number) => baseMs * 2 ** (failed - 1) * (0.5 + Math.random() / 2)
