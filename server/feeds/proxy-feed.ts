import { readRawFeed } from '#server/external/index.ts'
import { AppError, rephrase } from '#server/lib/errors.ts'
import { FEED_FAILED } from '#shared/feeds.ts'

/** proxy-rss: a feed's own bytes and media type. Whatever goes wrong is told in the one sentence that is specified. */
export async function proxyFeed(url: string | undefined) {
  if (!url?.trim()) throw new AppError('refused', FEED_FAILED)
  return readRawFeed(url.trim()).catch((error: unknown) => {
    throw error instanceof AppError ? rephrase(error, FEED_FAILED) : error
  })
}
