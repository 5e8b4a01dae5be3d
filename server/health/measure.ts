import { createHash, timingSafeEqual } from 'node:crypto'
import { asSystem, database } from '#server/db/client.ts'
import { env } from '#server/lib/env.ts'
import { metrics, openJobs, poolConnections } from '#server/lib/metrics.ts'
import { countOpenJobs } from './queries.ts'

const digest = (text: string) => createHash('sha256').update(text).digest()

/** Returns true if an Authorization header contains METRICS_TOKEN, which must be set. Compares in constant time. */
export function mayMeasure(authorization: string | undefined): boolean {
  if (env.METRICS_TOKEN === undefined) return false
  return timingSafeEqual(digest(authorization ?? ''), digest(`Bearer ${env.METRICS_TOKEN}`))
}

/** The metrics of this process in the Prometheus text format, with current figures of the database. */
export async function measure(): Promise<{ text: string; contentType: string }> {
  const { pool } = database()
  poolConnections.set({ state: 'open' }, pool.totalCount)
  poolConnections.set({ state: 'idle' }, pool.idleCount)
  poolConnections.set({ state: 'waiting' }, pool.waitingCount)
  openJobs.reset()
  for (const { kind, status, count } of await asSystem(countOpenJobs)) openJobs.set({ kind, status }, count)
  return { text: await metrics.metrics(), contentType: metrics.contentType }
}
