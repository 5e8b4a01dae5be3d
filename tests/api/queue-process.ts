/**
 * This program is a server with the real database, job queue, event stream and job routes. Its job handlers do what the input
 * of a job says, because real papers cannot cause all failures reliably. The request header `x-user` contains the id of the
 * caller.
 */
import { randomBytes } from 'node:crypto'
import { serve } from '@hono/node-server'
import { sql } from 'drizzle-orm'
import { asActor, asSystem, openDatabase, type Tx } from '#server/db/client.ts'
import { migrateDatabase } from '#server/db/migrate.ts'
import { routes } from '#server/jobs/routes.ts'
import { asAppError, errorInit } from '#server/http/error-response.ts'
import { AppError, type ErrorCode } from '#server/lib/errors.ts'
import { publish, startEvents, stopEvents } from '#server/events/events.ts'
import { currentRequest, inRequest } from '#server/lib/request-context.ts'
import { enqueue, startJobs, stopJobs, registerWorker } from '#server/queue/queue.ts'
import { type AppContext, createRouter } from '#server/http/router.ts'
import { JOB_KINDS, type JobKind, type LiveEvent } from '#shared/contract/jobs.ts'

/**
 * The input of a job: what its handler does. The handler kills the process, reports steps, throws an error, or continues as
 * another job, in this order.
 */
export interface Script {
  /** `steps`: the number of steps to report. `stepMs`: the duration of each step in ms. */
  steps?: number
  stepMs?: number
  /** Kills the process in each attempt up to this number. */
  killUpTo?: number
  /** Kills the process in this attempt. */
  killIn?: number
  /** Throws an error in each attempt up to this number. */
  failUpTo?: number
  code?: ErrorCode | 'unforeseen'
  retryAfter?: number
  /** Ignores the abort signal that a cancellation or the time limit sends. */
  deaf?: boolean
  /** The kind of the job as which the handler continues. */
  continueAs?: JobKind
  /** Kills the process the first time that it handles the cancellation of the job. */
  killAtCancel?: boolean
  /** The request that queues the job has an API key. */
  withKey?: boolean
}

const database = await openDatabase()
await migrateDatabase()
await startEvents()
await startJobs()
/** Statistics of the jobs in this process, which the tests request. `runs`: the number of attempts by job id. */
const seen = {
  runs: {} as Record<string, number>,
  failed: [] as { id: string; error: string; cancelled: boolean; key?: string }[],
  /** Ids of the jobs whose handler has returned or thrown an error. */
  ended: [] as string[],
  /** The highest number of handlers that ran in parallel, by kind of job. */
  most: {} as Partial<Record<JobKind, number>>,
}
const inParallel: Partial<Record<JobKind, number>> = {}

const pause = (ms: number, signal?: AbortSignal) =>
  new Promise<void>((done, fail) => {
    const timer = setTimeout(done, ms)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      fail(signal.reason as Error)
    })
  })

for (const kind of JOB_KINDS)
  registerWorker<Script>(
    kind,
    async ({ job, input, signal, report, assertStillRunning, continueAs }) => {
      const attempt = (seen.runs[job.id] = (seen.runs[job.id] ?? 0) + 1)
      const parallel = (inParallel[kind] = (inParallel[kind] ?? 0) + 1)
      seen.most[kind] = Math.max(seen.most[kind] ?? 0, parallel)
      try {
        const stored = await asSystem((tx) =>
          tx.execute<{ attempt: number }>(sql`select attempt from jobs where id = ${job.id}`),
        )
        const number = stored.rows[0]!.attempt
        if (number <= (input.killUpTo ?? 0) || number === input.killIn) process.kill(process.pid, 'SIGKILL')
        for (let step = 1; step <= (input.steps ?? 0); step++) {
          report((100 * step) / input.steps!, `Step ${step} of ${input.steps}`)
          await pause(input.stepMs ?? 10, input.deaf ? undefined : signal)
        }
        if (attempt <= (input.failUpTo ?? 0)) {
          if (input.code === 'unforeseen') throw new TypeError('secret detail')
          throw new AppError(input.code ?? 'outside_failed', 'The model did not answer.', {
            retryAfter: input.retryAfter,
          })
        }
        if (input.continueAs) continueAs(input.continueAs, {})
        await asSystem((tx) => assertStillRunning(tx))
        return { attempt }
      } finally {
        inParallel[kind] = (inParallel[kind] ?? 1) - 1
        seen.ended.push(job.id)
      }
    },
    {
      concurrency: kind === 'analyze' ? 4 : 1,
      timeLimitSeconds: kind === 'ocr' ? 1 : 60,
      onFailed: async ({ job, input, error, cancelled }) => {
        if (input.killAtCancel) {
          const { rowCount } = await asSystem((tx) =>
            tx.execute(
              sql`update documents set status_message = 'killed' where id = ${job.document_id} and status_message is null`,
            ),
          )
          if (rowCount === 1) process.kill(process.pid, 'SIGKILL')
        }
        const key = currentRequest()?.key
        seen.failed.push({ id: job.id, error, cancelled, ...(key === undefined ? {} : { key }) })
        // The handlers of the server also use a separate transaction.
        await asSystem((tx) =>
          tx.execute(
            sql`update documents set status = ${cancelled ? 'pending' : 'error'} where id = ${job.document_id}`,
          ),
        )
      },
    },
  )

