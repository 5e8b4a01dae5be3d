import { AppError } from '#server/lib/errors.ts'
import { guardedFetch, type GuardedResponse } from '#server/fetch/guarded-fetch.ts'
import { retryAfterMs } from '#server/fetch/retry-after.ts'
import type { FeedItem } from './parse-feed.ts'
import { parseBytes } from './parse-pool.ts'

const MAX_BYTES = 8 * 1024 * 1024
const TIMEOUT_MS = 20_000
const HEADER_MAX = 500
const ACCEPT =
  'application/rss+xml, application/atom+xml, application/rdf+xml, application/feed+json, application/xml;q=0.9, text/xml;q=0.9, */*;q=0.5'

/** Result of a fetch. `wait` is the Retry-After of the site, in seconds. */
export type FetchedFeed =
  | { kind: 'unchanged' }
  | { kind: 'read'; items: FeedItem[]; etag: string | null; lastModified: string | null }
  | { kind: 'failed'; error: string; wait: number | null }

/** Sends a GET request to a public address, limited in time and size. Private addresses are refused. */
export function getForFeed(url: string, headers: Record<string, string> = {}): Promise<GuardedResponse> {
  return guardedFetch(url, { maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS, accept: ACCEPT, headers })
}

/** Reads a whole body. The fetch has set the size limit. */
export const bytesOf = async (body: ReadableStream<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await new Response(body as ReadableStream<Uint8Array<ArrayBuffer>>).arrayBuffer())

/**
 * Fetches a feed if it has changed since the last read. `known` has the ETag and Last-Modified headers of that read. Returns
 * 'failed' for every AppError, for example when the site does not answer or the feed cannot be parsed.
 */
export async function fetchFeed(
  url: string,
  known: { etag?: string | null; lastModified?: string | null } = {},
): Promise<FetchedFeed> {
  try {
    const response = await getForFeed(url, {
      ...(known.etag ? { 'if-none-match': known.etag } : {}),
      ...(known.lastModified ? { 'if-modified-since': known.lastModified } : {}),
    })
    if (response.status !== 200) {
      await response.body.cancel()
      // A 304 to an unconditional request is an error.
      if (response.status === 304 && (known.etag || known.lastModified)) return { kind: 'unchanged' }
      const wait = retryAfterMs(response.headers)
      return {
        kind: 'failed',
        error: `The site answered with the status ${response.status}.`,
        wait: wait === undefined ? null : Math.ceil(wait / 1000),
      }
    }
    const bytes = await bytesOf(response.body)
    const contentType = response.headers.get('content-type') ?? ''
    const items = await parseBytes({ bytes, contentType, address: response.url })
    const header = (name: string) => {
      const value = response.headers.get(name)
      // A truncated validator would never match, so drop it.
      return value && value.length <= HEADER_MAX ? value : null
    }
    return { kind: 'read', items, etag: header('etag'), lastModified: header('last-modified') }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { kind: 'failed', error: error.message, wait: null }
  }
}

/**
 * Fetches a feed and returns its unchanged bytes and its media type. A media type that a browser would render becomes
 * 'application/xml'. Throws an AppError if the feed cannot be fetched, or if the bytes cannot be parsed as a feed.
 */
export async function readRawFeed(url: string): Promise<{ bytes: Uint8Array<ArrayBuffer>; contentType: string }> {
  const response = await getForFeed(url)
  if (response.status !== 200) {
    await response.body.cancel()
    throw new AppError('outside_failed', `The site answered with the status ${response.status}.`)
  }
  const given = response.headers.get('content-type') ?? ''
  const bytes = await bytesOf(response.body)
  await parseBytes({ bytes, contentType: given, address: response.url })
  const isData = /^(?:application|text)\/(?:[\w.-]+\+)?(?:xml|json)\b/i.test(given) && !/xhtml/i.test(given)
  return { bytes, contentType: isData ? given : 'application/xml' }
}
