import { APICallError } from 'ai'
import { retryAfterMs } from '#server/fetch/retry-after.ts'
import { AppError } from '#server/lib/errors.ts'
import { withoutSecrets } from './provider.ts'
import { timeLimits } from './time-limits.ts'

/** The meaning of a failed try: the message for users, whether a retry can help, and the pause before it. */
export interface Failure {
  error: AppError
  retry: boolean
  waitSeconds?: number | undefined
  /** The provider's message when it refused the form of the request (400, 422): it can name a parameter to omit. */
  refusal?: string | undefined
}

/** Thrown inside server/ai between a try and its retries; never leaves the room. */
export class FailedTry extends Error {
  readonly failure: Failure
  constructor(failure: Failure) {
    super(failure.error.message)
    this.failure = failure
  }
}

const NOT_UNDERSTOOD = 'The AI provider gave an answer that is not understood.'
const NOT_REACHED = 'The AI provider cannot be reached. Please try again later.'
const BROKEN_OFF = 'The AI provider broke off its answer. Please try again later.'
const TOO_LONG =
  /context_length_exceeded|context[ _-](length|window|size)|maximum (context|input|prompt)|prompt is too long|too many (input )?tokens|input is too long|request too large|exceeds? the (available|model'?s?) context/i
const NO_MODEL =
  /model_not_found|no such model|model[^.]{0,80}(not found|does not exist|not exist|is not (available|supported))/i
const NO_QUOTA = /insufficient_quota|billing|exceeded your current quota/i

/** Returns an error that lasts until a setting changes: neither the call nor its job is retried. */
export const permanentFailure = (message: string) => new AppError('outside_failed', message, { permanent: true })

/** Returns the error of a paper that does not fit; the web app knows this message. */
export const requestTooLarge = () =>
  new AppError('refused', 'Request too large: the text is longer than the model can take at once.')

/** Returns whether the error is requestTooLarge or a similar one. */
export const isTooLarge = (error: unknown) => error instanceof AppError && error.message.startsWith('Request too large')

/** Interprets an HTTP error status. `body` is only interpreted and quoted in part, without the key. */
export function statusFailure(
  status: number,
  body: string,
  headers: Headers | Record<string, string>,
  model?: string,
): Failure {
  const words = withoutSecrets(providerWords(body))
  const told = words ? `: ${words}` : '.'
  if (status === 401 || status === 403)
    return {
      error: permanentFailure(`The AI provider refused the key (status ${status}). Check AI_API_KEY.`),
      retry: false,
    }
  if (status === 413 || TOO_LONG.test(body)) return { error: requestTooLarge(), retry: false }
  if (model && status < 500 && NO_MODEL.test(body))
    return {
      error: new AppError('refused', `The AI provider has no model "${model}". Choose another one.`),
      retry: false,
    }
  if (status === 429 && NO_QUOTA.test(body))
    return {
      error: permanentFailure('The AI provider answered with a non-2xx status code (429): its quota is used up.'),
      retry: false,
    }
  if (status === 429) {
    const waitSeconds = waitSecondsOf(headers)
    const error = new AppError(
      'too_many',
      'The AI provider answered with a non-2xx status code (429): too many requests.',
      {
        retryAfter: waitSeconds ?? timeLimits.longestWaitSeconds,
      },
    )
    return { error, retry: waitSeconds === undefined || waitSeconds <= timeLimits.longestWaitSeconds, waitSeconds }
  }
  if (status === 404)
    return {
      error: permanentFailure(
        `The AI provider answered with a non-2xx status code (404)${told} Check AI_BASE_URL: it usually ends in /v1.`,
      ),
      retry: false,
    }
  const retry = status >= 500 || status === 408 || status === 409
  const message = `The AI provider answered with a non-2xx status code (${status})${told}`
  return {
    error: retry ? new AppError('outside_failed', message) : permanentFailure(message),
    retry,
    waitSeconds: retry ? waitSecondsOf(headers) : undefined,
    refusal: status === 400 || status === 422 ? body : undefined,
  }
}

/** The parts of a call to the provider that explain its failure. */
interface EndedCall {
  failure: () => AppError | null
  contentType: () => string | undefined
}

/**
 * Interprets an error of a call to the provider. Drops the original error on purpose: it contains the request and with
 * it a paper's text, which must not be logged.
 */
export function readFailure(error: unknown, call: EndedCall, model: string | undefined): Failure {
  if (error instanceof FailedTry) return error.failure
  const cut = call.failure()
  if (cut) return { error: cut, retry: false }
  if (error instanceof AppError) return { error, retry: false }
  if (APICallError.isInstance(error) && error.statusCode !== undefined && error.statusCode >= 300)
    return statusFailure(error.statusCode, error.responseBody ?? error.message, error.responseHeaders ?? {}, model)
  if (isUnreadable(error, call)) return { error: permanentFailure(NOT_UNDERSTOOD), retry: false }
  const inStream = streamedError(error)
  if (inStream) return statusFailure(inStream.status, inStream.body, {}, model)
  // The system's error code, such as ECONNREFUSED or UND_ERR_SOCKET, is for the log only.
  const cause = new Error(networkCode(error) ?? 'unknown network error')
  const message = call.contentType() === undefined ? NOT_REACHED : BROKEN_OFF
  return { error: new AppError('outside_failed', message, { cause }), retry: true }
}

/** Returns the message in {"error": {"message"}}, {"error": "…"} or {"message"}, else the start of the text. */
function providerWords(body: string): string {
  try {
    const parsed = JSON.parse(body) as {
      error?: { message?: unknown } | string
      message?: unknown
      detail?: unknown
    } | null
    const words =
      typeof parsed?.error === 'object' ? parsed.error?.message : (parsed?.error ?? parsed?.message ?? parsed?.detail)
    return typeof words === 'string' ? words : ''
  } catch {
    return /<html|<!doctype/i.test(body) ? '' : body
  }
}

function waitSecondsOf(headers: Headers | Record<string, string>): number | undefined {
  const wait = retryAfterMs(new Headers(headers))
  return wait === undefined ? undefined : wait / 1000
}

/** Returns an error that arrived as an event of a stream with status 200. */
function streamedError(error: unknown): { status: number; body: string } | null {
  if (error instanceof Error && !('data' in error && error.name.includes('StreamProvider'))) return null
  const data =
    error instanceof Error ? { message: error.message, ...(error as { statusCode?: number; code?: unknown }) } : error
  if (typeof data !== 'object' || data === null) return typeof data === 'string' ? { status: 500, body: data } : null
  const { code, statusCode, message } = data as { code?: unknown; statusCode?: unknown; message?: unknown }
  const number = [statusCode, code].map(Number).find((one) => one >= 400 && one < 600)
  return {
    status: number ?? 500,
    body: JSON.stringify({ error: { message: typeof message === 'string' ? message : '', code } }),
  }
}

/**
 * Returns whether an answer with status 200 is not JSON, has an unexpected shape, or is no event stream although one
 * was requested.
 */
function isUnreadable(error: unknown, call: EndedCall): boolean {
  const isStream = call.contentType()?.startsWith('text/event-stream')
  // The SDK's error for a stream without a final event.
  if (error instanceof Error && error.name === 'AI_InvalidResponseDataError') return !isStream
  for (let one = error; one instanceof Error; one = one.cause)
    if (/JSONParse|TypeValidation|ZodError|SyntaxError|EmptyResponseBody/.test(one.name)) return true
  return false
}

/** Returns the system's code of a failed connection, such as ECONNREFUSED. */
function networkCode(error: unknown): string | undefined {
  for (let one = error; one instanceof Error; one = one.cause)
    if ('code' in one && typeof one.code === 'string') return one.code
  return undefined
}
