import type { z } from 'zod'
import { boundedFetch, type FailureKind } from '#server/fetch/bounded-fetch.ts'
import { FailedTry, withRetries } from '#server/fetch/retry.ts'
import { retryAfterMs } from '#server/fetch/retry-after.ts'
import { AppError } from '#server/lib/errors.ts'
import { userAgent } from '#server/fetch/user-agent.ts'

/** Client of one outside service. Limits concurrent calls and stops calling a service that is down (circuit breaker). */
export interface Service {
  /**
   * Sends one request. `url` must come from the settings, because private addresses are not refused. Tries a GET request up to
   * three times on 429, 5xx, timeouts and failed connections, unless Retry-After exceeds 20 seconds. Returns other responses.
   * The call and its body throw 'too_many', 'outside_slow' or 'outside_failed', or the reason of `signal`. Without `redirect`,
   * a redirect is returned and not followed, so that a token does not reach another host.
   */
  call(url: URL, options?: CallOptions): Promise<Response>
}

/** Options of one call of an outside service. */
export interface CallOptions {
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: URLSearchParams
  /** Time limit of all tries and of the response body together, in milliseconds. No retry starts after this time. */
  withinMs?: number
  /**
   * Time limit of the response body in milliseconds, for a download that may take longer than `withinMs`. 30 seconds if absent.
   */
  downloadMs?: number
  /** Maximum size of the response body in bytes. 10 MB if absent. */
  maxBytes?: number
  signal?: AbortSignal
  /**
   * Called with the response of every try, before its status is checked. May return the error to throw for a failed try (429 or
   * 5xx) instead of the default error.
   */
  inspect?: (response: Response) => AppError | undefined
  /** Returns the address to follow for a redirect, or throws an AppError to refuse it. `hop` counts the redirects from 1. */
  redirect?: (location: string, from: URL, status: number, hop: number) => URL
}

/** Time limit in ms of a call to an outside service for whose result a user waits: the option `withinMs` of such a call. */
export const PERSON_WAITS_MS = 20_000
/** Time limit of one try until the headers of the response arrive. */
const HEADERS_MS = 20_000
const BODY_MS = 30_000
const MAX_BYTES = 10 * 1024 * 1024
const TRIES = 3
const BACKOFF_MS = 500
const LONGEST_WAIT_MS = 20_000
/** Wait that the error 'too_many' suggests for a 429 without Retry-After. */
const SLOW_DOWN_MS = 2000
/** After DOWN_AFTER consecutive failures, a service counts as down, and is not called for DOWN_MS. */
const DOWN_AFTER = 5
const DOWN_MS = 30_000
/** Advice for users, who may not know that this server has no access to the internet. */
const UNREACHABLE = 'Please try again later, or ask an administrator whether this server can reach it.'

/** Creates the client of a service. `name` appears in messages, as in 'Google Drive'; `concurrency` limits concurrent calls. */
export function createService(name: string, concurrency: number): Service {
  let failures = 0
  let downUntil = 0
  let running = 0
  const waiting = new Set<() => void>()

  /**
   * Waits until fewer than `concurrency` calls run. Returns whether the call had to wait. Throws 'outside_slow' after
   * `withinMs`, or the reason of `signal`.
   */
  const enter = async ({ withinMs, signal }: CallOptions): Promise<boolean> => {
    if (running < concurrency) {
      running += 1
      return false
    }
    signal?.throwIfAborted()
    const turn = Promise.withResolvers<void>()
    waiting.add(turn.resolve)
    const end = (reason: unknown) => {
      waiting.delete(turn.resolve)
      turn.reject(reason)
    }
    const onAbort = () => end(signal?.reason)
    signal?.addEventListener('abort', onAbort)
    const busy = `Too many requests to ${name} are waiting. Please try again later.`
    const timer =
      withinMs === undefined ? undefined : setTimeout(() => end(new AppError('outside_slow', busy)), withinMs)
    try {
      await turn.promise
      return true
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    }
  }
  const leave = () => {
    const [next] = waiting
    if (!next) return void (running -= 1)
    waiting.delete(next)
    next()
  }

  async function call(url: URL, options: CallOptions = {}): Promise<Response> {
    if (performance.now() < downUntil)
      throw new AppError('outside_failed', `${name} is not answering at the moment. Please try again in a minute.`)
    const deadline = performance.now() + (options.withinMs ?? Infinity)
    const tries = (options.method ?? 'GET') === 'GET' ? TRIES : 1
    const limits = { tries, backoffMs: BACKOFF_MS, longestWaitMs: LONGEST_WAIT_MS, deadline }
    const isShortened = (await enter(options)) && options.withinMs !== undefined
    try {
      const response = await withRetries(() => tryOnce(name, url, options, deadline), limits, options.signal)
      failures = 0
      return response
    } catch (error) {
      const isFailure = error instanceof AppError && error.code !== 'too_many' && !error.permanent
      // After a wait for other calls, the service had less than `withinMs` to answer.
      if (isFailure && !(isShortened && error.code === 'outside_slow')) {
        failures += 1
        if (failures >= DOWN_AFTER) downUntil = performance.now() + DOWN_MS
      }
      throw error
    } finally {
      leave()
    }
  }
  return { call }
}

