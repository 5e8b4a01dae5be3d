import { AppError } from '#server/lib/errors.ts'

/**
 * How a request failed: no headers in time, no bytes for too long, the whole took too long, the body is too large, no
 * connection, or the connection broke while the body arrived.
 */
export type FailureKind = 'no_answer' | 'stalled' | 'too_slow' | 'too_large' | 'unreachable' | 'broken_off'

/** The limits of one request, its redirects included. */
export interface Bounds {
  /** Milliseconds until the headers arrive. Absent: no separate limit. */
  headersMs?: number
  /** Milliseconds that one read of the body may take. Absent: no separate limit. */
  idleMs?: number
  /** Milliseconds from the call to the last byte of the body. */
  wholeMs: number
  /** Maximum size of the body in bytes, after decompression. */
  maxBytes: number
  /** Creates the error of a failure. `cause` is the error of the connection, for the log. */
  describe: (kind: FailureKind, cause?: unknown) => AppError
  /** Ends the request, or the body. The request then throws the reason of the signal. */
  signal?: AbortSignal | undefined
  /**
   * Returns the address of a redirect, or throws the AppError that refuses it; `hop` counts from 1. Absent: the redirect
   * is the response.
   */
  redirect?: (location: string, from: URL, status: number, hop: number) => URL
  /** Sends the request of one hop; `fetch` if absent. */
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

/** Returns the AppError among an error and its causes: undici wraps the error of a lookup hook. */
function appErrorIn(error: unknown): AppError | undefined {
  for (let one = error; one instanceof Error; one = one.cause) if (one instanceof AppError) return one
  return undefined
}
