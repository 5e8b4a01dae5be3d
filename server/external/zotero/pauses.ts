import { setTimeout as pause } from 'node:timers/promises'
import { retryAfterMs } from '#server/fetch/retry-after.ts'
import { AppError } from '#server/lib/errors.ts'
import { zoteroWait } from '#shared/contract/zotero.ts'

/**
 * The longest pause (time in ms for which Zotero asks for no requests) whose end a job waits for. It is also the longest delay
 * of a retry in the job queue.
 */
const LONGEST_MS = 15 * 60_000
/** The longest pause (time in ms for which Zotero asks for no requests) whose end a request of a waiting user waits for. */
const PERSON_MS = 3000

/** For each API key, the time (of performance.now()) until which Zotero requests no further calls. */
const pausedUntil = new Map<string, number>()

/** Returns the error 'too_many' for a pause: Zotero asks clients to send no requests for `ms` milliseconds. */
const waitError = (ms: number) => {
  const seconds = Math.max(1, Math.ceil(ms / 1000))
  return new AppError('too_many', zoteroWait(seconds), { retryAfter: seconds })
}

/**
 * Reads from a response whether Zotero requests a pause: a time in which no requests may be sent with the API key `key`. Stores
 * the end of the pause for `waitForPause`. The pause is in the header `Backoff` of any response, or in `Retry-After` of a
 * response with status 429 or 503. Returns the error 'too_many' for a 429, and for a 503 with `Retry-After`; undefined for
 * other responses.
 */
export function notePause(key: string, { status, headers }: Response): AppError | undefined {
  const backoff = Number(headers.get('backoff') ?? 0) * 1000
  const refused = status === 429 || status === 503 ? retryAfterMs(headers) : undefined
  const ms = Math.max(Number.isFinite(backoff) ? backoff : 0, refused ?? 0)
  if (ms > 0) pausedUntil.set(key, Math.max(pausedUntil.get(key) ?? 0, performance.now() + ms))
  return status === 429 || refused !== undefined ? waitError(ms || 1000) : undefined
}

/**
 * Waits until the pause that Zotero requested for an API key has ended. If more than 15 minutes are left for a job (`isJob`),
 * or more than 3 seconds for a user, throws 'too_many' with the remaining time instead. Calls `onWait` with a message for the
 * user before it waits.
 */
export async function waitForPause(
  key: string,
  options: { isJob: boolean; signal: AbortSignal; onWait?: ((message: string) => void) | undefined },
): Promise<void> {
  for (;;) {
    const left = (pausedUntil.get(key) ?? 0) - performance.now()
    if (left <= 0) return void pausedUntil.delete(key)
    const error = waitError(left)
    if (left > (options.isJob ? LONGEST_MS : PERSON_MS)) throw error
    options.onWait?.(error.message)
    await pause(left, undefined, { signal: options.signal }).catch(() => options.signal.throwIfAborted())
  }
}
