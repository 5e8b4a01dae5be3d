import { inArray, sql } from 'drizzle-orm'
import { takeAppRole, type Tx } from '#server/db/client.ts'
import { jobs } from '#server/db/tables/jobs.ts'
import { isPausedJob } from '#server/queue/pause-queries.ts'

/**
 * Cheap queries of the health check. Each one checks the component with its name: the database, or the job queue in the
 * database. A query throws if its component does not work.
 */
export const checkQueries = {
  /** Checks that the database responds and that the server can assume the database role of requests. */
  database: (tx: Tx): Promise<void> => takeAppRole(tx, ''),
  queue: async (tx: Tx): Promise<void> => void (await tx.execute(sql`select 1 from pgboss.version`)),
}

/** Returns true if the database accepts no writes: it is a standby, or an administrator set it to read-only. */
export async function isReadOnly(tx: Tx): Promise<boolean> {
  const { rows } = await tx.execute<{ yes: boolean }>(
    sql`select current_setting('transaction_read_only') = 'on' as yes`,
  )
  return rows[0]?.yes === true
}

/**
 * Counts the queued and running jobs by kind and status. For queued jobs, `age` is the age in seconds of the oldest job of the
 * kind, ignoring jobs of paused uploads; null if there is no such job. For running jobs, `age` is null.
 */
export const countOpenJobs = (tx: Tx) => {
  const seconds = sql`extract(epoch from now() - min(${jobs.created_at})
    filter (where ${jobs.status} = 'queued' and not ${isPausedJob}))::float8`
  return tx
    .select({
      kind: jobs.kind,
      status: jobs.status,
      count: sql<number>`count(*)::int`,
      age: sql<number | null>`${seconds}`,
    })
    .from(jobs)
    .where(inArray(jobs.status, ['queued', 'running']))
    .groupBy(jobs.kind, jobs.status)
}

/**
 * Measurements of the installation: e-mails in the queue, the age of the oldest in seconds, followed feeds, feeds that fail,
 * and the size of the database in bytes.
 */
interface Installation extends Record<string, unknown> {
  mail_waiting: number
  mail_age: number
  feeds: number
  feeds_failing: number
  database_bytes: string
}

/** Measures the e-mail queue, the feeds that projects follow, and the size of the database. */
export async function measureInstallation(tx: Tx): Promise<Installation> {
  const { rows } = await tx.execute<Installation>(sql`
    select mail.*, feeds.*, pg_database_size(current_database()) as database_bytes
    from (select count(*)::int as mail_waiting,
        coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as mail_age from outbox) mail,
      (select count(*)::int as feeds, (count(*) filter (where failures > 0))::int as feeds_failing from feeds f
        where exists (select 1 from journals j join user_rss_subscription s on s.journal_id = j.id
          where j.rss_feed_url = f.url and j.owner_id is not distinct from f.owner_id)) feeds`)
  return rows[0]!
}
