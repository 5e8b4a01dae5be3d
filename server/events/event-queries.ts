import { actorFor } from '#server/db/actor.ts'
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

/**
 * The accounts that read an event. projectId: the members of the project at the time of reading. membersOf: its members
 * at present, also after the deletion of the project. userId: one account.
 */
export type Readers = { projectId: string } | { membersOf: string } | { userId: string | null }

/** The readers of the events of a row: the members of its project, or the account that created it. */
export const readersOf = (row: { project_id: string | null; owner_id: string | null }): Readers =>
  row.project_id === null ? { userId: row.owner_id } : { projectId: row.project_id }

/** Inserts events and notifies listeners at commit. Needs the role of the table owner. */
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

/** Wakes the streams of an account at commit, so that they check whether the account is still enabled. */
export async function wakeStreams(tx: Tx, ownerId: string): Promise<void> {
  await tx.execute(sql`select pg_notify(${CHANNELS.event}, ${ownerId})`)
}

/** Returns the current snapshot of the database (`pg_current_snapshot`), from which a new listener reads events. */
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
  const { rows } = await asActor(actorFor(ownerId), (tx) =>
    tx.execute<Read>(sql`
      select now.snapshot::text, heard.id, heard.event, heard.data,
        exists (select 1 from profiles where id = ${ownerId} and disabled_at is not null) as disabled
      from (select pg_current_snapshot() as snapshot) now
      left join (
        select id, event, data from (
          select id, event, data from events where owner_id = ${ownerId} and project_id is null and ${after} ${within}
          union all
          select id, event, data from events
          where project_id = any(array(select app_projects('read'))) and ${after} ${within}
        ) own order by id limit ${BATCH + 1}
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
