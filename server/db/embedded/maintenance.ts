import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { OwnResult } from './bridge.ts'

const WAL_LOOK_MS = 5_000
/** WAL since the last checkpoint that causes one at once, in bytes: recovery reads no more than this and one transaction. */
const MOST_WAL = 64 * 1024 * 1024
const CHECKPOINT_MS = 5 * 60_000
const NIGHT_HOUR = 3
const DAY_MS = 24 * 3_600_000
/** Share of the time that clients keep the database busy from which on VACUUM waits for a quieter minute. */
const BUSY_SHARE = 0.1
/** So often VACUUM waits for it. */
const MOST_DELAYS = 5

const WAL_BYTES = `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn)::bigint from pg_control_checkpoint()`
const TABLES = `select format('%I.%I', n.nspname, c.relname) from pg_class c join pg_namespace n on n.oid = c.relnamespace
  left join pg_stat_all_tables s on s.relid = c.oid
  where c.relkind in ('r', 'm') and n.nspname not in ('information_schema', 'pg_toast')`
/** The thresholds of autovacuum, and tables that were never analyzed: the counts since then do not outlive a restart. */
const CHANGED_TABLES = `${TABLES} and (c.reltuples < 0 and pg_relation_size(c.oid) > 0
  or s.n_mod_since_analyze > 50 + 0.1 * greatest(c.reltuples, 0)
  or s.n_dead_tup > 50 + 0.2 * greatest(c.reltuples, 0)
  or s.n_ins_since_vacuum > 1000 + 0.2 * greatest(c.reltuples, 0)) order by 1`
const ALL_TABLES = `${TABLES} order by 1`

/** How long clients have used the backend, and statements of the bridge's own between theirs. */
export interface MaintainedBackend {
  run(sql: string): Promise<OwnResult>
  /** Milliseconds of work for clients since the start. */
  readonly busyMs: number
}

/**
 * Does what autovacuum and the checkpointer do in a full PostgreSQL and nothing does in the embedded one: VACUUM (ANALYZE) of
 * the tables that have changed much, looked for every `intervalMs`, and of all tables once a day; a checkpoint every five
 * minutes, and as soon as much WAL was written. One table is one piece of work, so a request waits for one table at most.
 * Polls of the server itself take too little time to count as use; under constant use VACUUM waits for five intervals.
 * Returns what stops it.
 */
export function keepInOrder(backend: MaintainedBackend, folder: string, intervalMs: number): () => void {
  const stops = [
    repeat(CHECKPOINT_MS, async () => void (await backend.run('checkpoint'))),
    repeat(WAL_LOOK_MS, () => checkpointAfterMuchWal(backend)),
    repeat(intervalMs, vacuumer(backend, join(folder, 'last-vacuum'), intervalMs)),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

async function checkpointAfterMuchWal(backend: MaintainedBackend): Promise<void> {
  const [bytes] = (await backend.run(WAL_BYTES)).values
  if (Number(bytes) > MOST_WAL) await backend.run('checkpoint')
}

function vacuumer(backend: MaintainedBackend, note: string, intervalMs: number): () => Promise<void> {
  let delays = 0
  let busyMs = backend.busyMs
  return async () => {
    const share = (backend.busyMs - busyMs) / intervalMs
    busyMs = backend.busyMs
    const isDaily = isDailyVacuumDue(Date.now(), lastVacuum(note), new Date().getHours())
    const tables = (await backend.run(isDaily ? ALL_TABLES : CHANGED_TABLES)).values
    if (tables.length > 0 && waitsForQuiet(share, delays)) {
      delays += 1
      return
    }
    delays = 0
    // Before the work: a table that breaks the engine must not do so at every start.
    if (isDaily) writeFileSync(note, '')
    for (const table of tables) await backend.run(`vacuum (analyze) ${table}`)
  }
}

/** Whether VACUUM waits for a quieter interval; `share` (0 to 1) is the time in which clients used the database. */
export const waitsForQuiet = (share: number, delays: number): boolean => share > BUSY_SHARE && delays < MOST_DELAYS

/** Whether the daily VACUUM of all tables is due: once a night, or where it is half a day late. Times in ms. */
export function isDailyVacuumDue(now: number, last: number, hour: number): boolean {
  const since = now - last
  // A last time in the future is that of a wrong clock.
  return Math.abs(since) > DAY_MS + DAY_MS / 2 || (hour === NIGHT_HOUR && since > DAY_MS / 2)
}

/** When it last ran; a new folder counts as just done. */
function lastVacuum(note: string): number {
  const stat = statSync(note, { throwIfNoEntry: false })
  if (stat) return stat.mtimeMs
  writeFileSync(note, '')
  return Date.now()
}

/** Runs `work` at every interval unless it still runs. Returns what stops it. */
function repeat(ms: number, work: () => Promise<void>): () => void {
  let isRunning = false
  const timer = setInterval(() => {
    if (isRunning) return
    isRunning = true
    void work().finally(() => {
      isRunning = false
    })
  }, ms)
  return () => clearInterval(timer)
}
