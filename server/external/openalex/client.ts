import type { z } from 'zod'
import { env } from '#server/lib/env.ts'
import { AppError } from '#server/lib/errors.ts'
import { retryAfterMs } from '#server/fetch/retry-after.ts'
import { createService, PERSON_WAITS_MS, readJson } from '../service.ts'

/** Name of the service in messages. */
export const OPENALEX = 'OpenAlex'
/** Maximum number of entries in a page of OpenAlex. */
export const PAGE_MAX = 100

/** The client of OpenAlex, limited to five concurrent calls. OpenAlex allows many more, but one installation needs few. */
const service = createService(OPENALEX, 5)
/** Wait that the error 'too_many' suggests for a 403 without Retry-After. */
const SLOW_DOWN_MS = 60_000
/** Limit of a whole call: all tries, redirects and the response body. */
const WHOLE_CALL_MS = 90_000
/** Maximum number of redirects. A merged entity redirects to its successor, which may be merged too. */
const MERGES = 3

/**
 * Sends a GET request. `path` is '/works' or '/works/doi:10.…', for example; the API key and the e-mail address are added to
 * `params`. Returns null on a 404. `personWaits` limits the whole call to 20 instead of 90 seconds, because a user waits.
 * Throws AppError 'too_many', 'outside_slow', 'outside_failed' or 'not_configured', or the reason of `signal`.
 */
export async function askOpenAlex<S extends z.ZodType>(
  path: string,
  params: Record<string, string>,
  schema: S,
  signal?: AbortSignal,
  { personWaits = false } = {},
): Promise<z.output<S> | null> {
  const first = addressOf(path, params)
  const response = await service.call(first, {
    ...(signal ? { signal } : {}),
    withinMs: personWaits ? PERSON_WAITS_MS : WHOLE_CALL_MS,
    headers: { accept: 'application/json' },
    redirect: (location, from, _status, hop) => {
      const next = URL.parse(location, from)
      // The API key must not reach another host.
      if (!next || next.origin !== first.origin || hop > MERGES)
        throw new AppError('outside_failed', `${OPENALEX} redirected the request to another host.`, { permanent: true })
      return identified(next)
    },
  })
  if (response.status === 404) {
    await response.body?.cancel()
    return null
  }
  if (!response.ok) throw await refusalOf(response)
  return readJson(OPENALEX, response, schema)
}

function addressOf(path: string, params: Record<string, string>): URL {
  const url = new URL(env.OPENALEX_URL.replace(/\/+$/, '') + path)
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value)
  return identified(url)
}

function identified(url: URL): URL {
  if (env.OPENALEX_API_KEY) url.searchParams.set('api_key', env.OPENALEX_API_KEY)
  if (env.CONTACT_EMAIL) url.searchParams.set('mailto', env.CONTACT_EMAIL)
  return url
}

/**
 * Returns the error for a response with a failure status, and cancels its body. A 403 with Retry-After or
 * `x-ratelimit-remaining: 0` is 'too_many'. Any other 403, and a 401, means that the API key is invalid ('outside_failed') or
 * not configured ('not_configured').
 */
async function refusalOf(response: Response): Promise<AppError> {
  await response.body?.cancel()
  const cause = new Error(`${OPENALEX} answered ${response.status}`)
  const left = response.headers.get('x-ratelimit-remaining')
  const wait = retryAfterMs(response.headers)
  if (response.status === 403 && (left === '0' || wait !== undefined))
    return new AppError('too_many', `${OPENALEX} asks to slow down. Please try again later.`, {
      cause,
      retryAfter: Math.ceil((wait ?? SLOW_DOWN_MS) / 1000),
    })
  if (response.status !== 401 && response.status !== 403)
    return new AppError('outside_failed', `${OPENALEX} rejected the request.`, { cause, permanent: true })
  return env.OPENALEX_API_KEY
    ? new AppError('outside_failed', `${OPENALEX} refuses this installation’s key.`, { cause, permanent: true })
    : new AppError('not_configured', `${OPENALEX} asks for a key, and none is configured here.`, { cause })
}
