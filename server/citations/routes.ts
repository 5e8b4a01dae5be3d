import { jsonBody, one, refusals } from '#server/http/respond.ts'
import { defineRoute } from '#server/http/define-route.ts'
import { actorOf, createRouter } from '#server/http/router.ts'
import { citationInput, citations, citationStyles } from '#shared/contract/citations.ts'
import { citeDocuments, getStyles } from './service.ts'

export const routes = createRouter()
const tags = ['Citations']

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/citation-styles',
    access: { role: 'user', body: 'none', limit: 'none' },
    tags,
    summary: 'List the citation styles, usual ones first, and the languages of citations',
    responses: {
      200: { description: 'The styles', content: { 'application/json': { schema: citationStyles } } },
      ...refusals,
    },
  }),
  async (c) => c.json(await getStyles(), 200),
)

routes.openapi(
  defineRoute({
    method: 'post',
    path: '/citations',
    access: { role: 'read', body: 'json', limit: 'none' },
    tags,
    summary: 'Cite documents in a style of the Citation Style Language',
    request: jsonBody(citationInput),
    responses: { 200: one(citations, 'The citation and the bibliography'), ...refusals },
  }),
  async (c) => c.json({ data: await citeDocuments(actorOf(c), c.req.valid('json')) }, 200),
)
