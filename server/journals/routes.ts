import { z } from '@hono/zod-openapi'
import { jsonBody, many, one, refusal, refusals } from '#server/http/respond.ts'
import { defineRoute } from '#server/http/define-route.ts'
import { actorOf, createRouter } from '#server/http/router.ts'
import { journalFeedInput } from '#shared/contract/feeds.ts'
import { journalOption } from '#shared/contract/journals.ts'
import { adminRoutes } from './admin-routes.ts'
import { exclusionRoutes } from './exclusion-routes.ts'
import { importRoutes } from './import-routes.ts'
import { addJournalFeed, listJournals } from './service.ts'

export const routes = createRouter()
for (const part of [adminRoutes, exclusionRoutes, importRoutes]) routes.route('/', part)

const query = z.object({
  search: z.string().trim().max(200).default(''),
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  limit: z.coerce.number().int().min(1).max(500).default(100),
  has_feed: z.literal('true').optional(),
})

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/journals',
    access: { role: 'user', body: 'none', limit: 'none', scope: 'read' },
    tags: ['Journals'],
    request: { query },
    responses: { 200: many(journalOption, 'Journals by name'), ...refusals },
  }),
  async (c) => {
    const { has_feed, ...query } = c.req.valid('query')
    return c.json(await listJournals(actorOf(c), { ...query, hasFeed: has_feed === 'true' }), 200)
  },
)

routes.openapi(
  defineRoute({
    method: 'post',
    path: '/journals',
    access: { role: 'admin', body: 'json', limit: 'none', scope: 'none' },
    tags: ['Journals'],
    request: jsonBody(journalFeedInput),
    responses: {
      201: one(journalOption, 'The journal with its feed'),
      409: refusal('The feed belongs to another journal'),
      502: refusal('The address cannot be read'),
      ...refusals,
    },
  }),
  async (c) => c.json({ data: await addJournalFeed(actorOf(c), c.req.valid('json')) }, 201),
)