const app = createRouter()
app.onError((error, context) => {
  const known = asAppError(error, context as AppContext)
  return Response.json({ error: { code: known.code, message: known.message } }, errorInit(known))
})
app.use('*', async (context, next) => {
  const userId = context.req.header('x-user')
  context.set('actor', userId ? { userId, isAdmin: false } : null)
  await next()
})
app.route('/api', routes)
app.post('/test/user', async (context) => {
  const { id, document } = await context.req.json<{ id: string; document?: boolean }>()
  const row = await asSystem(async (tx) => {
    await tx.execute(
      sql`insert into "user" (id, name, email) values (${id}, ${id}, ${`${id}@example.org`}) on conflict do nothing`,
    )
    if (!document) return null
    return tx.execute<{ id: string }>(
      sql`insert into documents (created_by, filename) values (${id}, 'a.pdf') returning id`,
    )
  })
  return context.json({ document: row?.rows[0]!.id ?? null })
})
/** Inserts an API key of a user and returns its id. */
const newKeyOf = (userId: string) =>
  asSystem(async (tx) => {
    const values = sql`(${userId}, 'Key', ${`lct_${randomBytes(4).toString('hex')}`}, '', '{read}', true)`
    const { rows } = await tx.execute<{ id: string }>(
      sql`insert into api_keys (user_id, name, prefix, hash, scopes, all_projects) values ${values} returning id`,
    )
    return rows[0]!.id
  })
app.post('/test/job', async (context) => {
  const { kind, input, document, rollback } = await context.req.json<{
    kind: JobKind
    input: Script
    document?: string
    rollback?: boolean
  }>()
  const actor = context.get('actor')!
  const key = input.withKey ? await newKeyOf(actor.userId) : undefined
  const queue = async (tx: Tx) => {
    const job = await enqueue(tx, {
      kind,
      ownerId: actor.userId,
      documentId: document ?? null,
      projectId: null,
      input: { ...input },
    })
    // `enqueue` restores the role of row-level security, so rows of other users are hidden.
    const others = await tx.execute(sql`select 1 from jobs where created_by <> ${actor.userId}`)
    if (others.rows.length > 0) throw new Error('The transaction kept the role of the owner.')
    if (rollback) throw new AppError('refused', 'Rolled back.')
    return job
  }
  const data = await inRequest(key === undefined ? {} : { key }, () => asActor(actor, queue))
  return context.json({ data, key })
})
app.post('/test/event', async (context) => {
  const { events, holdMs } = await context.req.json<{ events: LiveEvent[]; holdMs?: number }>()
  const actor = context.get('actor')!
  await asActor(actor, async (tx) => {
    for (const event of events) await publish(tx, actor, event)
    if (holdMs) await pause(holdMs)
  })
  return context.json({ data: null })
})
app.post('/test/drop-connections', async (context) => {
  await database.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'listen%' and pid <> pg_backend_pid()`,
  )
  return context.json({ data: null })
})
app.get('/test/seen', (context) => context.json(seen))
app.get('/test/rows', async (context) => {
  const { rows } = await asSystem((tx) =>
    tx.execute(sql`select (select count(*)::int from pgboss.job where state < 'completed' and name not like '\\_\\_%') as waiting,
      (select json_object_agg(id, status) from documents) as documents`),
  )
  return context.json(rows[0]!)
})

const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: Number(process.env['PORT']) }, () =>
  process.stdout.write('ready\n'),
)
async function stop() {
  await stopEvents()
  await stopJobs()
  server.close()
  await database.close()
  process.exit(0)
}
process.once('SIGTERM', () => void stop())
