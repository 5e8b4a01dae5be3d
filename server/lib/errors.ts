import { UNKNOWN_ERROR } from '#shared/contract/errors.ts'

export { ADMINS_ONLY } from '#shared/contract/errors.ts'

/** Every error code with its HTTP status. */
const STATUS = {
  malformed: 400,
  no_session: 401,
  invalid_key: 401,
  forbidden: 403,
  role: 403,
  scope: 403,
  not_found: 404,
  timeout: 408,
  conflict: 409,
  changed: 409,
  already_vectorized: 409,
  gone: 410,
  too_large: 413,
  wrong_type: 415,
  refused: 422,
  no_text_layer: 422,
  no_words: 422,
  damaged_file: 422,
  over_budget: 422,
  misdirected: 421,
  password_required: 422,
  password_wrong: 422,
  proof_required: 403,
  too_many: 429,
  internal: 500,
  outside_failed: 502,
  not_configured: 501,
  busy: 503,
  unavailable: 503,
  no_room: 507,
  outside_slow: 504,
} as const
export type ErrorCode = keyof typeof STATUS

interface ErrorOptions {
  fields?: Record<string, string>
  /** The current row, which a response with the code 'changed' contains. */
  current?: Record<string, unknown>
  /** Seconds until a retry is useful, sent in the header Retry-After. */
  retryAfter?: number
  /** True if a retry fails until a setting or the input changes. */
  permanent?: boolean
  cause?: unknown
}

/** An error with a message for users. Only messages of this class leave the server. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly fields: Record<string, string> | undefined
  readonly current: Record<string, unknown> | undefined
  readonly retryAfter: number | undefined
  /** True if a retry cannot succeed. A job that throws such an error is not retried. */
  readonly permanent: boolean

  constructor(code: ErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.fields = options.fields
    this.current = options.current
    this.retryAfter = options.retryAfter
    this.permanent = options.permanent ?? false
  }

  get status() {
    return STATUS[this.code]
  }
}

/**
 * Returns an error with the message `message` and with the code, Retry-After and `permanent` of `error`. `error` becomes its
 * cause.
 */
export function rephrase(error: AppError, message: string): AppError {
  const { code, retryAfter, permanent } = error
  return new AppError(code, message, { cause: error, permanent, ...(retryAfter === undefined ? {} : { retryAfter }) })
}

/**
 * Returns the error for a row that does not exist or is not visible to the caller. Responses do not distinguish the two cases.
 * `what` is the name of the object, such as 'Document'.
 */
export const notFound = (what: string) => new AppError('not_found', `${what} not found`)

/** Returns the message of an AppError. Returns `fallback` for any other error. */
export function publicMessage(error: unknown, fallback: string = UNKNOWN_ERROR): string {
  return error instanceof AppError ? error.message : fallback
}
