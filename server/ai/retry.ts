import { setTimeout as pause } from 'node:timers/promises'
import { jitteredBackoff } from '#server/fetch/backoff.ts'
import { FailedTry } from './failure.ts'
import { timeLimits } from './time-limits.ts'

/**
 * Runs `attempt` up to three times while a retry can help. A 429 waits for Retry-After (at most 60 s; beyond that the
 * error has the time); other failures back off exponentially with full jitter. Throws the last failure's AppError.
 * `signal` ends the waiting at once.
 */
export async function withRetries<T>(attempt: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  for (let failed = 1; ; failed += 1) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof FailedTry)) throw error
      const { failure } = error
      const wait =
        failure.waitSeconds === undefined ? jitteredBackoff(failed, timeLimits.backoffMs) : failure.waitSeconds * 1000
      const tooLong = wait > timeLimits.longestWaitSeconds * 1000
      if (!failure.retry || failed >= timeLimits.tries || tooLong) throw failure.error
      await pause(wait, undefined, signal ? { signal } : {}).catch(() => signal?.throwIfAborted())
    }
  }
}
