import { createRoute, z } from '@hono/zod-openapi'
import { idOf, jsonBody, one, refusals } from '#server/lib/respond.ts'
import { actorOf, createRouter } from '#server/lib/router.ts'
import { apiError } from '#shared/errors.ts'
import { job } from '#shared/jobs.ts'
import { startAnalysis } from './service.ts'

export const routes = createRouter()

const input = z.object({
  prompt_id: z.uuid().nullish().describe('a prompt of the library; without it the default one'),
})

routes.openapi(
  createRoute({
    method: 'post',
    path: '/documents/{id}/analyze',
    tags: ['Documents'],
    request: { ...idOf('Document'), ...jsonBody(input) },
    responses: {
      202: one(job, 'The job that analyses the document'),
      ...refusals,
      409: {
        description: 'The document is being analysed already',
        content: { 'application/json': { schema: apiError } },
      },
    },
  }),
  async (c) =>
    c.json(
      { data: await startAnalysis(actorOf(c), c.req.valid('param').id, { promptId: c.req.valid('json').prompt_id }) },
      202,
    ),
)
