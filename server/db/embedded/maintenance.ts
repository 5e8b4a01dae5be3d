import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { OwnResult } from './bridge.ts'

const CHECKPOINT_MS = 5 * 60_000
const NIGHT_HOUR = 3
const DAY_MS = 24 * 3_600_000
const TABLES = `select format('%I.%I', n.nspname, c.relname) from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'm') and n.nspname not in ('information_schema', 'pg_toast') order by 1`

/** Statements of the bridge's own, and how long nobody has used the database. */
export interface Idle {
  run(sql: string): Promise<OwnResult>
  readonly idleMs: number
}

/**
 * Does what autovacuum and the checkpointer do in a full PostgreSQL and nobody does in the embedded one: a checkpoint
 * every five minutes when there was work (recovery stays short), and once a day, at night or when it is overdue and the
 * database has been idle for a minute, VACUUM (ANALYZE) of one table after the other, so that a
 * request waits for one table at most. Returns what stops it.
 */
export function keepInOrder(idle: Idle, folder: string): () => void {
  const note = join(folder, 'last-vacuum')
  let hasWorked = true
  let isVacuuming = false
  const checkpoint = setInterval(() => {
    if (hasWorked) void idle.run('checkpoint')
    hasWorked = idle.idleMs < CHECKPOINT_MS
  }, CHECKPOINT_MS)
  const vacuumWhenDue = async () => {
    if (isVacuuming || !isVacuumDue(Date.now(), lastVacuum(note), new Date().getHours(), idle.idleMs)) return
    isVacuuming = true
    writeFileSync(note, '')
    for (const table of (await idle.run(TABLES)).values) await idle.run(`vacuum (analyze) ${table}`)
    isVacuuming = false
  }
  const vacuum = setInterval(() => void vacuumWhenDue(), 60_000)
  return () => {
    clearInterval(checkpoint)
    clearInterval(vacuum)
  }
}

/** Whether the daily VACUUM may run now: idle for a minute, and either at night or more than a day late. Times in ms. */
export function isVacuumDue(now: number, last: number, hour: number, idleMs: number): boolean {
  if (idleMs < 60_000) return false
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
