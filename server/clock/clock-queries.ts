import { sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { clock } from '#server/db/tables/clock.ts'
import type { ClockMarks } from './judge-clock.ts'

const SECOND = 1000
/** A rate limit entry this far ahead of this process's clock comes from a wrong clock. */
const AHEAD_MS = 10 * 60 * SECOND

/**
 * SQL for the present according to the trusted clock. Permanent deletions use it. Null, so that nothing is due, until
 * the clock has been checked for the first time.
 */
export const TRUSTED_NOW = sql`(select least(now(), trusted_at) from clock)`

/** Returns the database's clock and the stored marks. Locks the marks until the transaction ends. */
export async function readClock(tx: Tx): Promise<{ now: number; marks: ClockMarks | null }> {
  const [row] = await tx.select().from(clock).for('update')
  const { rows } = await tx.execute<{ now: string }>(sql`select clock_timestamp() as now`)
  const marks = row && {
    trustedAt: Date.parse(row.trusted_at),
    latestAt: Date.parse(row.latest_at),
    doubtedAt: row.doubted_at === null ? null : Date.parse(row.doubted_at),
  }
  return { now: new Date(rows[0]!.now).getTime(), marks: marks ?? null }
}

export async function writeClock(tx: Tx, { trustedAt, latestAt, doubtedAt }: ClockMarks): Promise<void> {
  const values = {
    trusted_at: new Date(trustedAt).toISOString(),
    latest_at: new Date(latestAt).toISOString(),
    doubted_at: doubtedAt === null ? null : new Date(doubtedAt).toISOString(),
  }
  await tx.insert(clock).values(values).onConflictDoUpdate({ target: clock.id, set: values })
}

/**
 * After the clock jumps back by `backMs`, shifts future timestamps back by the same amount: waiting jobs and e-mails,
 * feeds that are due, deletion times. Otherwise they would wait for the length of the jump.
 */
export async function bringBack(tx: Tx, backMs: number): Promise<void> {
  const back = sql`make_interval(secs => ${backMs / SECOND})`
  const earlier = (column: string) => sql`greatest(now(), ${sql.raw(column)} - ${back})`
  const statements = [
    sql`update pgboss.job set start_after = ${earlier('start_after')} where state in ('created', 'retry') and start_after > now()`,
    sql`update pgboss.job set started_on = least(started_on, now()), heartbeat_on = least(heartbeat_on, now())
      where state = 'active' and greatest(started_on, heartbeat_on) > now()`,
    sql`update pgboss.queue set monitor_claim_on = null, monitor_on = null, maintain_on = null`,
    sql`update pgboss.version set monitor_backoff_on = null`,
    sql`update jobs set updated_at = now() where status in ('queued', 'running') and updated_at > now()`,
    sql`update outbox set due_at = ${earlier('due_at')}, created_at = least(created_at, now()) where due_at > now()`,
    sql`update removed_files set due_at = ${earlier('due_at')} where due_at > now()`,
    sql`update feeds set next_fetch_at = ${earlier('next_fetch_at')}, last_fetched_at = least(last_fetched_at, now())
      where next_fetch_at > now()`,
    sql`update projects set deleted_at = least(now(), deleted_at - ${back}) where deleted_at > now()`,
    sql`update documents set deleted_at = least(now(), deleted_at - ${back}) where deleted_at > now()`,
    sql`update events set created_at = now() where created_at > now()`,
  ]
  for (const statement of statements) await tx.execute(statement)
}

/** Deletes rate limit counts and verification codes that were written while the clock was ahead of `now`. */
export async function forgetAhead(tx: Tx, now: number): Promise<void> {
  const late = now + AHEAD_MS
  await tx.execute(sql`delete from rate_limit where last_request > ${late}::bigint`)
  await tx.execute(sql`delete from verification where created_at > ${new Date(late).toISOString()}::timestamptz`)
}
