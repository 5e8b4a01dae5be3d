import { guardedFetch } from '#server/fetch/guarded-fetch.ts'
import { AppError } from '#server/lib/errors.ts'
import { parsePage } from '../rss/parse-pool.ts'
import { PERSON_WAITS_MS } from '../service.ts'
import type { PageCitation } from './read-tags.ts'

/** Maximum number of bytes that are read of a page. This is enough, because the citation tags are in the head of the page. */
const PAGE_MAX_BYTES = 2 * 1024 * 1024
const MAX_BYTES = 50 * 1024 * 1024
const IS_PAGE = /^(?:text\/html|application\/xhtml\+xml)\b/i

/**
 * Returns the paper that the web page at an address describes in its `citation_*` tags; null if it has no such tags, and for a
 * 404 or 410. Requests only public addresses. Throws 'wrong_type' if the address is not an HTML page, 'refused', 'too_large',
 * 'outside_slow' or 'outside_failed'.
 */
export async function findPaperOfPage(address: string, signal: AbortSignal): Promise<PageCitation | null> {
  const response = await guardedFetch(address, {
    maxBytes: MAX_BYTES,
    timeoutMs: PERSON_WAITS_MS,
    accept: 'text/html, application/xhtml+xml;q=0.9',
    signal,
  })
  const contentType = response.headers.get('content-type') ?? ''
  if (response.status < 200 || response.status > 299 || !IS_PAGE.test(contentType)) {
    await response.body.cancel()
    if (response.status === 404 || response.status === 410) return null
    if (response.status > 299 || response.status < 200)
      throw new AppError('outside_failed', `The site answered with the status ${response.status}.`)
    throw new AppError('wrong_type', 'There is a file at this address, not a web page.', { permanent: true })
  }
  return parsePage({ bytes: await readHead(response.body), contentType, address: response.url })
}

async function readHead(body: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let size = 0
  const reader = body.getReader()
  while (size < PAGE_MAX_BYTES) {
    const { done, value } = await reader.read()
    if (done) break
    parts.push(value)
    size += value.length
  }
  await reader.cancel()
  return Buffer.concat(parts).subarray(0, PAGE_MAX_BYTES)
}
