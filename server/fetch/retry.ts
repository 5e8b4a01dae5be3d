import { setTimeout as pause } from 'node:timers/promises'
import type { AppError } from '#server/lib/errors.ts'

/** A try that failed: the error for users, whether a retry can help, and the pause that the service requested. */
export interface Failure {
  error: AppError
  retry: boolean
  /** Milliseconds, from Retry-After. */
  waitMs?: number | undefined
  /** The message of the service when it refused the form of the request (400, 422): it can name a parameter to omit. */
  refusal?: string | undefined
}

/** Thrown by a try; withRetries turns it into the AppError. */
export class FailedTry extends Error {
  readonly failure: Failure
  constructor(failure: Failure) {
    super(failure.error.message)
    this.failure = failure
  }
}

/** The limits of all tries together. `deadline` is a time of performance.now(). */
export interface RetryLimits {
  tries: number
  /** The first pause; doubles with each failure. */
  backoffMs: number
  /** A service that requests a longer pause is not retried. */
  longestWaitMs: number
  deadline?: number
}

/**
 * Runs `attempt` until it succeeds, while a retry can help and the limits allow. Waits as long as the service requested,
 * else with exponential backoff. Throws the AppError of the last FailedTry, any other error at once, or the reason of
 * `signal`, which also ends the pause.
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

/** Returns a pause between half and all of base x 2^(failed - 1). The randomness spreads the retries of many callers. */
const jitteredBackoff = (failed: number, baseMs: number) => baseMs * 2 ** (failed - 1) * (0.5 + Math.random() / 2)
