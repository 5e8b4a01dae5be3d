import { sql } from 'drizzle-orm'
import { asActor, asSystem, type Tx } from '#server/db/client.ts'
import { events } from '#server/db/tables/events.ts'
import type { LiveEvent } from '#shared/contract/jobs.ts'
import type { Cursor } from './cursor.ts'
import { CHANNELS } from './listen.ts'

/** Rows per read. Bounds the memory of a slow client. */
const BATCH = 200

export interface Heard {
  /** `event` is null when only the cursor advanced. */
  rows: { id: number; event: LiveEvent['event']; data: LiveEvent['data'] }[]
  /** The snapshot of this read. */
  snapshot: string
  isLast: boolean
  /** The account was disabled: the stream ends. */
  isEnded: boolean
}

/** Inserts events and notifies listeners at commit. Needs the role of the table owner. */
export async function insertEvents(tx: Tx, ownerId: string, list: readonly LiveEvent[]): Promise<void> {
  await tx.insert(events).values(list.map(({ event, data }) => ({ owner_id: ownerId, event, data })))
  await tx.execute(sql`select pg_notify(${CHANNELS.event}, ${ownerId})`)
}

/** Wakes the streams of an account at commit, so that they check whether the account is still enabled. */
export async function wakeStreams(tx: Tx, ownerId: string): Promise<void> {
  await tx.execute(sql`select pg_notify(${CHANNELS.event}, ${ownerId})`)
}

/** Returns the present snapshot, the start of a new listener. */
export async function currentSnapshot(): Promise<string> {
  const { rows } = await asSystem((tx) =>
    tx.execute<{ snapshot: string }>(sql`select pg_current_snapshot()::text as snapshot`),
  )
  return rows[0]!.snapshot
}

interface Read extends Record<string, unknown> {
  snapshot: string
  id: string | null
  event: LiveEvent['event']
  data: LiveEvent['data']
  disabled: boolean
}

/**
 * Returns the account's events after the cursor, oldest first. One statement, so that rows and snapshot are of the same
 * instant.
 */
export async function readEvents(ownerId: string, cursor: Cursor): Promise<Heard> {
  const after = sql`not pg_visible_in_snapshot(xact, ${cursor.seen}::pg_snapshot) and xact >= pg_snapshot_xmin(${cursor.seen}::pg_snapshot)`
  const within = cursor.part
    ? sql`and pg_visible_in_snapshot(xact, ${cursor.part.upTo}::pg_snapshot) and id > ${cursor.part.row}`
    : sql``
  const { rows } = await asActor({ userId: ownerId, isAdmin: false }, (tx) =>
    tx.execute<Read>(sql`
      select now.snapshot::text, heard.id, heard.event, heard.data,
        exists (select 1 from profiles where id = ${ownerId} and disabled_at is not null) as disabled
      from (select pg_current_snapshot() as snapshot) now
      left join (
        select id, event, data from events where owner_id = ${ownerId} and ${after} ${within} order by id limit ${BATCH + 1}
      ) heard on true
      order by heard.id`),
  )
  const found = rows.filter((row) => row.id !== null).map(({ id, event, data }) => ({ id: Number(id), event, data }))
  return {
    rows: found.slice(0, BATCH),
    snapshot: cursor.part?.upTo ?? rows[0]!.snapshot,
    isLast: found.length <= BATCH,
    isEnded: rows[0]!.disabled,
  }
}

/** Deletes events older than an hour. */
export async function deleteOldEvents(): Promise<void> {
  await asSystem((tx) => tx.execute(sql`delete from events where created_at < now() - interval '1 hour'`))
}
