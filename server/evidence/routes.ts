import { defineRoute } from '#server/http/define-route.ts'
import { pageQuery, sliceOf } from '#server/http/list-page.ts'
import { idOf, jsonBody, many, one, refusals } from '#server/http/respond.ts'
import { actorOf, createRouter } from '#server/http/router.ts'
import { z } from '@hono/zod-openapi'
import { storedEvidence } from '#shared/contract/conversations.ts'
import { chosenPlace, LOST_PAGE_SIZE, lostEvidence, similarPlace } from '#shared/contract/evidence.ts'
import { choosePlace, listLostEvidence, listSimilarPlaces } from './lost-evidence.ts'

export const routes = createRouter()
const tags = ['Evidence']
const lostQuery = z.object({
  ...pageQuery,
  document_id: z.uuid('Document not found').optional().describe('only the evidence in this document'),
})

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/projects/{id}/lost-evidence',
    access: { role: 'read', body: 'none', limit: 'none', scope: 'read' },
    tags,
    summary: 'List the quotes that the newest texts of the papers do not contain',
    request: { ...idOf('Project'), query: lostQuery },
    responses: { 200: many(lostEvidence, 'The lost evidence, newest first, 20 a page'), ...refusals },
  }),
  async (c) => {
    const { page = 1, limit = LOST_PAGE_SIZE, document_id: documentId } = c.req.valid('query')
    const of = { projectId: c.req.valid('param').id, documentId }
    return c.json(await listLostEvidence(actorOf(c), of, sliceOf({ page, limit })), 200)
  },
)

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/evidence/{id}/places',
    access: { role: 'read', body: 'none', limit: 'none', scope: 'read' },
    tags,
    summary: 'List the passages of the newest text that resemble evidence',
    request: idOf('Evidence'),
    responses: { 200: many(similarPlace, 'At most five passages, most similar first'), ...refusals },
  }),
  async (c) => {
    const data = await listSimilarPlaces(actorOf(c), c.req.valid('param').id, c.req.raw.signal)
    return c.json({ data, count: data.length }, 200)
  },
)

routes.openapi(
  defineRoute({
    method: 'put',
    path: '/evidence/{id}/place',
    access: { role: 'ask', body: 'json', limit: 'none', scope: 'ask' },
    tags,
    summary: 'Choose the words of the newest text for evidence',
    request: { ...idOf('Evidence'), ...jsonBody(chosenPlace) },
    responses: { 200: one(storedEvidence, 'The evidence at its new place'), ...refusals },
  }),
  async (c) => {
    const { id } = c.req.valid('param')
    return c.json({ data: await choosePlace(actorOf(c), id, c.req.valid('json'), c.req.raw.signal) }, 200)
  },
)
