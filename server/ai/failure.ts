import { ZodError } from 'zod'
import { FailedTry, type Failure } from '#server/fetch/retry.ts'
import { retryAfterMs } from '#server/fetch/retry-after.ts'
import { AppError } from '#server/lib/errors.ts'
import { withoutSecrets } from './provider.ts'
import { timeLimits } from './time-limits.ts'

const TOO_LONG =
  /context_length_exceeded|context[ _-](length|window|size)|maximum (context|input|prompt)|prompt is too long|too many (input )?tokens|input is too long|request too large|exceeds? the (available|model'?s?) context/i
const NO_MODEL =
  /model_not_found|no such model|model[^.]{0,80}(not found|does not exist|not exist|is not (available|supported))/i
const FILTERED = /content_filter|content_policy_violation|ResponsibleAIPolicyViolation/i
const NO_QUOTA = /insufficient_quota|billing|exceeded your current quota/i

/**
 * Returns an error whose cause lasts until a setting is changed. Neither the call nor its job is retried after such an error.
 */
export const permanentFailure = (message: string) => new AppError('outside_failed', message, { permanent: true })

/** The error of a model that did not finish its reply. */
class UnfinishedReply extends AppError {}

/** Returns the error for a reply that exceeds the length limit of the model. */
export const stoppedAtLimit = () =>
  new UnfinishedReply('outside_failed', 'The model stopped at its length limit before it was finished.', {
    permanent: true,
  })

/** Returns the error for a request or a reply that the provider's filter stopped. */
export const stoppedByFilter = () => new UnfinishedReply('refused', "The AI provider's filter stopped the answer.")

/** Returns the error for a text that does not fit the model's context window; the web app recognizes this message. */
export const requestTooLarge = () => new AppError('refused', 'Request too large: the text is too long for the model.')

/** Returns whether the error is an AppError whose message begins with 'Request too large', such as requestTooLarge. */
export const isTooLarge = (error: unknown) => error instanceof AppError && error.message.startsWith('Request too large')

/** Returns whether an error concerns one request only, so that the same model can answer others. */
export const isOfOneRequest = (error: unknown) => error instanceof UnfinishedReply || isTooLarge(error)

/**
 * Converts a response of the provider with an HTTP error status into a failure: an error with a message for users, and whether
 * a retry can help. The message quotes at most 300 characters of `body`, without the API key. For the status 400 or 422,
 * `refusal` is the whole body, which can name a parameter that the provider does not support.
 */
export function statusFailure(status: number, body: string, headers: Headers, model?: string): Failure {
  const words = withoutSecrets(providerWords(body))
  const detail = words ? `: ${words}` : '.'
  if (status === 401 || status === 403)
    return {
      error: permanentFailure(`The AI provider refused the key (status ${status}). Check AI_API_KEY.`),
      retry: false,
    }
  if (status === 400 && FILTERED.test(body)) return { error: stoppedByFilter(), retry: false }
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
    const waitMs = retryAfterMs(headers)
    const error = new AppError(
      'too_many',
      'The AI provider answered with a non-2xx status code (429): too many requests.',
      {
        retryAfter: (waitMs ?? timeLimits.longestWaitMs) / 1000,
      },
    )
    return { error, retry: true, waitMs }
  }
  if (status === 404)
    return {
      error: permanentFailure(
        `The AI provider answered with a non-2xx status code (404)${detail} Check AI_BASE_URL: it usually ends in /v1.`,
      ),
      retry: false,
    }
  const retry = status >= 500 || status === 408 || status === 409
  const message = `The AI provider answered with a non-2xx status code (${status})${detail}`
  return {
    error: retry ? new AppError('outside_failed', message) : permanentFailure(message),
    retry,
    waitMs: retry ? retryAfterMs(headers) : undefined,
    refusal: status === 400 || status === 422 ? body : undefined,
  }
}

/** Returns the error for a response of the AI provider that does not follow the protocol. */
export const notUnderstood = () => permanentFailure('The AI provider gave an answer that does not follow the protocol.')

/**
 * Converts an error of a call to the provider into a failure, which states whether a retry can help. The failure of a FailedTry
 * is returned unchanged. A broken connection (an 'outside_failed' error that is not permanent) can be retried; a response
 * outside the protocol and every other AppError cannot. Rethrows all other errors, which are bugs. Drops the error of a parser,
 * because it contains a part of the response, which must not be logged.
 */
export function readFailure(error: unknown): Failure {
  if (error instanceof FailedTry) return error.failure
  if (error instanceof AppError) return { error, retry: error.code === 'outside_failed' && !error.permanent }
  if (error instanceof SyntaxError || error instanceof ZodError) return { error: notUnderstood(), retry: false }
  throw error
}

/**
 * Converts an error in an event of a stream, whose response had the status 200, into a failure: an error with a message for
 * users, and whether a retry can help. `error` is a text, or an object with a message; an error without a status of 400 to 599
 * is treated as a 500.
 */
export function streamedFailure(error: unknown, model?: string): Failure {
  const { code, statusCode, message } = (typeof error === 'object' ? error : { message: error }) as Record<
    string,
    unknown
  >
  const status = [statusCode, code].map(Number).find((one) => one >= 400 && one < 600) ?? 500
  const body = JSON.stringify({ error: { message: typeof message === 'string' ? message : '', code } })
  return statusFailure(status, body, new Headers(), model)
}

/**
 * Extracts the message from the body of an error response: {"error": {"message"}}, {"error": "…"}, {"message"} or {"detail"}.
 * Returns '' for other JSON and for HTML, and the whole body if it is neither.
 */
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
