import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { OwnResult } from './bridge.ts'

const WAL_LOOK_MS = 5_000
/**
 * Maximum size of the WAL since the last checkpoint, in bytes. A check every WAL_LOOK_MS starts a checkpoint above this size.
 * Recovery therefore reads at most this size and the WAL of one interval.
 */
const MOST_WAL = 64 * 1024 * 1024
const CHECKPOINT_MS = 5 * 60_000
const NIGHT_HOUR = 3
const DAY_MS = 24 * 3_600_000
/** VACUUM waits while the backend works for clients for more than this share of the time. */
const BUSY_SHARE = 0.1
/** Maximum number of intervals for which VACUUM waits. */
const MOST_DELAYS = 5

const WAL_BYTES = `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn)::bigint from pg_control_checkpoint()`
const TABLES = `select format('%I.%I', n.nspname, c.relname) from pg_class c join pg_namespace n on n.oid = c.relnamespace
  left join pg_stat_all_tables s on s.relid = c.oid
  where c.relkind in ('r', 'm') and n.nspname not in ('information_schema', 'pg_toast')`
/**
 * Selects the tables that need VACUUM: by the thresholds of autovacuum, and tables that were never analyzed, because the counts
 * of changes are lost at a restart.
 */
const CHANGED_TABLES = `${TABLES} and (c.reltuples < 0 and pg_relation_size(c.oid) > 0
  or s.n_mod_since_analyze > 50 + 0.1 * greatest(c.reltuples, 0)
  or s.n_dead_tup > 50 + 0.2 * greatest(c.reltuples, 0)
  or s.n_ins_since_vacuum > 1000 + 0.2 * greatest(c.reltuples, 0)) order by 1`
const ALL_TABLES = `${TABLES} order by 1`

/**
 * The PostgreSQL backend of the embedded database, for VACUUM and checkpoints: it runs statements, and measures the time that
 * it works for clients.
 */
export interface MaintainedBackend {
  run(sql: string): Promise<OwnResult>
  /** The time that the backend has worked for clients since the start, in milliseconds. */
  readonly busyMs: number
}

/**
 * Does the work of autovacuum and the checkpointer, which the embedded database lacks. Runs VACUUM (ANALYZE) on tables with
 * many changes, checked every `intervalMs`, and on all tables once a day. Runs a checkpoint every five minutes, or after 64 MB
 * of WAL. Each table is a separate statement, so a request waits for one table at most. While clients use more than a tenth of
 * the time, VACUUM is delayed, by five intervals at most. `folder` stores the time of the last daily VACUUM. Returns a function
 * that stops the work.
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
    // Written before the work: a table that crashes the engine must not do so at every start.
    if (isDaily) writeFileSync(note, '')
    for (const table of tables) await backend.run(`vacuum (analyze) ${table}`)
  }
}

/**
 * Returns whether VACUUM waits for a quieter interval. `share` is the share (0 to 1) of the time in which the backend worked
 * for clients. `delays` is the number of intervals for which VACUUM has waited.
 */
export const waitsForQuiet = (share: number, delays: number): boolean => share > BUSY_SHARE && delays < MOST_DELAYS

/**
 * Returns whether the daily VACUUM of all tables is due: between 3:00 and 4:00 if the last one was more than 12 hours ago, at
 * any time if it was more than 36 hours ago. `now` and `last` are in milliseconds; `hour` is the local hour of `now` (0 to 23).
 */
export function isDailyVacuumDue(now: number, last: number, hour: number): boolean {
  const since = now - last
  // A last time in the future means that the clock was wrong.
  return Math.abs(since) > DAY_MS + DAY_MS / 2 || (hour === NIGHT_HOUR && since > DAY_MS / 2)
}

/**
 * Returns the time of the last daily VACUUM, in milliseconds: the modification time of the file `note`. Creates a missing file
 * and returns the current time.
 */
function lastVacuum(note: string): number {
  const stat = statSync(note, { throwIfNoEntry: false })
  if (stat) return stat.mtimeMs
  writeFileSync(note, '')
  return Date.now()
}

/**
 * Runs `work` every `ms` milliseconds, but not while the previous run continues. Returns a function that stops the repetition.
 */
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
