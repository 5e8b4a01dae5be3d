import { AppError } from '#server/lib/errors.ts'
import { restarting, stopping } from '#server/lib/stopping.ts'
import { permanentFailure } from './failure.ts'
import { timeLimits } from './time-limits.ts'

const MAX_REDIRECTS = 3
/** Far above any legitimate answer: 96 embeddings of 4096 numbers are about 8 MB of JSON. */
const MAX_RESPONSE_BYTES = 64 * 1024 * 1024

/** One request to the provider with its own time limits. `failure` returns the reason of an abort. */
export interface ProviderCall {
  fetch: typeof fetch
  signal: AbortSignal
  failure: () => AppError | null
  /** The content type of the answer: undefined before its headers, '' when missing. */
  contentType: () => string | undefined
  close: () => void
}

/**
 * Opens a call that aborts when the provider hangs (before the first byte, between two pieces, or in total) and when
 * the server stops.
 * Any bytes count as activity, so a proxy's keep-alive comments do not abort a slow model's answer.
 */
export function openCall(outer?: AbortSignal, limits: { wholeCallMs?: number } = {}): ProviderCall {
  const stop = new AbortController()
  let failure: AppError | null = null
  let contentType: string | undefined
  let waiting: NodeJS.Timeout | undefined
  const fail = (error: AppError) => {
    failure ??= error
    stop.abort(failure)
    return failure
  }
  const slow = (what: string) => fail(new AppError('outside_slow', `The AI provider ${what}. Please try again later.`))
  const whole = setTimeout(() => slow('took too long to answer'), limits.wholeCallMs ?? timeLimits.wholeCallMs)
  const watch = (ms: number, what: string) => {
    clearTimeout(waiting)
    waiting = setTimeout(() => slow(what), ms)
  }
  const onStop = () => void fail(restarting())
  stopping.addEventListener('abort', onStop, { once: true })
  if (stopping.aborted) onStop()
  const signal = outer ? AbortSignal.any([outer, stop.signal]) : stop.signal

  async function callFetch(input: Parameters<typeof fetch>[0], init?: RequestInit): Promise<Response> {
    watch(timeLimits.firstByteMs, 'did not answer in time')
    const response = await followWithinOrigin(
      String(input instanceof Request ? input.url : input),
      { ...init, signal },
      fail,
    )
    watch(timeLimits.idleMs, 'stopped answering')
    contentType = response.headers.get('content-type') ?? ''
    if (response.ok && contentType.startsWith('text/html'))
      throw fail(
        permanentFailure('The AI provider answered with a web page. Check AI_BASE_URL: it usually ends in /v1.'),
      )
    let bytes = 0
    const watched = response.body?.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(piece, sink) {
          watch(timeLimits.idleMs, 'stopped answering')
          bytes += piece.byteLength
          if (bytes > MAX_RESPONSE_BYTES) sink.error(fail(permanentFailure('The AI provider sent too much.')))
          else sink.enqueue(piece)
        },
        flush: () => clearTimeout(waiting),
      }),
    )
    return new Response(watched ?? null, {
      status: response.status,
      statusText: response.statusText,
      headers: response.headers,
    })
  }

  return {
    fetch: callFetch,
    signal,
    failure: () => failure,
    contentType: () => contentType,
    close: () => {
      clearTimeout(whole)
      clearTimeout(waiting)
      stopping.removeEventListener('abort', onStop)
      stop.abort() // frees the connection when the reader has left before the end
    },
  }
}

/** Follows redirects within the same origin. Neither the key nor a paper's text is sent to another origin. */
async function followWithinOrigin(
  url: string,
  init: RequestInit,
  fail: (error: AppError) => AppError,
): Promise<Response> {
  const origin = new URL(url).origin
  let address = url
  for (let hops = 0; hops <= MAX_REDIRECTS; hops += 1) {
    const response = await fetch(address, { ...init, redirect: 'manual' })
    const location = response.headers.get('location')
    if (response.status < 300 || response.status > 399 || !location) return response
    await response.body?.cancel()
    const next = new URL(location, address)
    if (next.origin !== origin)
      throw fail(
        permanentFailure(`The AI provider redirects to ${next.origin}. Set AI_BASE_URL to the address it really has.`),
      )
    // 301 and 302 turn a POST into a GET by custom; only 307 and 308 preserve it.
    if (init.method === 'POST' && response.status !== 307 && response.status !== 308)
      throw fail(permanentFailure(`The AI provider redirects to ${next.pathname}. Correct the path of AI_BASE_URL.`))
    address = next.href
  }
  throw fail(permanentFailure('The AI provider redirects in a circle.'))
}
