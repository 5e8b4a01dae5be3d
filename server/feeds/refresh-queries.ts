import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { feeds, userRssSubscription } from '#server/db/tables/feeds.ts'
import { journals } from '#server/db/tables/journals.ts'
import { projects } from '#server/db/tables/projects.ts'
import type { FeedTried } from '#shared/feeds.ts'

export type FeedRow = typeof feeds.$inferSelect

/** How long a process that took a feed has to read it; another takes it after that. */
const LEASE = sql`interval '5 minutes'`
const inMinutes = (minutes: number) => sql`now() + make_interval(secs => ${minutes * 60})`

/**
 * Takes one feed that is due and that somebody follows, so that no other process reads it at the same time. Those of
 * hosts that are being read (`busy`) wait, and those that failed the last time come after all others: however many feeds
 * of slow or broken sites somebody follows, the rest are read in between.
 */
export async function takeDueFeed(tx: Tx, busy: string[]): Promise<FeedRow | undefined> {
  return (await takeDue(tx, busy, sql`due.failures = 0`)) ?? (await takeDue(tx, busy, sql`due.failures > 0`))
}

async function takeDue(tx: Tx, busy: string[], which: SQL): Promise<FeedRow | undefined> {
  // As `URL.host` tells it: without a name and password, with the port.
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

/** The address of a feed. */
export async function findFeedUrl(tx: Tx, id: string): Promise<string | undefined> {
  const [row] = await tx.select({ url: feeds.url }).from(feeds).where(eq(feeds.id, id))
  return row?.url
}

/** Takes one feed out of its turn, so that it is not read twice at a time; undefined when there is no such feed. */
export async function takeFeed(tx: Tx, id: string): Promise<FeedRow | undefined> {
  const [row] = await tx
    .update(feeds)
    .set({ next_fetch_at: sql`now() + ${LEASE}` })
    .where(eq(feeds.id, id))
    .returning()
  return row
}

/** How a feed does. */
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

/** The id of the row of a feed address, of one person or of the catalogue (null). A new row is due at once. */
export async function ensureFeedRow(tx: Tx, url: string, ownerId: string | null): Promise<string> {
  await tx.insert(feeds).values({ url, owner_id: ownerId }).onConflictDoNothing()
  const [row] = await tx
    .select({ id: feeds.id })
    .from(feeds)
    .where(and(eq(feeds.url, url), sql`${feeds.owner_id} is not distinct from ${ownerId}`))
  return row!.id
}

/** Rows for every address that is followed: one may have changed, or a process may have ended before it wrote the row. */
export async function ensureFollowedFeeds(tx: Tx): Promise<void> {
  await tx.execute(sql`insert into ${feeds} (url, owner_id)
    select distinct ${journals.rss_feed_url}, ${journals.owner_id} from ${journals}
    join ${userRssSubscription} on ${userRssSubscription.journal_id} = ${journals.id}
    where ${journals.rss_feed_url} is not null
      and not exists (select 1 from ${feeds} known
        where known.url = ${journals.rss_feed_url} and known.owner_id is not distinct from ${journals.owner_id})
    on conflict do nothing`)
}

/** Feeds that nobody could read yet are due at once: at a start, nobody is reading them. */
export async function hurryUnreadFeeds(tx: Tx): Promise<void> {
  await tx
    .update(feeds)
    .set({ next_fetch_at: sql`now()` })
    .where(sql`${feeds.last_fetched_at} is null and ${feeds.failures} = 0`)
}

/** Notes a reading that went well. */
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

/** Notes a failure, and when the feed is tried again. */
export async function markFailed(tx: Tx, id: string, error: string, failures: number, minutes: number): Promise<void> {
  await tx
    .update(feeds)
    .set({ last_error: error, failures, next_fetch_at: inMinutes(minutes) })
    .where(eq(feeds.id, id))
}

/** Puts a feed off without a word: its site asked to be left alone. */
export async function putOff(tx: Tx, id: string, minutes: number): Promise<void> {
  await tx
    .update(feeds)
    .set({ next_fetch_at: inMinutes(minutes) })
    .where(eq(feeds.id, id))
}
