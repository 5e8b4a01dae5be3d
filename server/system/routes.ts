import { z } from '@hono/zod-openapi'
import { idOf, jsonBody, many, one, refusals } from '#server/http/respond.ts'
import { defineRoute } from '#server/http/define-route.ts'
import { actorOf, createRouter } from '#server/http/router.ts'
import { evaluation } from '#shared/contract/evaluations.ts'
import { feedTried } from '#shared/contract/feeds.ts'
import { job, jobKind } from '#shared/contract/jobs.ts'
import {
  FAILED_JOBS_PAGE_SIZE,
  failedJob,
  failingFeed,
  indexChange,
  systemStatus,
  vectorsChange,
} from '#shared/contract/system.ts'
import {
  changeIndex,
  changeVectors,
  deleteJob,
  listFailedJobs,
  listFailingFeeds,
  readStatus,
  retryJob,
  tryFeed,
} from './service.ts'
import { readEvaluations } from './evaluations.ts'

export const routes = createRouter()
const tags = ['Administration']

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/admin/system',
    access: { role: 'admin', body: 'none', limit: 'none', scope: 'none' },
    tags,
    responses: { 200: one(systemStatus, 'The status of the installation'), ...refusals },
  }),
  async (c) => c.json({ data: await readStatus(actorOf(c)) }, 200),
)

routes.openapi(
  defineRoute({
    method: 'put',
    path: '/admin/vectors',
    access: { role: 'admin', body: 'json', limit: 'none', scope: 'none' },
    tags,
    request: jsonBody(vectorsChange),
    responses: { 200: one(systemStatus.shape.vectors, 'The state of the renewal of vectors'), ...refusals },
  }),
  async (c) => c.json({ data: await changeVectors(actorOf(c), c.req.valid('json')) }, 200),
)

routes.openapi(
  defineRoute({
    method: 'put',
    path: '/admin/index',
    access: { role: 'admin', body: 'json', limit: 'none', scope: 'none' },
    tags,
    request: jsonBody(indexChange),
    responses: { 200: one(systemStatus.shape.index, 'The state of the index of passages'), ...refusals },
  }),
  async (c) => c.json({ data: await changeIndex(actorOf(c), c.req.valid('json')) }, 200),
)

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/admin/evaluations',
    access: { role: 'admin', body: 'none', limit: 'none', scope: 'none' },
    tags,
    responses: { 200: many(evaluation, 'The evaluated models, latest first'), ...refusals },
  }),
  async (c) => {
    const data = await readEvaluations()
    return c.json({ data, count: data.length }, 200)
  },
)

const jobsQuery = z.object({
  kind: jobKind.optional(),
  page: z.coerce.number().int().min(1).max(100_000).default(1),
  limit: z.coerce.number().int().min(1).max(200).default(FAILED_JOBS_PAGE_SIZE),
})

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/admin/failed-jobs',
    access: { role: 'admin', body: 'none', limit: 'none', scope: 'none' },
    tags,
    request: { query: jobsQuery },
    responses: {
      200: many(failedJob, 'The jobs that failed in the last seven days, without cancelled ones, latest first'),
      ...refusals,
    },
  }),
  async (c) => {
    const { kind, page, limit } = c.req.valid('query')
    return c.json(await listFailedJobs(actorOf(c), kind, page, limit), 200)
  },
)

routes.openapi(
  defineRoute({
    method: 'post',
    path: '/admin/failed-jobs/{id}/retry',
    access: { role: 'admin', body: 'none', limit: 'none', scope: 'none' },
    tags,
    request: idOf('Job'),
    responses: { 202: one(job, 'The new job of the same owner, which replaces the failed one'), ...refusals },
  }),
  async (c) => c.json({ data: await retryJob(actorOf(c), c.req.valid('param').id) }, 202),
)

routes.openapi(
  defineRoute({
    method: 'delete',
    path: '/admin/failed-jobs/{id}',
    access: { role: 'admin', body: 'none', limit: 'none', scope: 'none' },
    tags,
    request: idOf('Job'),
    responses: { 204: { description: 'The failed job is deleted' }, ...refusals },
  }),
  async (c) => {
    await deleteJob(actorOf(c), c.req.valid('param').id)
    return c.body(null, 204)
  },
)

const feedsQuery = z.object({
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  limit: z.coerce.number().int().min(1).max(500).default(100),
})

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/admin/failing-feeds',
    access: { role: 'admin', body: 'none', limit: 'none', scope: 'none' },
    tags,
    request: { query: feedsQuery },
    responses: { 200: many(failingFeed, 'Followed feeds that could not be read the last time'), ...refusals },
  }),
  async (c) => {
    const { page, limit } = c.req.valid('query')
    return c.json(await listFailingFeeds(actorOf(c), page, limit), 200)
  },
)

routes.openapi(
  defineRoute({
    method: 'post',
    path: '/admin/failing-feeds/{id}/try',
    access: { role: 'admin', body: 'none', limit: 'upload', scope: 'none' },
    tags,
    request: idOf('Feed'),
    responses: { 200: one(feedTried, 'The result of reading the feed now'), ...refusals },
  }),
  async (c) => c.json({ data: await tryFeed(actorOf(c), c.req.valid('param').id) }, 200),
)
