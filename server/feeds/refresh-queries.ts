import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { feeds, userRssSubscription } from '#server/db/tables/feeds.ts'
import { journals } from '#server/db/tables/journals.ts'
import { projects } from '#server/db/tables/projects.ts'
import type { FeedTried } from '#shared/contract/feeds.ts'

export type FeedRow = typeof feeds.$inferSelect

/** How long a feed is reserved for the process that takes it for reading. After this time, another process may read it. */
const LEASE = sql`interval '5 minutes'`
const inMinutes = (minutes: number) => sql`now() + make_interval(secs => ${minutes * 60})`

/**
 * Reserves and returns a feed that is due and that a project follows, so that no other process reads it. Skips feeds on `busy`
 * hosts. Feeds whose last read failed come after all other feeds, so that slow or broken sites cause little delay.
 */
export async function takeDueFeed(tx: Tx, busy: string[]): Promise<FeedRow | undefined> {
  return (await takeDue(tx, busy, sql`due.failures = 0`)) ?? (await takeDue(tx, busy, sql`due.failures > 0`))
}

async function takeDue(tx: Tx, busy: string[], which: SQL): Promise<FeedRow | undefined> {
  // Same as `URL.host`: without user name and password, with the port.
  const host = sql`substring(due.url from '^[a-z]+://(?:[^/@]*@)?([^/?#]*)')`
  const [row] = await tx
    .update(feeds)
    .set({ next_fetch_at: sql`now() + ${LEASE}` })
    .where(
      sql`${feeds.id} = (
        select due.id from ${feeds} due where due.next_fetch_at <= now() and ${which}
          and ${host} <> all(${sql.param(busy)}::text[]) and exists (
          select 1 from ${journals} join ${userRssSubscription} on ${userRssSubscription.journal_id} = ${journals.id}
          join ${projects} on ${projects.id} = ${userRssSubscription.project_id} and ${projects.deleted_at} is null
          where ${journals.rss_feed_url} = due.url and ${journals.owner_id} is not distinct from due.owner_id)
        order by due.next_fetch_at limit 1 for update skip locked)`,
    )
    .returning()
  return row
}

/** Returns the address of the feed with this id; undefined if there is none. */
export async function findFeedUrl(tx: Tx, id: string): Promise<string | undefined> {
  const [row] = await tx.select({ url: feeds.url }).from(feeds).where(eq(feeds.id, id))
  return row?.url
}

/**
 * Reserves and returns one feed, due or not, so that no other process reads it at the same time; undefined when it does not
 * exist.
 */
export async function takeFeed(tx: Tx, id: string): Promise<FeedRow | undefined> {
  const [row] = await tx
    .update(feeds)
    .set({ next_fetch_at: sql`now() + ${LEASE}` })
    .where(eq(feeds.id, id))
    .returning()
  return row
}

/**
 * Returns the number of articles of a feed, its last error and the times of its last and next read; undefined if the feed does
 * not exist.
 */
export async function findFeedState(tx: Tx, id: string): Promise<FeedTried | undefined> {
  const [row] = await tx
    .select({
      article_count: feeds.article_count,
      last_error: feeds.last_error,
      last_fetched_at: feeds.last_fetched_at,
      next_fetch_at: feeds.next_fetch_at,
    })
    .from(feeds)
    .where(eq(feeds.id, id))
  return row
}

/**
 * Returns the id of a feed. Inserts the feed if it is missing; it is then due at once. `ownerId` is the owner of a personal
 * journal; null for a feed of the catalog.
 */
export async function ensureFeedRow(tx: Tx, url: string, ownerId: string | null): Promise<string> {
  await tx.insert(feeds).values({ url, owner_id: ownerId }).onConflictDoNothing()
  const [row] = await tx
    .select({ id: feeds.id })
    .from(feeds)
    .where(and(eq(feeds.url, url), sql`${feeds.owner_id} is not distinct from ${ownerId}`))
  return row!.id
}

/**
 * Inserts the missing feeds of all followed journals. A feed can be missing because the address of a journal changed, or
 * because a process ended before it inserted the feed.
 */
export async function ensureFollowedFeeds(tx: Tx): Promise<void> {
  await tx.execute(sql`insert into ${feeds} (url, owner_id)
    select distinct ${journals.rss_feed_url}, ${journals.owner_id} from ${journals}
    join ${userRssSubscription} on ${userRssSubscription.journal_id} = ${journals.id}
    where ${journals.rss_feed_url} is not null
      and not exists (select 1 from ${feeds} known
        where known.url = ${journals.rss_feed_url} and known.owner_id is not distinct from ${journals.owner_id})
    on conflict do nothing`)
}

/**
 * Sets the time of the next read to now for all feeds that have never been read (neither successfully nor with a failure).
 * Called at the start of a server: an earlier process may have reserved such a feed for a read, which postpones its next read,
 * and ended before it read the feed.
 */
export async function hurryUnreadFeeds(tx: Tx): Promise<void> {
  await tx
    .update(feeds)
    .set({ next_fetch_at: sql`now()` })
    .where(sql`${feeds.last_fetched_at} is null and ${feeds.failures} = 0`)
}

/**
 * Records a successful read of a feed and clears its error. `found` has the headers ETag and Last-Modified of the response, and
 * `interval`, the minutes until the next read.
 */
export async function markRead(
  tx: Tx,
  id: string,
  found: { etag?: string | null; last_modified?: string | null; interval: number },
): Promise<void> {
  const { interval, ...headers } = found
  await tx
    .update(feeds)
    .set({
      ...headers,
      interval_minutes: interval,
      next_fetch_at: inMinutes(interval),
      failures: 0,
      last_error: null,
      last_fetched_at: sql`now()`,
    })
    .where(eq(feeds.id, id))
}

/** Records the error of a feed and its number of consecutive failures. The next try is `minutes` from now. */
export async function markFailed(tx: Tx, id: string, error: string, failures: number, minutes: number): Promise<void> {
  await tx
    .update(feeds)
    .set({ last_error: error, failures, next_fetch_at: inMinutes(minutes) })
    .where(eq(feeds.id, id))
}

/** Delays the next read of a feed by `minutes`, because its site asked to send no requests for some time. Records no error. */
export async function putOff(tx: Tx, id: string, minutes: number): Promise<void> {
  await tx
    .update(feeds)
    .set({ next_fetch_at: inMinutes(minutes) })
    .where(eq(feeds.id, id))
}
