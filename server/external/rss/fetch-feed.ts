import { AppError } from '#server/lib/errors.ts'
import { guardedFetch, type GuardedResponse } from '#server/lib/guarded-fetch.ts'
import type { FeedItem } from './parse-feed.ts'
import { parseBytes } from './parse-pool.ts'

const MAX_BYTES = 8 * 1024 * 1024
const TIMEOUT_MS = 20_000
const HEADER_MAX = 500
const ACCEPT =
  'application/rss+xml, application/atom+xml, application/rdf+xml, application/feed+json, application/xml;q=0.9, text/xml;q=0.9, */*;q=0.5'

/** What asking for a feed came to. `wait` is how many seconds the site asked to be left alone. */
export type FetchedFeed =
  | { kind: 'unchanged' }
  | { kind: 'read'; items: FeedItem[]; etag: string | null; lastModified: string | null }
  | { kind: 'failed'; error: string; wait: number | null }

/** One guarded GET for a feed or a page, with limits on time and size. */
export function getForFeed(url: string, headers: Record<string, string> = {}): Promise<GuardedResponse> {
  return guardedFetch(url, { maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS, accept: ACCEPT, headers })
}

/** All bytes of a body within the limits that the fetch set. */
export const bytesOf = async (body: ReadableStream<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await new Response(body as ReadableStream<Uint8Array<ArrayBuffer>>).arrayBuffer())

/** Reads a feed if it changed since it was read last. Never throws for what the other side does. */
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
      // Nobody who was not told what is known can say that it is unchanged.
      if (response.status === 304 && (known.etag || known.lastModified)) return { kind: 'unchanged' }
      const wait = retryAfter(response.headers.get('retry-after'))
      return { kind: 'failed', error: `The site answered with the status ${response.status}.`, wait }
    }
    const bytes = await bytesOf(response.body)
    const contentType = response.headers.get('content-type') ?? ''
    const items = await parseBytes({ bytes, contentType, address: response.url })
    const header = (name: string) => {
      const value = response.headers.get(name)
      // Half of one would be sent back in vain, each time.
      return value && value.length <= HEADER_MAX ? value : null
    }
    return { kind: 'read', items, etag: header('etag'), lastModified: header('last-modified') }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { kind: 'failed', error: error.message, wait: null }
  }
}

/**
 * The bytes of a feed with its own media type, once they were seen to be one. A type that a browser would make a page of
 * gives way to XML. Throws an AppError.
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

/** Seconds from now, from a number or a date. */
export function retryAfter(text: string | null, now = Date.now()): number | null {
  if (!text) return null
  const seconds = /^\s*\d+\s*$/.test(text) ? Number(text) : (Date.parse(text) - now) / 1000
  return Number.isFinite(seconds) && seconds > 0 ? Math.ceil(seconds) : null
}
