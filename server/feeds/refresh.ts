import { asSystem } from '#server/db/client.ts'
import { fetchFeed } from '#server/external/index.ts'
import type { FeedItem } from '#server/external/index.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import { log } from '#server/lib/log.ts'
import { feedReads } from '#server/lib/metrics.ts'
import { outsideRequests } from '#server/lib/request-context.ts'
import type { FeedTried } from '#shared/contract/feeds.ts'
import { afterNoChange, backOff, nextInterval } from './next-fetch.ts'
import {
  type FeedRow,
  findFeedState,
  findFeedUrl,
  markFailed,
  markRead,
  putOff,
  takeDueFeed,
  takeFeed,
} from './refresh-queries.ts'
import { type ArticleValues, storeArticles } from './store-queries.ts'

/** Maximum number of feeds that are read at the same time, at most one on each host. */
const CONCURRENCY = 8

const readers = new Set<Promise<void>>()
const hosts = new Map<string, Promise<unknown>>()
/** For each host that asked with Retry-After to send no requests for some time, the end of this time (performance.now()). */
const restingUntil = new Map<string, number>()
/** For each feed id, the time (performance.now()) of the last read that a user started. */
const readByHand = new Map<string, number>()
const BY_HAND_MS = 60_000
let isStopping = false

/**
 * Starts to read the feeds that are due, and returns without waiting for them. Begins with one reader; each reader that finds a
 * due feed starts another one, up to CONCURRENCY readers. Usually no feed is due, so this avoids a query for each possible
 * reader.
 */
export function readDueFeeds(): void {
  if (readers.size >= CONCURRENCY || isStopping) return
  const reader = outsideRequests(readUntilNoneIsDue)
    .catch((error: unknown) => log.error({ err: error }, 'the feeds could not be refreshed'))
    .finally(() => readers.delete(reader))
  readers.add(reader)
}

/** Waits until no feed is being read. */
export const feedsAtRest = async (): Promise<void> => {
  while (readers.size > 0) await Promise.all(readers)
}

/** Stops reading feeds in this process. Waits for the running reads, which have their own time limits. */
export async function stopReading(): Promise<void> {
  isStopping = true
  await feedsAtRest()
  isStopping = false
}

/**
 * Reads one feed now, even if it is not due, and returns its state. Throws 'too_many' if a user started a read of the feed less
 * than a minute ago, or if the feed's site asked to send no requests for some time; 'not_found' if the feed does not exist.
 */
export async function readFeedNow(id: string): Promise<FeedTried> {
  const url = await asSystem((tx) => findFeedUrl(tx, id))
  if (url === undefined) throw notFound('Feed')
  const host = URL.parse(url)?.host ?? ''
  const rest = (restingUntil.get(host) ?? 0) - performance.now()
  if (rest > 0) throw tooSoon('The site of this feed has requested a pause. Please try again later.', rest)
  const wait = (readByHand.get(id) ?? -BY_HAND_MS) + BY_HAND_MS - performance.now()
  if (wait > 0) throw tooSoon('This feed was tried a moment ago. Please try again in a minute.', wait)
  readByHand.set(id, performance.now())
  const feed = await asSystem((tx) => takeFeed(tx, id))
  if (!feed) throw notFound('Feed')
  const reading = inTurn(host, () => refreshOrNote(feed))
  const reader: Promise<void> = reading.catch(() => undefined).finally(() => readers.delete(reader))
  readers.add(reader)
  await reading
  const state = await asSystem((tx) => findFeedState(tx, feed.id))
  if (!state) throw notFound('Feed')
  return state
}

const tooSoon = (message: string, ms: number) => new AppError('too_many', message, { retryAfter: Math.ceil(ms / 1000) })

async function readUntilNoneIsDue(): Promise<void> {
  while (!isStopping) {
    const taken = await takeInTurn()
    if (!taken) return
    readDueFeeds()
    await taken.reading
  }
}

/**
 * Settles when the last reservation of a feed for a reader has ended. Feeds are reserved one after the other, so that each
 * query for a due feed knows all hosts from which a feed is being read, and readers do not wait for the same host.
 */
let taking: Promise<unknown> = Promise.resolve()
function takeInTurn(): Promise<{ reading: Promise<void> } | null> {
  const next = taking.then(async () => {
    const feed = await asSystem((tx) => takeDueFeed(tx, [...hosts.keys()]))
    return feed ? { reading: inTurn(URL.parse(feed.url)?.host ?? '', () => refreshOrNote(feed)) } : null
  })
  taking = next.catch(() => undefined)
  return next
}

/** Runs `work` after all earlier requests to the same host have ended. */
async function inTurn(host: string, work: () => Promise<void>): Promise<void> {
  const turn = (hosts.get(host) ?? Promise.resolve()).then(work)
  const settled = turn.catch(() => undefined)
  hosts.set(host, settled)
  await turn.finally(() => hosts.get(host) === settled && hosts.delete(host))
}

/** Refreshes a feed. Records an internal error like an error of the site, so that it does not stop other feeds. */
async function refreshOrNote(feed: FeedRow): Promise<void> {
  try {
    await refresh(feed)
  } catch (error) {
    feedReads.inc({ outcome: 'failed' })
    log.error({ err: error, feed: feed.id }, 'a feed could not be refreshed')
    const failures = feed.failures + 1
    await asSystem((tx) => markFailed(tx, feed.id, 'The feed could not be stored.', failures, backOff(failures, null)))
  }
}

async function refresh(feed: FeedRow): Promise<void> {
  const host = URL.parse(feed.url)?.host ?? ''
  const rest = ((restingUntil.get(host) ?? 0) - performance.now()) / 60_000
  if (rest > 0) return asSystem((tx) => putOff(tx, feed.id, rest))
  restingUntil.delete(host)
  const found = await fetchFeed(feed.url, { etag: feed.etag, lastModified: feed.last_modified })
  if (found.kind === 'failed') {
    feedReads.inc({ outcome: 'failed' })
    const failures = feed.failures + 1
    if (found.wait) restingUntil.set(host, performance.now() + Math.min(found.wait, 86_400) * 1000)
    return asSystem((tx) => markFailed(tx, feed.id, found.error, failures, backOff(failures, found.wait)))
  }
  if (found.kind === 'unchanged') {
    feedReads.inc({ outcome: 'unchanged' })
    return asSystem((tx) => markRead(tx, feed.id, { interval: afterNoChange(feed.interval_minutes) }))
  }
  await asSystem(async (tx) => {
    const news = await storeArticles(tx, feed.id, toRows(feed.id, found.items))
    const dates = found.items.map((item) => item.publishedAt)
    const interval = nextInterval(dates, feed.interval_minutes, news)
    await markRead(tx, feed.id, { etag: found.etag, last_modified: found.lastModified, interval })
  })
  feedReads.inc({ outcome: 'changed' })
}

/**
 * Converts the articles of a feed to rows without duplicates. Articles without a date get dates that preserve their order in
 * the feed.
 */
function toRows(feedId: string, items: readonly FeedItem[]): ArticleValues[] {
  const now = Date.now()
  const rows = new Map<string, ArticleValues>()
  for (const [index, item] of items.entries()) {
    if (rows.has(item.key)) continue
    rows.set(item.key, {
      item_key: item.key,
      merge_key: item.mergeKey ?? `item:${feedId}:${item.key}`,
      link_key: item.linkKey,
      title: item.title,
      link: item.link,
      doi: item.doi,
      published_at: item.publishedAt ?? new Date(now - index).toISOString(),
      dated: item.publishedAt !== null,
      description: item.description,
    })
  }
  return [...rows.values()]
}
