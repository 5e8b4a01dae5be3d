import { z } from '@hono/zod-openapi'
import { idOf, jsonBody, many, one, refusal, refusals } from '#server/http/respond.ts'
import { defineRoute } from '#server/http/define-route.ts'
import { actorOf, createRouter } from '#server/http/router.ts'
import { job } from '#shared/contract/jobs.ts'
import {
  addedRecommendation,
  recommendation,
  recommendationChange,
  recommendationsInput,
  recommendationsQuery,
} from '#shared/contract/recommendations.ts'
import {
  addRecommendation,
  changeRecommendation,
  listRecommendations,
  saveRecommendations,
  startResearch,
} from './service.ts'

export const routes = createRouter()
const tags = ['Recommendations']
const ofProject = z.object({ project_id: z.uuid('Project not found') })

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/recommendations',
    access: { role: 'read', body: 'none', limit: 'none', scope: 'read' },
    tags,
    summary: 'List the papers that are recommended to a project',
    request: { query: recommendationsQuery },
    responses: { 200: many(recommendation, 'The newest search first, and its best paper first'), ...refusals },
  }),
  async (c) => c.json(await listRecommendations(actorOf(c), c.req.valid('query')), 200),
)

routes.openapi(
  defineRoute({
    method: 'post',
    path: '/recommendations',
    access: { role: 'edit', body: 'json', limit: 'none', scope: 'write' },
    tags,
    summary: 'Store papers as pending recommendations, for example those of research-agent',
    request: jsonBody(recommendationsInput),
    responses: {
      201: many(
        recommendation,
        'The new recommendations; papers that the project has, or that were recommended before, are left out',
      ),
      ...refusals,
    },
  }),
  async (c) => {
    const { project_id, papers } = c.req.valid('json')
    const data = await saveRecommendations(actorOf(c), project_id, papers)
    return c.json({ data, count: data.length }, 201)
  },
)

routes.openapi(
  defineRoute({
    method: 'post',
    path: '/recommendations/generate',
    access: { role: 'edit', body: 'json', limit: 'ai', scope: 'ask write' },
    tags,
    summary: 'Search for papers that answer the research question of a project',
    request: jsonBody(ofProject),
    responses: {
      202: one(job, 'The job; its result has the number of new papers and of works found'),
      ...refusals,
    },
  }),
  async (c) => c.json({ data: await startResearch(actorOf(c), c.req.valid('json').project_id) }, 202),
)

routes.openapi(
  defineRoute({
    method: 'patch',
    path: '/recommendations/{id}',
    access: { role: 'edit', body: 'json', limit: 'none', scope: 'write' },
    tags,
    summary: 'Dismiss a recommendation or restore it',
    request: { ...idOf('Recommendation'), ...jsonBody(recommendationChange) },
    responses: { 200: one(recommendation, 'The updated recommendation'), ...refusals },
  }),
  async (c) => {
    const { id } = c.req.valid('param')
    return c.json({ data: await changeRecommendation(actorOf(c), id, c.req.valid('json')) }, 200)
  },
)

routes.openapi(
  defineRoute({
    method: 'post',
    path: '/recommendations/{id}/document',
    access: { role: 'edit', body: 'none', limit: 'upload', scope: 'write' },
    tags,
    summary: 'Add a recommended paper to its project and search for its open-access PDF in the background',
    request: idOf('Recommendation'),
    responses: {
      200: one(addedRecommendation, 'The existing document of this paper'),
      201: one(addedRecommendation, 'The new document'),
      409: refusal('The same paper is being added already'),
      ...refusals,
    },
  }),
  async (c) => {
    const added = await addRecommendation(actorOf(c), c.req.valid('param').id)
    return added.created ? c.json({ data: added }, 201) : c.json({ data: added }, 200)
  },
)
