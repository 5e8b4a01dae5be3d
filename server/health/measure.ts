import { createHash, timingSafeEqual } from 'node:crypto'
import { asOwner, database } from '#server/db/client.ts'
import { env } from '#server/lib/env.ts'
import { metrics, openJobs, poolConnections } from '#server/lib/metrics.ts'
import { countOpenJobs } from './queries.ts'

const digest = (text: string) => createHash('sha256').update(text).digest()

/** Whether an Authorization header holds METRICS_TOKEN; never without one set. Takes as long for any wrong one. */
export function mayMeasure(authorization: string | undefined): boolean {
  if (env.METRICS_TOKEN === undefined) return false
  return timingSafeEqual(digest(authorization ?? ''), digest(`Bearer ${env.METRICS_TOKEN}`))
}

/** The figures of this process in the text form of Prometheus, with those of the database as they are now. */
export async function measure(): Promise<{ text: string; contentType: string }> {
  const { pool } = database()
  poolConnections.set({ state: 'open' }, pool.totalCount)
  poolConnections.set({ state: 'idle' }, pool.idleCount)
  poolConnections.set({ state: 'waiting' }, pool.waitingCount)
  openJobs.reset()
  for (const { kind, status, count } of await asOwner(countOpenJobs)) openJobs.set({ kind, status }, count)
  return { text: await metrics.metrics(), contentType: metrics.contentType }
}
