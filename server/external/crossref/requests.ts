import type { z } from 'zod'
import { env } from '#server/lib/env.ts'
import { AppError } from '#server/lib/errors.ts'
import { createService, PERSON_WAITS_MS, readJson } from '../service.ts'
import { type CrossrefWork, readCrossrefWork } from './read-work.ts'
import { crossrefWork, oneWork, workList } from './wire.ts'

const NAME = 'Crossref'
/** The polite pool allows three concurrent requests. */
const service = createService(NAME, 3)
/** Limit of a whole call: all tries and the response body. */
const WHOLE_CALL_MS = 60_000
const CANDIDATES = 5

/**
 * Returns the work with this DOI (without a prefix such as 'https://doi.org/'), or null if Crossref does not have it. The work
 * may be retracted. `personWaits` limits the call to 20 instead of 60 seconds, because a user waits for the result.
 */
export async function findCrossrefWork(
  doi: string,
  signal: AbortSignal,
  { personWaits = false } = {},
): Promise<CrossrefWork | null> {
  const withinMs = personWaits ? PERSON_WAITS_MS : WHOLE_CALL_MS
  const answer = await ask(`/works/${encodeURIComponent(doi)}`, {}, oneWork, signal, withinMs)
  return answer && readCrossrefWork(answer.message)
}

/** Returns at most five works that match a title, best match first. */
export async function findCrossrefWorksByTitle(title: string, signal: AbortSignal): Promise<CrossrefWork[]> {
  const params = { 'query.bibliographic': title.slice(0, 500), rows: String(CANDIDATES) }
  const items = (await ask('/works', params, workList, signal))?.message.items ?? []
  const known = items.flatMap((item) => crossrefWork.safeParse(item).data ?? [])
  if (items.length > 0 && known.length === 0)
    throw new AppError('outside_failed', `${NAME} gave an answer that does not follow the protocol.`)
  return known.flatMap((wire) => readCrossrefWork(wire) ?? [])
}

async function ask<S extends z.ZodType>(
  path: string,
  params: Record<string, string>,
  schema: S,
  signal: AbortSignal,
  withinMs = WHOLE_CALL_MS,
): Promise<z.output<S> | null> {
  const url = new URL(env.CROSSREF_URL.replace(/\/+$/, '') + path)
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value)
  // Requests with an e-mail address are served by the polite pool.
  if (env.CONTACT_EMAIL) url.searchParams.set('mailto', env.CONTACT_EMAIL)
  const response = await service.call(url, { signal, withinMs })
  if (response.ok) return readJson(NAME, response, schema)
  await response.body?.cancel()
  if (response.status === 404) return null
  throw new AppError('outside_failed', `${NAME} rejected the request.`, {
    cause: new Error(`${NAME} answered ${response.status}`),
    permanent: true,
  })
}
