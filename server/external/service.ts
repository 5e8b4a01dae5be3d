import { setTimeout as pause } from 'node:timers/promises'
import type { z } from 'zod'
import { jitteredBackoff } from '#server/fetch/backoff.ts'
import { retryAfterMs } from '#server/fetch/retry-after.ts'
import { AppError } from '#server/lib/errors.ts'
import { userAgent } from '#server/fetch/user-agent.ts'

/** Client of one outside service. Limits concurrent calls and stops calling a service that is down (circuit breaker). */
export interface Service {
  /**
   * Sends one request to an address of the settings. GET requests are tried up to three times on 429, 5xx and broken
   * connections, if the service's Retry-After allows. `timeoutMs` ends when the headers arrive; `readJson` limits the body.
   * Throws AppError 'too_many', 'outside_slow' or 'outside_failed'; the caller handles every other status. Redirects are
   * returned and not followed, so that a token does not reach another host.
   */
  call(url: URL, options?: CallOptions): Promise<Response>
}

/** Options of a call. `timeoutMs` defaults to 20 seconds per try. */
export interface CallOptions {
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: URLSearchParams
  timeoutMs?: number
  /** Limit of all tries together, for calls that a person waits for. A retry that would start later is not made. */
  withinMs?: number | undefined
  signal?: AbortSignal
}

/** `withinMs` for calls that a person waits for. */
export const PERSON_WAITS_MS = 20_000
const TRIES = 3
const BACKOFF_MS = 500
const LONGEST_WAIT_MS = 20_000
/** Consecutive failures until a service counts as down, and how long it is then not called. */
const DOWN_AFTER = 5
const DOWN_MS = 30_000
/** Advice for users, who may not know that this server has no access to the internet. */
const UNREACHABLE = 'Please try again later, or ask an administrator whether this server can reach it.'

/** Creates the client of a service. `name` appears in messages, as in 'Google Drive'; `concurrency` limits concurrent calls. */
export function createService(name: string, concurrency: number): Service {
  let failures = 0
  let downUntil = 0
  let running = 0
  const waiting: (() => void)[] = []

  const enter = async () => {
    if (running >= concurrency) await new Promise<void>((resume) => waiting.push(resume))
    else running += 1
  }
  const leave = () => {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
  const failed = (error: AppError) => {
    failures += 1
    if (failures >= DOWN_AFTER) downUntil = performance.now() + DOWN_MS
    return error
  }

  async function once(url: URL, options: CallOptions, deadline: number): Promise<Response> {
    const timeout = new AbortController()
    const left = Math.max(0, deadline - performance.now())
    const timer = setTimeout(() => timeout.abort(), Math.min(options.timeoutMs ?? 20_000, left))
    try {
      return await fetch(url, {
        method: options.method ?? 'GET',
        headers: { 'user-agent': userAgent(), ...options.headers },
        ...(options.body ? { body: options.body } : {}),
        redirect: 'manual',
        signal: options.signal ? AbortSignal.any([timeout.signal, options.signal]) : timeout.signal,
      })
    } catch (error) {
      options.signal?.throwIfAborted()
      if (timeout.signal.aborted)
        throw new AppError('outside_slow', `${name} took too long to answer. Please try again later.`, { cause: error })
      throw new AppError('outside_failed', `${name} cannot be reached. ${UNREACHABLE}`, { cause: error })
    } finally {
      clearTimeout(timer)
    }
  }

  async function call(url: URL, options: CallOptions = {}): Promise<Response> {
    if (performance.now() < downUntil)
      throw new AppError('outside_failed', `${name} is not answering at the moment. Please try again in a minute.`)
    const tries = (options.method ?? 'GET') === 'GET' ? TRIES : 1
    const deadline = performance.now() + (options.withinMs ?? Infinity)
    await enter()
    try {
      for (let turn = 1; ; turn += 1) {
        const answer = await once(url, options, deadline).catch((error: unknown) => {
          if (error instanceof AppError) return error
          throw error
        })
        if (!(answer instanceof AppError) && answer.status !== 429 && answer.status < 500) {
          failures = 0
          return answer
        }
        const wait =
          (answer instanceof AppError ? undefined : retryAfterMs(answer.headers)) ?? jitteredBackoff(turn, BACKOFF_MS)
        const error = answer instanceof AppError ? answer : statusError(name, answer.status, wait)
        if (!(answer instanceof AppError)) await answer.body?.cancel()
        const isLast = turn >= tries || wait > LONGEST_WAIT_MS || performance.now() + wait >= deadline
        if (isLast) throw error.code === 'too_many' ? error : failed(error)
        await pause(wait, undefined, options.signal ? { signal: options.signal } : {})
      }
    } finally {
      leave()
    }
  }
  return { call }
}

/**
 * Reads the body as JSON and validates it. Throws 'outside_failed' for another shape, too many bytes or a broken
 * connection, and 'outside_slow' after `limits.ms`. Rethrows the abort reason of the caller's signal.
 */
export async function readJson<S extends z.ZodType>(
  name: string,
  response: Response,
  schema: S,
  limits: { bytes: number; ms: number } = { bytes: 10 * 1024 * 1024, ms: 30_000 },
): Promise<z.output<S>> {
  const bytes = await readBody(name, response, limits)
  try {
    return schema.parse(JSON.parse(bytes.toString('utf8')))
  } catch (error) {
    throw unknownAnswer(name, error)
  }
}

const unknownAnswer = (name: string, cause?: unknown) =>
  new AppError('outside_failed', `${name} gave an answer that is not understood.`, { cause })

async function readBody(name: string, response: Response, limits: { bytes: number; ms: number }): Promise<Buffer> {
  const reader = response.body?.getReader()
  const parts: Uint8Array[] = []
  let size = 0
  let isLate = false
  // Cancelling the body ends the pending read.
  const end = () => void reader?.cancel().catch(() => undefined)
  const timer = setTimeout(() => {
    isLate = true
    end()
  }, limits.ms)
  try {
    for (;;) {
      const part = await reader?.read()
      if (isLate) throw new AppError('outside_slow', `${name} took too long to answer. Please try again later.`)
      if (!part || part.done) return Buffer.concat(parts)
      size += part.value.length
      if (size > limits.bytes) throw unknownAnswer(name)
      parts.push(part.value)
    }
  } catch (error) {
    end()
    // A DOMException comes from the caller's signal.
    if (error instanceof AppError || error instanceof DOMException) throw error
    throw new AppError('outside_failed', `${name} broke off its answer. Please try again later.`, { cause: error })
  } finally {
    clearTimeout(timer)
  }
}

function statusError(name: string, status: number, waitMs: number): AppError {
  if (status === 429)
    return new AppError('too_many', `${name} asks to slow down. Please try again later.`, {
      retryAfter: Math.ceil(waitMs / 1000),
    })
  return new AppError('outside_failed', `${name} failed (${status}). Please try again later.`)
}
