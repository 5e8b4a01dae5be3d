import { HTTPException } from 'hono/http-exception'
import { AppError, type ErrorCode } from '#server/lib/errors.ts'
import { log } from '#server/lib/log.ts'
import { routeOf } from './request.ts'
import type { AppContext } from './router.ts'
import { isDatabaseUnavailable, sqlState, violatesRowSecurity } from '#server/db/client.ts'
import { ROLE_TOO_SMALL } from '#shared/contract/roles.ts'

/**
 * Returns the error as an AppError. An unexpected error is logged and replaced by a general error, so that its message does not
 * leave the server.
 */
export function asAppError(error: unknown, context: AppContext): AppError {
  if (error instanceof AppError) return error
  if (error instanceof HTTPException)
    return new AppError(codeOf(error.status), error.message || 'The request is not valid.', { cause: error })
  if (isBrokenOff(error))
    return new AppError('malformed', 'The request ended before it was complete.', { cause: error })
  if (isDatabaseUnavailable(error)) {
    log.warn({ err: error, route: routeOf(context) }, 'the database is unavailable')
    return new AppError('unavailable', UNAVAILABLE, { retryAfter: RETRY_SECONDS, cause: error })
  }
  // Statement timeout or lock timeout.
  if (['57014', '55P03'].includes(sqlState(error) ?? ''))
    return new AppError('outside_slow', 'The database took too long. Please try again.', { cause: error })
  if (sqlState(error) === DEADLOCK) {
    log.warn({ err: error, route: routeOf(context) }, 'a request ended in a deadlock')
    return new AppError('busy', CHANGED_AT_ONCE, { retryAfter: 1, cause: error })
  }
  // The caller lost the right between the check and the write.
  if (violatesRowSecurity(error)) return new AppError('role', ROLE_TOO_SMALL, { cause: error })
  // The schemas of the routes should have refused such a value. SQLSTATE class 22 (data exception) still means a fault of the
  // input.
  if (sqlState(error)?.startsWith('22')) {
    log.warn({ err: error, route: routeOf(context) }, 'the database refused a value')
    return new AppError('refused', 'The request contains a value that cannot be stored.', { cause: error })
  }
  log.error({ err: error, route: routeOf(context) }, 'a request failed unexpectedly')
  if (isDiskFull(error)) return new AppError('no_room', NO_ROOM, { cause: error })
  return new AppError('internal', 'An unknown error occurred.', { cause: error })
}

const RETRY_SECONDS = 5
/** SQLSTATE deadlock_detected. */
const DEADLOCK = '40P01'
const CHANGED_AT_ONCE = 'Another request changed the same data at the same time. Please try again.'
const UNAVAILABLE = 'The database cannot be reached or cannot be written at the moment. Please try again in a moment.'
const NO_ROOM = 'There is no space left to store files. Please inform the operator of this installation.'

/**
 * Returns true if the client disconnected, or sent invalid HTTP, before its body was complete. This is not a failure of the
 * server, so it is not logged as an error.
 */
const isBrokenOff = (error: unknown) =>
  error instanceof Error && error.message === 'aborted' && (error as NodeJS.ErrnoException).code === 'ECONNRESET'

function isDiskFull(error: unknown): boolean {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return ['ENOSPC', 'EDQUOT'].includes((cause as { code?: string } | null)?.code ?? '') || sqlState(error) === '53100'
}

/** Returns the status and headers of an error response. */
export function errorInit(error: AppError): ResponseInit {
  return {
    status: error.status,
    headers: {
      ...(error.retryAfter === undefined ? {} : { 'retry-after': String(Math.ceil(error.retryAfter)) }),
      ...(error.code === 'invalid_key' ? { 'www-authenticate': 'Bearer' } : {}),
    },
  }
}

function codeOf(status: number): ErrorCode {
  if (status === 401) return 'no_session'
  if (status === 403) return 'forbidden'
  if (status === 404) return 'not_found'
  if (status === 413) return 'too_large'
  if (status === 415) return 'wrong_type'
  return status < 500 ? 'malformed' : 'internal'
}
