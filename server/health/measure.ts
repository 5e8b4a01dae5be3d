import { createHash, timingSafeEqual } from 'node:crypto'
import { statfs } from 'node:fs/promises'
import { lastBackupAt } from '#server/backup/index.ts'
import { asSystem, database } from '#server/db/client.ts'
import { env } from '#server/lib/env.ts'
import { inTime } from './in-time.ts'
import * as installation from '#server/lib/installation-metrics.ts'
import { log } from '#server/lib/log.ts'
import { metrics, poolConnections } from '#server/lib/metrics.ts'
import { countOpenJobs, measureInstallation } from './queries.ts'

const digest = (text: string) => createHash('sha256').update(text).digest()

/**
 * Returns whether a request may read the metrics: its header Authorization must be `Bearer <METRICS_TOKEN>`. Returns false if
 * METRICS_TOKEN is not set. Compares in constant time.
 */
export function mayMeasure(authorization: string | undefined): boolean {
  if (env.METRICS_TOKEN === undefined) return false
  return timingSafeEqual(digest(authorization ?? ''), digest(`Bearer ${env.METRICS_TOKEN}`))
}

/** Returns the metrics of this process and of the installation in the Prometheus text format. */
export async function measure(): Promise<{ text: string; contentType: string }> {
  const { pool } = database()
  poolConnections.set({ state: 'open' }, pool.totalCount)
  poolConnections.set({ state: 'idle' }, pool.idleCount)
  poolConnections.set({ state: 'waiting' }, pool.waitingCount)
  await inTime(readInstallation).catch((error: unknown) => {
    log.warn({ err: error }, 'the figures of the installation could not be read')
    installation.databaseUp.set(0)
  })
  const { bavail, bsize, blocks } = await statfs(env.DATA_DIR)
  installation.diskFree.set(bavail * bsize)
  installation.diskSize.set(blocks * bsize)
  installation.lastBackup.set(await lastBackupAt())
  return { text: await metrics.metrics(), contentType: metrics.contentType }
}

async function readInstallation(): Promise<void> {
  const [jobs, found] = await asSystem(async (tx) => [await countOpenJobs(tx), await measureInstallation(tx)])
  installation.openJobs.reset()
  installation.oldestJob.reset()
  for (const { kind, status, count, age } of jobs) {
    installation.openJobs.set({ kind, status }, count)
    if (age !== null) installation.oldestJob.set({ kind }, age)
  }
  installation.mailWaiting.set(found.mail_waiting)
  installation.oldestMail.set(found.mail_age)
  installation.feeds.set({ state: 'working' }, found.feeds - found.feeds_failing)
  installation.feeds.set({ state: 'failing' }, found.feeds_failing)
  installation.databaseBytes.set(Number(found.database_bytes))
  installation.databaseUp.set(1)
}
