import { setTimeout as pause } from 'node:timers/promises'
import pLimit from 'p-limit'
import { env } from '#server/lib/env.ts'
import { AppError } from '#server/lib/errors.ts'
import { parseArxiv } from '../rss/parse-pool.ts'
import { createService, PERSON_WAITS_MS } from '../service.ts'
import type { ArxivPaper } from './read-entries.ts'

const NAME = 'arXiv'
/** Maximum number of arXiv ids in one request to arXiv. */
export const ARXIV_IDS_MAX = 100
/**
 * Time in ms between a request and the next one. The terms of use of arXiv allow one connection at a time and one request every
 * three seconds.
 */
const BETWEEN_MS = 3000
const service = createService(NAME, 1)
const inTurn = pLimit(1)
let next = 0

/**
 * Returns the preprints with these arXiv ids, in any order. Unknown ids are omitted. If arXiv answers 400 for one of the ids,
 * the result is empty. Throws 'outside_failed', 'outside_slow' or 'too_many' when arXiv cannot be read.
 */
export function findArxivPapers(ids: readonly string[], signal: AbortSignal): Promise<ArxivPaper[]> {
  return inTurn(async () => {
    await pause(Math.max(0, next - performance.now()), undefined, { signal }).catch(() => signal.throwIfAborted())
    signal.throwIfAborted()
    const url = new URL(`${env.ARXIV_URL.replace(/\/+$/, '')}/api/query`)
    url.searchParams.set('id_list', ids.join(','))
    url.searchParams.set('max_results', String(ids.length))
    try {
      return await ask(url, signal)
    } finally {
      next = performance.now() + BETWEEN_MS
    }
  })
}

async function ask(url: URL, signal: AbortSignal): Promise<ArxivPaper[]> {
  const response = await service.call(url, { signal, withinMs: PERSON_WAITS_MS, redirect: toSameSite })
  // The API answers 400 for an id that cannot exist.
  if (response.status === 400) {
    await response.body?.cancel()
    return []
  }
  if (response.ok) return parseArxiv(await response.text())
  await response.body?.cancel()
  throw new AppError('outside_failed', `${NAME} rejected the request.`, {
    cause: new Error(`${NAME} answered ${response.status}`),
    permanent: true,
  })
}

const REDIRECTS = 3

/**
 * Returns the target of a redirect to the same host name, for example from http to https. Throws for another host and after
 * three redirects.
 */
function toSameSite(location: string, from: URL, _status: number, hop: number): URL {
  const to = URL.parse(location, from)
  if (!to || to.hostname !== from.hostname || hop > REDIRECTS)
    throw new AppError('outside_failed', `${NAME} redirected the request to another host.`, { permanent: true })
  return to
}
