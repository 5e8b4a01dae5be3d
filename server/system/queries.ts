import { and, desc, eq, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { feeds, userRssSubscription } from '#server/db/tables/feeds.ts'
import { jobs } from '#server/db/tables/jobs.ts'
import { journals } from '#server/db/tables/journals.ts'
import { profiles } from '#server/db/tables/profiles.ts'
import { isFailed } from '#server/queue/failed-queries.ts'
import { JOB_KINDS, type JobKind } from '#shared/contract/jobs.ts'
import type { FailedJob, FailingFeed } from '#shared/contract/system.ts'

const iso = (value: string | null) => (value === null ? null : new Date(value).toISOString())

/** Returns whether the caller is an admin at this moment, according to the database. */
export async function isAdminNow(tx: Tx): Promise<boolean> {
  const { rows } = await tx.execute<{ yes: boolean }>(sql`select app_is_admin() as yes`)
  return rows[0]?.yes === true
}

/** Returns the version of the PostgreSQL server. */
export async function readServerVersion(tx: Tx): Promise<string> {
  const { rows } = await tx.execute<{ version: string }>(sql`select current_setting('server_version') as version`)
  return rows[0]!.version
}

/** Counts accounts: all, admins who are not disabled, disabled accounts, and those that signed in during the last 30 days. */
export async function countPeople(tx: Tx) {
  const enabled = sql`${profiles.disabled_at} is null`
  const [row] = await tx
    .select({
      count: sql<number>`count(*)::int`,
      admins: sql<number>`count(*) filter (where ${profiles.is_admin} and ${enabled})::int`,
      disabled: sql<number>`count(*) filter (where not (${enabled}))::int`,
      active: sql<number>`count(*) filter (where ${profiles.last_sign_in_at} > now() - interval '30 days')::int`,
    })
    .from(profiles)
  return row!
}

/** Counts the queued, running and failed jobs, separately for each kind of job. */
export async function countJobs(tx: Tx) {
  const rows = await tx
    .select({
      kind: jobs.kind,
      queued: sql<number>`count(*) filter (where ${jobs.status} = 'queued')::int`,
      running: sql<number>`count(*) filter (where ${jobs.status} = 'running')::int`,
      failed: sql<number>`count(*) filter (where ${isFailed})::int`,
      oldest: sql<string | null>`min(${jobs.created_at}) filter (where ${jobs.status} = 'queued')`,
    })
    .from(jobs)
    .groupBy(jobs.kind)
  const known = new Map<JobKind, (typeof rows)[number]>(rows.map((row) => [row.kind, row]))
  return JOB_KINDS.map((kind) => {
    const { queued = 0, running = 0, failed = 0, oldest = null } = known.get(kind) ?? {}
    return { kind, queued, running, failed, oldest_queued_at: iso(oldest) }
  })
}

/** Returns a page of the failed jobs, latest first, and their total number. */
export async function findFailedJobs(tx: Tx, kind: JobKind | undefined, page: number, limit: number) {
  const where = and(isFailed, kind ? eq(jobs.kind, kind) : undefined)
  const data: FailedJob[] = await tx
    .select({
      id: jobs.id,
      kind: jobs.kind,
      error: sql<string>`coalesce(${jobs.error}, '')`,
      attempt: jobs.attempt,
      owner_email: profiles.email,
      created_at: jobs.created_at,
      finished_at: jobs.finished_at,
    })
    .from(jobs)
    // A job in a project of other users stays when its account is deleted.
    .leftJoin(profiles, eq(profiles.id, jobs.owner_id))
    .where(where)
    .orderBy(desc(jobs.finished_at), jobs.id)
    .limit(limit)
    .offset((page - 1) * limit)
  const [counted] = await tx
    .select({ count: sql<number>`count(*)::int` })
    .from(jobs)
    .where(where)
  return { data, count: counted!.count }
}

const followed = sql`exists (
  select 1 from ${journals} join ${userRssSubscription} on ${userRssSubscription.journal_id} = ${journals.id}
  where ${journals.rss_feed_url} = ${feeds.url} and ${journals.owner_id} is not distinct from ${feeds.owner_id})`

/**
 * Counts the feeds that projects follow, and those of them that fail. `last_success_at` is the latest successful fetch of any
 * feed.
 */
export async function countFeeds(tx: Tx) {
  const [row] = await tx
    .select({
      followed: sql<number>`count(*)::int`,
      failing: sql<number>`count(*) filter (where ${feeds.failures} > 0)::int`,
      last: sql<string | null>`max(${feeds.last_fetched_at})`,
    })
    .from(feeds)
    .where(followed)
  return { followed: row!.followed, failing: row!.failing, last_success_at: iso(row!.last) }
}

/**
 * Returns a page of the followed feeds that fail, with their full addresses. Feeds with the most failures are first. `personal`
 * is true if only the user who added the feed sees it.
 */
export function findFailingFeeds(
  tx: Tx,
  page: number,
  limit: number,
): Promise<(FailingFeed & { personal: boolean })[]> {
  return tx
    .select({
      id: feeds.id,
      url: feeds.url,
      journals: sql<string[]>`array(select j.name from ${journals} j where j.rss_feed_url = ${feeds}.url
        and j.owner_id is not distinct from ${feeds}.owner_id order by j.name)`,
      followers: sql<number>`(select count(distinct s.user_id)::int from ${userRssSubscription} s
        join ${journals} j on j.id = s.journal_id
        where j.rss_feed_url = ${feeds}.url and j.owner_id is not distinct from ${feeds}.owner_id)`,
      personal: sql<boolean>`${feeds.owner_id} is not null`,
      failures: feeds.failures,
      last_error: feeds.last_error,
      last_fetched_at: feeds.last_fetched_at,
      next_fetch_at: feeds.next_fetch_at,
    })
    .from(feeds)
    .where(and(followed, sql`${feeds.failures} > 0`))
    .orderBy(desc(feeds.failures), feeds.url)
    .limit(limit)
    .offset((page - 1) * limit)
}
