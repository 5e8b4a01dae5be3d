import { readRawFeed } from '#server/external/index.ts'
import { AppError, rephrase } from '#server/lib/errors.ts'
import { FEED_FAILED } from '#shared/contract/feeds.ts'

/** proxy-rss: returns a feed's bytes and media type. All errors have the single specified message. */
export async function proxyFeed(url: string | undefined) {
  if (!url?.trim()) throw new AppError('refused', FEED_FAILED)
  return readRawFeed(url.trim()).catch((error: unknown) => {
    throw error instanceof AppError ? rephrase(error, FEED_FAILED) : error
  })
}
