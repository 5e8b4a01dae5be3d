import { setTimeout as pause } from 'node:timers/promises'
import type { z } from 'zod'
import { jitteredBackoff } from '#server/lib/backoff.ts'
import { AppError } from '#server/lib/errors.ts'
import { userAgent } from '#server/lib/user-agent.ts'

/** One outside service, as calls go to it: never more at once than it likes, and none while it is known to be down. */
export interface Service {
  /**
   * Sends one request to an address that the settings name. Reads (GET) are tried up to three times on 429, 5xx and
   * broken connections, as long as the service's Retry-After allows. `timeoutMs` runs until the headers are there; what
   * reads the body limits that (`readJson`). Throws AppError 'too_many', 'outside_slow' or 'outside_failed'; any other status is
   * the caller's to judge. Redirects are answers, and not followed: a token must not travel.
   */
  call(url: URL, options?: CallOptions): Promise<Response>
}

export interface CallOptions {
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: URLSearchParams
  timeoutMs?: number
  /** All tries together, for calls that a person waits for. A pause that would end later is not made. */
  withinMs?: number | undefined
  signal?: AbortSignal
}

/** For `withinMs` of calls that a person waits for. */
export const PERSON_WAITS_MS = 20_000
const TRIES = 3
const BACKOFF_MS = 500
const LONGEST_WAIT_MS = 20_000
/** Failures in a row after which a service counts as down, and for how long it is then left alone. */
const DOWN_AFTER = 5
const DOWN_MS = 30_000
/** What to do about it: who runs an installation without the internet knows it, who uses it may not. */
const UNREACHABLE = 'Please try again later, or ask an administrator whether this server can reach it.'

/** Makes the caller of a service. `name` is what people read, as in 'Google Drive'; `concurrency` is how many calls run at once. */
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
        const wait = waitOf(answer) ?? jitteredBackoff(turn, BACKOFF_MS)
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
 * The body as JSON of the service's own shape; anything else is the service's failure, as is a body that breaks off or that
 * is not there in time. What the caller's own signal ends is thrown as it is.
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
  // Ending the body ends the read that waits for more of it.
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
    // The caller's signal ended it.
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

/** Milliseconds of Retry-After: seconds or a date (RFC 9110, 10.2.3). */
export function waitOf(answer: Response | AppError): number | undefined {
  const told = answer instanceof AppError ? null : answer.headers.get('retry-after')
  if (!told) return undefined
  const wait = /^\d+$/.test(told) ? Number(told) * 1000 : Date.parse(told) - Date.now()
  return Number.isFinite(wait) ? Math.max(0, wait) : undefined
}
