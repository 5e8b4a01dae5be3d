import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { JOB_KINDS } from '#shared/contract/jobs.ts'
import { commit, version } from './version.ts'

/**
 * The metrics of this process, for Prometheus. Labels are routes, kinds and models, never users or their data. Metrics of Node
 * and of the process have the names of prom-client, because existing dashboards use them. docs/operating.md lists all metrics.
 */
export const metrics = new Registry()
collectDefaultMetrics({ register: metrics })

const registers = [metrics]
const SECONDS_OF_REQUESTS = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const SECONDS_OF_WORK = [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600]

/**
 * A metric whose labels identify the build. Its value is always 1. An unknown commit is empty, which Prometheus treats as an
 * absent label.
 */
new Gauge({
  name: 'lectern_build_info',
  help: 'The version and git commit of this server',
  labelNames: ['version', 'commit'] as const,
  registers,
}).set({ version, commit: commit ?? '' }, 1)

/** Time until a response began, in seconds. A stream continues after this time. */
export const requestSeconds = new Histogram({
  name: 'lectern_http_request_seconds',
  help: 'Time to the answer, by route and status',
  labelNames: ['route', 'status'] as const,
  buckets: SECONDS_OF_REQUESTS,
  registers,
})

/** Number of ended attempts of jobs. A failed attempt after which the job is retried has the outcome 'retried'. */
export const jobsEnded = new Counter({
  name: 'lectern_jobs_ended_total',
  help: 'Attempts of jobs that ended in this process, by kind and outcome',
  labelNames: ['kind', 'outcome'] as const,
  registers,
})
// All series begin at 0: Prometheus sees no increase in a series that begins with its first failure.
for (const kind of JOB_KINDS)
  for (const outcome of ['completed', 'failed', 'cancelled', 'retried']) jobsEnded.inc({ kind, outcome }, 0)

/** Duration of the attempts of jobs in seconds, successful or not. */
export const jobSeconds = new Histogram({
  name: 'lectern_job_seconds',
  help: 'Duration of the attempts of jobs, by kind',
  labelNames: ['kind'] as const,
  buckets: SECONDS_OF_WORK,
  registers,
})

const CALL = ['provider', 'model', 'purpose'] as const
/**
 * Number of calls of models. `provider` is 'built-in' or the host of the provider. `outcome` is 'ok' or the code of an error.
 */
export const aiCalls = new Counter({
  name: 'lectern_ai_calls_total',
  help: 'Calls of models, by provider, model, purpose and outcome',
  labelNames: [...CALL, 'outcome'] as const,
  registers,
})
/** Number of tokens in the requests to models ('in') and in their answers ('out'). */
export const aiTokens = new Counter({
  name: 'lectern_ai_tokens_total',
  help: 'Tokens of the calls of models, by direction (in, out)',
  labelNames: [...CALL, 'direction'] as const,
  registers,
})
/** Cost of the calls of models in US dollars, at the prices of this installation. */
export const aiDollars = new Counter({
  name: 'lectern_ai_cost_dollars_total',
  help: 'Cost of the calls of models in US dollars',
  labelNames: CALL,
  registers,
})
/** Duration of the calls of models in seconds, until the end of the answer. */
export const aiSeconds = new Histogram({
  name: 'lectern_ai_call_seconds',
  help: 'Duration of the calls of models to the end of the answer',
  labelNames: CALL,
  buckets: SECONDS_OF_WORK,
  registers,
})

/** Number of attempts to send an e-mail. A failed attempt is repeated for a day. */
export const mailTries = new Counter({
  name: 'lectern_mail_tries_total',
  help: 'Tries to send an e-mail, by outcome (sent, failed)',
  labelNames: ['outcome'] as const,
  registers,
})

/** Number of reads of feeds, by outcome. */
export const feedReads = new Counter({
  name: 'lectern_feed_reads_total',
  help: 'Reads of feeds, by outcome (changed, unchanged, failed)',
  labelNames: ['outcome'] as const,
  registers,
})

/** Number of failed operations of the file storage. A missing file does not count as a failure. */
export const storageErrors = new Counter({
  name: 'lectern_storage_errors_total',
  help: 'Operations of the file storage that failed, by reason (failed, full)',
  labelNames: ['reason'] as const,
  registers,
})

/** Number of refused sign-ins, by reason. */
export const signInFailures = new Counter({
  name: 'lectern_sign_in_failures_total',
  help: 'Refused sign-ins, by reason (password, code, provider, too_many)',
  labelNames: ['reason'] as const,
  registers,
})
for (const outcome of ['sent', 'failed']) mailTries.inc({ outcome }, 0)
for (const outcome of ['changed', 'unchanged', 'failed']) feedReads.inc({ outcome }, 0)
for (const reason of ['failed', 'full']) storageErrors.inc({ reason }, 0)
for (const reason of ['password', 'code', 'provider', 'too_many']) signInFailures.inc({ reason }, 0)

/** Number of connections of the database pool, by state. They are counted when the metrics are read. */
export const poolConnections = new Gauge({
  name: 'lectern_database_connections',
  help: 'Connections of this process to the database: open, idle, and requests that wait for one',
  labelNames: ['state'] as const,
  registers,
})

/**
 * The request bodies that this process is receiving: the bytes of the bodies in memory, and the number of files that are being
 * written to disk.
 */
export const sentAtOnce = new Gauge({
  name: 'lectern_sent_at_once',
  help: 'Request bodies under way: bytes of those in memory, number of files being written to disk',
  labelNames: ['kind'] as const,
  registers,
})
