import { z } from '@hono/zod-openapi'
import { readActor } from '#server/auth/index.ts'
import { findStart } from '#server/events/events.ts'
import { cancel } from '#server/queue/queue.ts'
import { idOf, many, one, refusal, refusals } from '#server/http/respond.ts'
import { defineRoute } from '#server/http/define-route.ts'
import { actorOf, createRouter } from '#server/http/router.ts'
import { STREAM_HEADERS } from '#server/http/stream-body.ts'
import { jobKind, listedJob, MOST_PAST_MS } from '#shared/contract/jobs.ts'
import { eventStream } from './event-stream.ts'
import { getJob, listJobs } from './service.ts'

export const routes = createRouter()
const tags = ['Jobs']

const jobsQuery = z.object({
  document_id: z.uuid().optional(),
  project_id: z.uuid().optional(),
  active: z.literal('true').optional().describe('only queued and running jobs, the running ones first'),
  kind: jobKind.optional(),
  page: z.coerce.number().int().min(1).max(100_000).default(1),
  limit: z.coerce.number().int().min(1).max(200).default(50),
})

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/jobs',
    access: { role: 'user', body: 'none', limit: 'none', scope: 'read' },
    tags,
    request: { query: jobsQuery },
    responses: { 200: many(listedJob, 'The jobs, newest first; finished jobs are stored for a week'), ...refusals },
  }),
  async (c) => {
    const { page, limit, ...filter } = c.req.valid('query')
    return c.json(await listJobs(actorOf(c), filter, page, limit), 200)
  },
)

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/jobs/{id}',
    access: { role: 'read', body: 'none', limit: 'none', scope: 'read' },
    tags,
    request: idOf('Job'),
    responses: { 200: one(listedJob, 'The job'), ...refusals },
  }),
  async (c) => c.json({ data: await getJob(actorOf(c), c.req.valid('param').id) }, 200),
)

routes.openapi(
  defineRoute({
    method: 'post',
    path: '/jobs/{id}/cancel',
    access: { role: 'owner', body: 'none', limit: 'none', scope: 'write' },
    tags,
    request: idOf('Job'),
    responses: {
      200: one(listedJob, 'The job, failed with the error Cancelled; or unchanged when it had finished before'),
      ...refusals,
    },
  }),
  async (c) => {
    const { id } = c.req.valid('param')
    // Throws for a former member, who may no longer see own jobs of the project.
    const { may } = await getJob(actorOf(c), id)
    return c.json({ data: { ...(await cancel(actorOf(c), id)), may } }, 200)
  },
)

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/events',
    access: { role: 'user', body: 'none', limit: 'none', scope: 'none' },
    tags,
    request: {
      headers: z.object({ 'last-event-id': z.string().optional().describe('the last id a broken stream received') }),
      query: z.object({
        past_ms: z.coerce
          .number()
          .int()
          .min(0)
          .max(MOST_PAST_MS)
          .optional()
          .describe('also streams the events of this time before the request'),
      }),
    },
    responses: {
      200: {
        description: 'Server-sent events job, document and project of the caller, live; at least a comment every 10 s',
        content: { 'text/event-stream': { schema: z.string() } },
      },
      ...refusals,
      429: refusal('The account has thirty open streams'),
    },
  }),
  async (c) => {
    const { headers, signal } = c.req.raw
    const bySession = headers.has('cookie') || headers.has('authorization')
    const isSignedIn = async () => !bySession || (await readActor(headers)) !== null
    // Read before the response begins: a page that refetches its data when the stream opens then receives every later event.
    const start = await findStart(c.req.valid('header')['last-event-id'], c.req.valid('query').past_ms)
    const body = eventStream(actorOf(c).userId, start, signal, isSignedIn)
    return new Response(body, { headers: STREAM_HEADERS })
  },
)
