import { z } from '@hono/zod-openapi'
import { jsonBody, many, one, refusal, refusals } from '#server/http/respond.ts'
import { defineRoute, NOT_ADMIN } from '#server/http/define-route.ts'
import { actorOf, createRouter } from '#server/http/router.ts'
import { journalOption } from '#shared/contract/journals.ts'
import { newJournal } from '#shared/contract/new-journal.ts'
import { adminRoutes } from './admin-routes.ts'
import { exclusionRoutes } from './exclusion-routes.ts'
import { importRoutes } from './import-routes.ts'
import { addJournal, addJournalFeed, listJournals } from './service.ts'

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
    access: { role: 'user', body: 'json', limit: 'none', scope: 'write' },
    tags: ['Journals'],
    summary: 'Add a journal by its name, or as an admin with its feed',
    request: jsonBody(newJournal),
    responses: {
      200: one(journalOption, 'The journal with this name, which was there already'),
      201: one(journalOption, 'The new journal, or the journal with its new feed'),
      403: refusal(NOT_ADMIN),
      409: refusal('The feed belongs to another journal'),
      429: refusal('Too many new journals within 24 hours; see Retry-After'),
      502: refusal('The address cannot be read'),
      ...refusals,
    },
  }),
  async (c) => {
    const { name, url } = c.req.valid('json')
    if (url !== undefined) return c.json({ data: await addJournalFeed(actorOf(c), { name, url }) }, 201)
    const { journal, created } = await addJournal(actorOf(c), name)
    return created ? c.json({ data: journal }, 201) : c.json({ data: journal }, 200)
  },
)
