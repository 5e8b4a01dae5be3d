import { AppError } from '#server/lib/errors.ts'

/**
 * Why a request failed. no_answer: no headers in time. stalled: no bytes of the body for too long. too_slow: the time limit of
 * the whole request. too_large: the size limit of the body. unreachable: no connection. broken_off: the connection broke while
 * the body arrived.
 */
export type FailureKind = 'no_answer' | 'stalled' | 'too_slow' | 'too_large' | 'unreachable' | 'broken_off'

/** The limits of one request, which include its redirects. */
export interface Bounds {
  /** Maximum time until the headers arrive, in milliseconds. Default: only `wholeMs` applies. */
  headersMs?: number
  /** Maximum time of one read of the body, in milliseconds. Default: only `wholeMs` applies. */
  idleMs?: number
  /** Maximum time from the call to the last byte of the body, in milliseconds. */
  wholeMs: number
  /** Maximum size of the body in bytes, after decompression. */
  maxBytes: number
  /** Creates the error that is thrown for a failure. `cause` is the error of the connection, for the log. */
  describe: (kind: FailureKind, cause?: unknown) => AppError
  /** Aborts the request or its body. The request then throws the reason of the signal. */
  signal?: AbortSignal | undefined
  /**
   * Returns the address to follow for a redirect, or throws the AppError that refuses it. `hop` counts redirects from 1.
   * Without this function, a redirect is not followed, and its response is returned.
   */
  redirect?: (location: string, from: URL, status: number, hop: number) => URL
  /** Sends one request: the first one or a redirect. Default: `fetch`. */
  send?: (url: URL, init: RequestInit) => Promise<Response>
  /** Called once, when the request has failed, or its body has ended or was cancelled. */
  onEnd?: () => void
}

const REDIRECTS = new Set([301, 302, 303, 307, 308])
/** A Response with these statuses cannot have a body. */
const WITHOUT_BODY = new Set([204, 205, 304])

/**
 * Sends a request to another server. Every such request of the product uses this function, so that time and size are
 * limited. Returns the response of any status, with the final address in `url`; the caller must read its body or cancel
 * it. The request and the body throw the AppErrors of `describe`, or the reason of `signal`. Does not retry: see
 * withRetries.
 */
export async function boundedFetch(
  address: URL,
  init: Omit<RequestInit, 'signal' | 'redirect'>,
  bounds: Bounds,
): Promise<{ response: Response; url: URL }> {
  const stop = new AbortController()
  const signal = bounds.signal ? AbortSignal.any([bounds.signal, stop.signal]) : stop.signal
  const abortAfter = (ms: number | undefined, kind: FailureKind) =>
    ms === undefined ? undefined : setTimeout(() => stop.abort(bounds.describe(kind)), ms)
  const whole = abortAfter(bounds.wholeMs, 'too_slow')
  const headers = abortAfter(bounds.headersMs, 'no_answer')
  const end = () => {
    clearTimeout(whole)
    clearTimeout(headers)
    stop.abort() // closes the connection when the reader has left before the end
    bounds.onEnd?.()
  }
  const readError = (error: unknown, kind: FailureKind): unknown =>
    signal.aborted ? signal.reason : (appErrorIn(error) ?? bounds.describe(kind, error))

  let url = address
  try {
    for (let hop = 1; ; hop += 1) {
      const response = await (bounds.send ?? fetch)(url, { ...init, redirect: 'manual', signal })
      const location = REDIRECTS.has(response.status) ? response.headers.get('location') : null
      if (location === null || !bounds.redirect) {
        clearTimeout(headers)
        if (Number(response.headers.get('content-length') ?? 0) > bounds.maxBytes) throw bounds.describe('too_large')
        const readers = { end, readError, watchRead: () => abortAfter(bounds.idleMs, 'stalled') }
        return { response: withBoundedBody(response, bounds, readers), url }
      }
      await response.body?.cancel()
      url = bounds.redirect(location, url, response.status, hop)
    }
  } catch (error) {
    const failure = readError(error, 'unreachable')
    end()
    throw failure
  }
}

interface BodyReaders {
  end: () => void
  readError: (error: unknown, kind: FailureKind) => unknown
  watchRead: () => NodeJS.Timeout | undefined
}

/** Returns the response with a body that is read on demand and throws when a limit is exceeded. */
function withBoundedBody(response: Response, bounds: Bounds, { end, readError, watchRead }: BodyReaders): Response {
  const headers = new Headers([...response.headers])
  // The body is decompressed; the length is that of the compressed one.
  if (headers.has('content-encoding')) for (const name of ['content-encoding', 'content-length']) headers.delete(name)
  const { status, statusText } = response
  const reader = WITHOUT_BODY.has(status) ? undefined : response.body?.getReader()
  if (!reader) {
    end()
    return new Response(null, { status, statusText, headers })
  }
  let bytes = 0
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(sink) {
        const timer = watchRead()
        try {
          const { done, value } = await reader.read()
          if (done) {
            end()
            return sink.close()
          }
          bytes += value.byteLength
          if (bytes > bounds.maxBytes) throw bounds.describe('too_large')
          sink.enqueue(value)
        } catch (error) {
          sink.error(readError(error, 'broken_off'))
          end()
        } finally {
          clearTimeout(timer)
        }
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  )
  return new Response(body, { status, statusText, headers })
}

/**
 * Returns the AppError among an error and its causes, or undefined. undici wraps an error of the lookup hook in another error.
 */
function appErrorIn(error: unknown): AppError | undefined {
  for (let one = error; one instanceof Error; one = one.cause) if (one instanceof AppError) return one
  return undefined
}
