import { AppError, publicMessage } from '#server/lib/errors.ts'

/** An outside service that failed is asked again this often. */
export const MAX_RETRIES = 3
/** So many attempts may end with the whole process; then the job is the suspect. */
export const MAX_CRASHES = 3
export const CRASHED = 'The processing stopped unexpectedly several times. Please try again later.'
export const TOOK_TOO_LONG = 'The processing took too long and was stopped.'

const FIRST_WAIT_SECONDS = 5
/** A service that asks for a longer pause than this has failed. */
const MAX_WAIT_SECONDS = 15 * 60
const RETRYABLE = new Set(['outside_failed', 'outside_slow', 'too_many'])

export type Failure = { retryIn: number; message: string } | { retryIn: null; message: string }

/**
 * Decides what follows an attempt (counted from 1) that threw. When an outside service failed, the job is repeated after
 * 5, 10 and 20 seconds, or after the pause that the service asked for. A permanent failure ends the job, and so does an
 * unforeseen error: a fault of the program or of the document stays.
 */
export function judgeFailure(error: unknown, attempt: number): Failure {
  const message = publicMessage(error)
  const mayPass = error instanceof AppError && RETRYABLE.has(error.code) && !error.permanent
  if (!mayPass || attempt > MAX_RETRIES) return { retryIn: null, message }
  const wait = Math.max(FIRST_WAIT_SECONDS * 2 ** (attempt - 1), error.retryAfter ?? 0)
  return wait > MAX_WAIT_SECONDS ? { retryIn: null, message } : { retryIn: wait, message }
}
