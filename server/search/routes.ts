import { defineRoute } from '#server/http/define-route.ts'
import { z } from '@hono/zod-openapi'
import { many, refusals } from '#server/http/respond.ts'
import { actorOf, createRouter } from '#server/http/router.ts'
import { librarySearch, librarySearchQuery, notVectorizedQuery } from '#shared/contract/library-search.ts'
import { listNotSearchedByMeaning, searchLibrary } from './service.ts'

export const routes = createRouter()

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/search',
    summary: 'Search the passages or papers of several projects by words and meaning',
    access: { role: 'user', body: 'none', limit: 'none', scope: 'read' },
    tags: ['Search'],
    request: { query: librarySearchQuery },
    responses: {
      200: {
        description: 'One page of passages or papers, best first',
        content: { 'application/json': { schema: librarySearch } },
      },
      ...refusals,
    },
  }),
  async (c) => c.json(await searchLibrary(actorOf(c), c.req.valid('query'), c.req.raw.signal), 200),
)

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/search/not-vectorized',
    access: { role: 'user', body: 'none', limit: 'none', scope: 'read' },
    tags: ['Search'],
    request: { query: notVectorizedQuery },
    responses: {
      200: many(z.uuid(), 'The newest papers that are not found by meaning yet, as many as a bulk run accepts'),
      ...refusals,
    },
  }),
  async (c) => {
    const data = await listNotSearchedByMeaning(actorOf(c), c.req.valid('query'))
    return c.json({ data, count: data.length }, 200)
  },
)
