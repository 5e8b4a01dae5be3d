import { createRoute, z } from '@hono/zod-openapi'
import { many, refusals } from '#server/lib/respond.ts'
import { actorOf, createRouter } from '#server/lib/router.ts'
import { journalOption } from '#shared/journals.ts'
import { listJournals } from './service.ts'

export const routes = createRouter()

const query = z.object({
  search: z.string().trim().max(200).default(''),
  limit: z.coerce.number().int().min(1).max(500).default(100),
})

routes.openapi(
  createRoute({
    method: 'get',
    path: '/journals',
    tags: ['Journals'],
    request: { query },
    responses: { 200: many(journalOption, 'Journals by name'), ...refusals },
  }),
  async (c) => {
    const { search, limit } = c.req.valid('query')
    const data = await listJournals(actorOf(c), search, limit)
    return c.json({ data, count: data.length }, 200)
  },
)
