import { Gauge } from 'prom-client'
import { metrics } from './metrics.ts'

/*
 * Figures of the whole installation, read when the metrics are read. Every server reports the same value: use max(), not sum().
 * Disk and backup are those of the DATA_DIR of the server.
 */
const registers = [metrics]

/**
 * Whether the database can be read: 1 or 0. While it is 0, the other metrics of the installation keep their last successfully
 * read values.
 */
export const databaseUp = new Gauge({
  name: 'lectern_database_up',
  help: 'Whether this server can read the database (1 or 0)',
  registers,
})

/** Number of jobs that have not ended. */
export const openJobs = new Gauge({
  name: 'lectern_jobs_open',
  help: 'Jobs of the installation that have not ended, by kind and status',
  labelNames: ['kind', 'status'] as const,
  registers,
})

/** Age in seconds of the oldest job that waits for a worker, by kind of job. Jobs of a paused upload do not count. */
export const oldestJob = new Gauge({
  name: 'lectern_jobs_oldest_waiting_seconds',
  help: 'Age of the oldest waiting job of the installation, by kind',
  labelNames: ['kind'] as const,
  registers,
})

/** Number of e-mails that wait in the outbox. */
export const mailWaiting = new Gauge({
  name: 'lectern_mail_waiting',
  help: 'E-mails of the installation that wait to be sent',
  registers,
})

/** Age of the oldest e-mail that waits, in seconds; 0 if no e-mail waits. */
export const oldestMail = new Gauge({
  name: 'lectern_mail_oldest_waiting_seconds',
  help: 'Age of the oldest e-mail of the installation that waits to be sent',
  registers,
})

/** Number of feeds that projects follow. */
export const feeds = new Gauge({
  name: 'lectern_feeds',
  help: 'Feeds that projects follow, by state after their last read (working, failing)',
  labelNames: ['state'] as const,
  registers,
})

/** Size of the database in bytes, with its indexes and system catalogs, without the write-ahead log. */
export const databaseBytes = new Gauge({
  name: 'lectern_database_size_bytes',
  help: 'Size of the database of the installation',
  registers,
})

/** Free bytes on the disk of DATA_DIR that this process can use, as `df` reports them. */
export const diskFree = new Gauge({
  name: 'lectern_disk_free_bytes',
  help: 'Free space on the disk of DATA_DIR',
  registers,
})

/** Size of the disk of DATA_DIR in bytes. */
export const diskSize = new Gauge({
  name: 'lectern_disk_size_bytes',
  help: 'Size of the disk of DATA_DIR',
  registers,
})

/** Time of the last backup, in Unix seconds; 0 without a backup. */
export const lastBackup = new Gauge({
  name: 'lectern_backup_last_success_timestamp_seconds',
  help: 'End of the last backup by npm run backup with this DATA_DIR; 0 without one',
  registers,
})