/**
 * Sends the request once, and returns when the headers of the response have arrived. Throws a FailedTry, or the reason of the
 * caller's signal.
 */
async function tryOnce(name: string, url: URL, options: CallOptions, deadline: number): Promise<Response> {
  const { method = 'GET', headers, body, signal, redirect, downloadMs, maxBytes = MAX_BYTES } = options
  const left = Math.max(0, deadline - performance.now())
  const headersMs = Math.min(HEADERS_MS, left)
  const wholeMs = downloadMs === undefined ? Math.min(HEADERS_MS + BODY_MS, left) : headersMs + downloadMs
  const init = { method, headers: { 'user-agent': userAgent(), ...headers }, ...(body ? { body } : {}) }
  const describe = (kind: FailureKind, cause?: unknown) => describeFailure(name, kind, cause)
  const bounds = { headersMs, wholeMs, maxBytes, describe, signal, ...(redirect ? { redirect } : {}) }
  const { response } = await boundedFetch(url, init, bounds).catch((error: unknown) => {
    throw error instanceof AppError ? new FailedTry({ error, retry: !error.permanent }) : error
  })
  const described = options.inspect?.(response)
  if (response.status !== 429 && response.status < 500) return response
  await response.body?.cancel()
  throw statusFailure(name, response, described)
}

/**
 * Reads a response body as JSON and validates it. `name` is the service in error messages. Throws 'outside_failed' if the body
 * is not JSON or does not match `schema`. If the body cannot be read, throws 'outside_slow' or 'outside_failed', or the reason
 * of the signal of the call.
 */
export async function readJson<S extends z.ZodType>(name: string, response: Response, schema: S): Promise<z.output<S>> {
  const text = await response.text()
  try {
    return schema.parse(JSON.parse(text))
  } catch (error) {
    throw notUnderstood(name, error)
  }
}

const notUnderstood = (name: string, cause?: unknown) =>
  new AppError('outside_failed', `${name} gave an answer that does not follow the protocol.`, { cause })

function describeFailure(name: string, kind: FailureKind, cause: unknown): AppError {
  if (kind === 'too_large') return notUnderstood(name)
  if (kind === 'unreachable')
    return new AppError('outside_failed', `${name} cannot be reached. ${UNREACHABLE}`, { cause })
  if (kind === 'broken_off')
    return new AppError('outside_failed', `${name} broke off its answer. Please try again later.`, { cause })
  return new AppError('outside_slow', `${name} took too long to answer. Please try again later.`, { cause })
}

function statusFailure(name: string, { status, headers }: Response, described?: AppError): FailedTry {
  const waitMs = retryAfterMs(headers)
  const error =
    described ??
    (status === 429
      ? new AppError('too_many', `${name} asks to slow down. Please try again later.`, {
          retryAfter: Math.ceil((waitMs ?? SLOW_DOWN_MS) / 1000),
        })
      : new AppError('outside_failed', `${name} failed (${status}). Please try again later.`))
  return new FailedTry({ error, retry: true, waitMs })
}
