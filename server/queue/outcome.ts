import { AppError, type ErrorCode, publicMessage } from '#server/lib/errors.ts'
import type { JobKind } from '#shared/contract/jobs.ts'

/** Maximum number of retries of a job after failures of an outside service. */
export const MAX_RETRIES = 3
/**
 * Maximum number of attempts of a job that were cut off because the server process ended (crashed or was killed). After that,
 * the job itself is assumed to be the cause, and fails.
 */
const MAX_CRASHES = 3
const CRASHED = 'The processing stopped unexpectedly several times. Please try again later.'
/** The error of a job whose account may no longer change the project. Its code is 'role'. */
export const RIGHT_LOST = 'The member who started this work may no longer change the project.'
/** Returns the error code of a job that ends with this message, or null. */
export const codeOf = (error: string): ErrorCode | null => (error === RIGHT_LOST ? 'role' : null)
export const TOOK_TOO_LONG = 'The processing took too long and was stopped.'

/**
 * Error messages for a job that cannot be queued, because its document already has a queued or running job of the same kind.
 */
export const ALREADY_ACTIVE: Record<JobKind, string> = {
  extract: 'The text of this document is being extracted already.',
  ocr: 'The text of this document is being read already.',
  analyze: 'This document is being analyzed already.',
  vectorize: 'This document is being vectorized already.',
  process: 'These documents are being processed already.',
  fetch: 'The PDF of this paper is being fetched already.',
  import: 'These references are being imported already.',
  journals: 'A journal update is running already.',
  research: 'Research is being generated already.',
  duplicates: 'The papers of this project are being compared already.',
  zotero: 'An import from Zotero is running already.',
}

const FIRST_WAIT_SECONDS = 5
/** Maximum delay in seconds before a retry. If a service requests a longer delay, the job fails. */
const MAX_WAIT_SECONDS = 15 * 60
const RETRYABLE = new Set(['outside_failed', 'outside_slow', 'too_many'])

/**
 * Returns the error with which a fetched job must fail before an attempt begins, or undefined if the attempt can begin.
 * `failures` is the number of attempts that ended with a failure of an outside service.
 */
export function errorBeforeAttempt(
  { error, status, attempt }: { error: string | null; status: string; attempt: number },
  failures: number,
): string | undefined {
  if (error !== null) return error
  // A row that is running belongs to a process that ended within the attempt.
  return status === 'running' && attempt - failures >= MAX_CRASHES ? CRASHED : undefined
}

export type Failure = { retryIn: number; message: string } | { retryIn: null; message: string; code: ErrorCode | null }

/**
 * Returns what follows a failed attempt (counted from 1). After a failure of an outside service, the job is retried up to three
 * times, after 5, 10 and 20 seconds, or later if the service requested a longer pause. The job fails if the requested pause is
 * longer than 15 minutes, if the failure is permanent, or if the error is unexpected, because a bug or a broken document would
 * fail in every attempt.
 */
export function judgeFailure(error: unknown, attempt: number): Failure {
  const message = publicMessage(error)
  const code = error instanceof AppError ? error.code : null
  const mayPass = error instanceof AppError && RETRYABLE.has(error.code) && !error.permanent
  if (!mayPass || attempt > MAX_RETRIES) return { retryIn: null, message, code }
  const wait = Math.max(FIRST_WAIT_SECONDS * 2 ** (attempt - 1), error.retryAfter ?? 0)
  return wait > MAX_WAIT_SECONDS ? { retryIn: null, message, code } : { retryIn: wait, message }
}
