import { actorFor } from '#server/db/actor.ts'
import { eq, sql } from 'drizzle-orm'
import { asActor, asSystem, type Tx } from '#server/db/client.ts'
import { events } from '#server/db/tables/events.ts'
import { profiles } from '#server/db/tables/profiles.ts'
import type { LiveEvent } from '#shared/contract/jobs.ts'
import type { Cursor } from './cursor.ts'
import { CHANNELS } from './listen.ts'

/** Maximum number of events in one read. It limits the memory for a slow client. */
const BATCH = 200

export interface Heard {
  /** The events that were read, oldest first: at most one batch. */
  rows: { id: number; event: LiveEvent['event']; data: LiveEvent['data'] }[]
  /** The snapshot in which the events are visible: the snapshot of this read, or `part.upTo` of the cursor. */
  snapshot: string
  isLast: boolean
  /** True if the account is disabled, so that the stream must end. */
  isEnded: boolean
}

/**
 * The accounts that receive an event. `projectId`: the members of the project when the event is read. `membersOf`: the members
 * when the event is written, for a project that is being deleted. `userId`: one account, or no account if it is null.
 */
export type Readers = { projectId: string } | { membersOf: string } | { userId: string | null }

/** Returns the accounts that receive the events of a row: the members of its project, or its creator if it has no project. */
export const readersOf = (row: { project_id: string | null; owner_id: string | null }): Readers =>
  row.project_id === null ? { userId: row.owner_id } : { projectId: row.project_id }

/** Inserts events and notifies listeners at commit. Must run as the database role that owns the tables. */
export async function insertEvents(tx: Tx, readers: Readers, list: readonly LiveEvent[]): Promise<void> {
  const projectId = 'projectId' in readers ? readers.projectId : null
  const members = 'membersOf' in readers ? await listMembers(tx, readers.membersOf) : []
  const owners =
    'userId' in readers ? [readers.userId].filter((id) => id !== null) : projectId === null ? members : [null]
  const rows = owners.flatMap((owner_id) =>
    list.map(({ event, data }) => ({ owner_id, project_id: projectId, event, data })),
  )
  if (rows.length === 0) return
  await tx.insert(events).values(rows)
  const woken = projectId === null ? owners : await listMembers(tx, projectId)
  await tx.execute(sql`select pg_notify(${CHANNELS.event}, id) from unnest(${sql.param(woken)}::text[]) as woken (id)`)
}

async function listMembers(tx: Tx, projectId: string): Promise<string[]> {
  const { rows } = await tx.execute<{ id: string }>(
    sql`select user_id as id from project_members where project_id = ${projectId}`,
  )
  return rows.map(({ id }) => id)
}

/** Returns whether an account is disabled. Must run as the database role that owns the tables. */
export async function isDisabledAccount(tx: Pick<Tx, 'select'>, id: string): Promise<boolean> {
  const [row] = await tx.select({ at: profiles.disabled_at }).from(profiles).where(eq(profiles.id, id))
  return Boolean(row?.at)
}

/** Notifies the streams of an account at commit, so that they check whether the account is still enabled. */
export async function wakeStreams(tx: Tx, ownerId: string): Promise<void> {
  await tx.execute(sql`select pg_notify(${CHANNELS.event}, ${ownerId})`)
}

/**
 * Returns the snapshot (`pg_current_snapshot`) after which a new listener reads events. The listener also receives the events
 * of the last `pastMs` milliseconds and the events of transactions that are still running.
 */
export async function snapshotBefore(pastMs: number): Promise<string> {
  const { rows } = await asSystem((tx) =>
    tx.execute<{ snapshot: string }>(
      sql`select coalesce(
            (select first || ':' || first || ':' from (
               select least(xact, pg_snapshot_xmin(pg_current_snapshot())) as first from events
               where created_at > now() - ${pastMs} * interval '1 millisecond' order by xact limit 1) as past),
            pg_current_snapshot()::text
          ) as snapshot`,
    ),
  )
  return rows[0]!.snapshot
}

/** An account whose stream has received the events up to a cursor. */
export interface Listener {
  ownerId: string
  cursor: Cursor
}

interface Read extends Record<string, unknown> {
  /** Position of the account in the list of listeners, from 1. */
  reader: number
  snapshot: string
  id: string | null
  event: LiveEvent['event']
  data: LiveEvent['data']
  disabled: boolean
}

/**
 * Returns the events of each account after its cursor, in the order of `listeners`: oldest first, at most 200 for each account.
 * All accounts are read in one transaction, with row-level security for each account. The events and the snapshot of an account
 * are consistent with each other.
 */
export async function readEventsOf(listeners: readonly Listener[]): Promise<Heard[]> {
  const column = (type: string, valueOf: (one: Listener) => string | number | null) =>
    sql`${sql.param(listeners.map(valueOf))}::${sql.raw(type)}[]`
  const accounts = column('text', ({ ownerId }) => ownerId)
  const seen = column('text', ({ cursor }) => cursor.seen)
  const upTo = column('text', ({ cursor }) => cursor.part?.upTo ?? null)
  const afterRow = column('bigint', ({ cursor }) => cursor.part?.row ?? null)
  const { rows } = await asActor(actorFor(''), (tx) =>
    tx.execute<Read>(sql`select * from app_read_events(${accounts}, ${seen}, ${upTo}, ${afterRow}, ${BATCH + 1})`),
  )
  const byReader = Map.groupBy(rows, ({ reader }) => reader)
  return listeners.map(({ cursor }, at) => heardIn(byReader.get(at + 1)!, cursor))
}

function heardIn(rows: readonly Read[], cursor: Cursor): Heard {
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
