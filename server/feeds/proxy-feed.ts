import { readRawFeed } from '#server/external/index.ts'
import { AppError, rephrase } from '#server/lib/errors.ts'
import { FEED_FAILED } from '#shared/contract/feeds.ts'

/**
 * Implements the server function proxy-rss: returns the bytes and the media type of a feed. Every error has the same message,
 * as the specification requires.
 */
export async function proxyFeed(url: string | undefined) {
  if (!url?.trim()) throw new AppError('refused', FEED_FAILED)
  return readRawFeed(url.trim()).catch((error: unknown) => {
    throw error instanceof AppError ? rephrase(error, FEED_FAILED) : error
  })
}
