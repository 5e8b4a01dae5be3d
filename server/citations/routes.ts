import { z } from '@hono/zod-openapi'
import { idOf, jsonBody, many, one, refusal, refusals } from '#server/http/respond.ts'
import { defineRoute } from '#server/http/define-route.ts'
import { actorOf, createRouter } from '#server/http/router.ts'
import {
  addedStyle,
  addedStyleInput,
  citationInput,
  citationPreviewInput,
  citations,
  citationStyles,
} from '#shared/contract/citations.ts'
import { addStyle, listAddedStyles, removeStyle } from './admin-service.ts'
import { citeDocuments, citeReference, getStyles } from './service.ts'

export const routes = createRouter()
const tags = ['Citations']

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/citation-styles',
    access: { role: 'user', body: 'none', limit: 'none', scope: 'read' },
    tags,
    summary: 'List the citation styles, usual ones first, and the languages of citations',
    responses: {
      200: { description: 'The styles', content: { 'application/json': { schema: citationStyles } } },
      ...refusals,
    },
  }),
  async (c) => c.json(await getStyles(actorOf(c)), 200),
)

routes.openapi(
  defineRoute({
    method: 'post',
    path: '/citations',
    access: { role: 'read', body: 'json', limit: 'none', scope: 'read' },
    tags,
    summary: 'Cite documents in a style of the Citation Style Language',
    request: jsonBody(citationInput),
    responses: { 200: one(citations, 'The citation and the bibliography'), ...refusals },
  }),
  async (c) => c.json({ data: await citeDocuments(actorOf(c), c.req.valid('json')) }, 200),
)

routes.openapi(
  defineRoute({
    method: 'post',
    path: '/citations/preview',
    access: { role: 'user', body: 'json', maxBytes: 256 * 1024, limit: 'none', scope: 'read' },
    tags,
    summary: 'Cite a reference that is not stored',
    request: jsonBody(citationPreviewInput),
    responses: { 200: one(citations, 'The citation and the bibliography as HTML'), ...refusals },
  }),
  async (c) => c.json({ data: await citeReference(actorOf(c), c.req.valid('json')) }, 200),
)

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/admin/citation-styles',
    access: { role: 'admin', body: 'none', limit: 'none', scope: 'none' },
    tags,
    summary: 'List the citation styles that admins added, newest first',
    responses: { 200: many(addedStyle, 'The styles'), ...refusals },
  }),
  async (c) => {
    const data = await listAddedStyles(actorOf(c))
    return c.json({ data, count: data.length }, 200)
  },
)

routes.openapi(
  defineRoute({
    method: 'post',
    path: '/admin/citation-styles',
    access: { role: 'admin', body: 'json', limit: 'none', scope: 'none' },
    tags,
    summary: 'Add a citation style for all users',
    request: jsonBody(addedStyleInput),
    responses: {
      201: one(addedStyle, 'The new style'),
      409: refusal('There is a style with the same id'),
      413: refusal('The file is larger than 500 kB'),
      ...refusals,
    },
  }),
  async (c) => c.json({ data: await addStyle(actorOf(c), c.req.valid('json').xml) }, 201),
)

routes.openapi(
  defineRoute({
    method: 'delete',
    path: '/admin/citation-styles/{id}',
    access: { role: 'admin', body: 'none', limit: 'none', scope: 'none' },
    tags,
    summary: 'Delete a citation style that an admin added',
    request: idOf('Citation style'),
    responses: {
      200: one(z.object({ id: z.string() }), 'The id of the deleted style'),
      409: refusal('Another style depends on it'),
      ...refusals,
    },
  }),
  async (c) => {
    const { id } = c.req.valid('param')
    await removeStyle(actorOf(c), id)
    return c.json({ data: { id } }, 200)
  },
)
