import { boundedFetch, type FailureKind } from '#server/fetch/bounded-fetch.ts'
import { FailedTry } from '#server/fetch/retry.ts'
import { userAgent } from '#server/fetch/user-agent.ts'
import { env } from '#server/lib/env.ts'
import { AppError } from '#server/lib/errors.ts'
import { stopping } from '#server/lib/stopping.ts'
import { permanentFailure, statusFailure } from './failure.ts'
import { providerUrl } from './provider.ts'
import { timeLimits } from './time-limits.ts'

const MAX_REDIRECTS = 3
/** Maximum size of a response. The largest legitimate response, 96 embeddings of 4096 numbers, has about 8 MB of JSON. */
const MAX_RESPONSE_BYTES = 64 * 1024 * 1024

/**
 * One request to the provider: a POST with `body` as JSON, or a GET if there is no body. The message of a refusal contains
 * `model`.
 */
interface ProviderRequest {
  path: '/models' | '/chat/completions' | '/embeddings'
  body?: object
  model?: string
  signal?: AbortSignal | undefined
  wholeCallMs?: number
}

/**
 * Sends a request to the provider, with AI_API_KEY if it is set. Returns a response with status 200 to 299. `wholeCallMs` is
 * the time limit of the whole call in milliseconds. All received bytes count as activity, so that the comments of a proxy keep
 * the stream of a slow model open. The request is aborted when the server stops. Throws a FailedTry for other statuses, an
 * AppError if the response is an HTML page or the connection fails, or the reason of `signal`. Reading the body can also throw
 * the AppError of a failed connection or the reason of `signal`.
 */
export async function callProvider({ path, body, model, signal, wholeCallMs }: ProviderRequest): Promise<Response> {
  const headers = {
    'user-agent': userAgent(),
    ...(env.AI_API_KEY ? { authorization: `Bearer ${env.AI_API_KEY}` } : {}),
    ...(body ? { 'content-type': 'application/json' } : { accept: 'application/json' }),
  }
  const init = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers }
  const { response } = await boundedFetch(new URL(providerUrl() + path), init, {
    headersMs: timeLimits.firstByteMs,
    idleMs: timeLimits.idleMs,
    wholeMs: wholeCallMs ?? timeLimits.wholeCallMs,
    maxBytes: MAX_RESPONSE_BYTES,
    describe: describeBreak,
    signal: signal ? AbortSignal.any([signal, stopping]) : stopping,
    redirect: (location, from, status, hop) => redirectWithinOrigin(new URL(location, from), from, status, hop, body),
  })
  if (!response.ok) throw new FailedTry(statusFailure(response.status, await response.text(), response.headers, model))
  if (response.headers.get('content-type')?.startsWith('text/html')) {
    await response.body?.cancel()
    throw permanentFailure('The AI provider answered with a web page. Check AI_BASE_URL: it usually ends in /v1.')
  }
  return response
}

/** Returns the error for a response of the provider that did not arrive, broke off, was too slow or is too large. */
export function describeBreak(kind: FailureKind, cause?: unknown): AppError {
  const slow = (what: string) => new AppError('outside_slow', `The AI provider ${what}. Please try again later.`)
  if (kind === 'no_answer') return slow('did not answer in time')
  if (kind === 'stalled') return slow('stopped answering')
  if (kind === 'too_slow') return slow('took too long to answer')
  if (kind === 'too_large') return permanentFailure('The response of the AI provider is too large.')
  const what = kind === 'unreachable' ? 'cannot be reached' : 'broke off its answer'
  // The system's error code is for the log. The error itself may contain the request and with it a paper's text.
  const code = new Error(networkCode(cause) ?? 'unknown network error')
  return new AppError('outside_failed', `The AI provider ${what}. Please try again later.`, { cause: code })
}

/** Returns the error code of a failed connection, such as ECONNREFUSED, or undefined. */
function networkCode(error: unknown): string | undefined {
  for (let one = error; one instanceof Error; one = one.cause)
    if ('code' in one && typeof one.code === 'string') return one.code
  return undefined
}

/**
 * Returns the address of a redirect within the same origin. Throws an AppError for another origin, because neither the key nor
 * the text of a paper is sent there, for a redirect that loses the body, and after MAX_REDIRECTS.
 */
function redirectWithinOrigin(next: URL, from: URL, status: number, hop: number, body?: object): URL {
  if (next.origin !== from.origin)
    throw permanentFailure(`The AI provider redirects to ${next.origin}. Set AI_BASE_URL to that address.`)
  // 301 and 302 turn a POST into a GET by custom; only 307 and 308 preserve it.
  if (body && status !== 307 && status !== 308)
    throw permanentFailure(`The AI provider redirects to ${next.pathname}. Correct the path of AI_BASE_URL.`)
  if (hop > MAX_REDIRECTS) throw permanentFailure('The AI provider redirects too often.')
  return next
}
