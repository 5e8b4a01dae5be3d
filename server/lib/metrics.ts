import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { commit, version } from './version.ts'

/** The metrics of this process, for Prometheus. Labels are routes and kinds, never people or their data. */
export const metrics = new Registry()
collectDefaultMetrics({ register: metrics, prefix: 'lectern_' })

/** Always 1; the labels tell the build. An unknown commit is empty, which Prometheus treats as an absent label. */
new Gauge({
  name: 'lectern_build_info',
  help: 'The version and git commit of this server',
  labelNames: ['version', 'commit'] as const,
  registers: [metrics],
}).set({ version, commit: commit ?? '' }, 1)

/** Time until the response began; streams continue after that. */
export const requestSeconds = new Histogram({
  name: 'lectern_http_request_seconds',
  help: 'Time to the answer, by route and status',
  labelNames: ['route', 'status'] as const,
  buckets: [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  registers: [metrics],
})

/** Waiting and running jobs by kind and status, counted when the metrics are read. */
export const openJobs = new Gauge({
  name: 'lectern_jobs_open',
  help: 'Jobs that are not finished, by kind and status',
  labelNames: ['kind', 'status'] as const,
  registers: [metrics],
})

/** Connections of the database pool, counted when the metrics are read. */
export const poolConnections = new Gauge({
  name: 'lectern_database_connections',
  help: 'Connections of this process to the database: open, idle, and requests that wait for one',
  labelNames: ['state'] as const,
  registers: [metrics],
})

/** Request bodies under way, as `boundBodies` counts them. */
export const sentAtOnce = new Gauge({
  name: 'lectern_sent_at_once',
  help: 'Request bodies under way: bytes of those in memory, number of files being written to disk',
  labelNames: ['kind'] as const,
  registers: [metrics],
})
