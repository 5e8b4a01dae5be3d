import { z } from '@hono/zod-openapi'
import { idOf, jsonBody, one, refusals } from '#server/http/respond.ts'
import { defineRoute } from '#server/http/define-route.ts'
import { actorOf, createRouter } from '#server/http/router.ts'
import { apiError } from '#shared/contract/errors.ts'
import { job } from '#shared/contract/jobs.ts'
import { startVectorizing } from './service.ts'

export const routes = createRouter()

routes.openapi(
  defineRoute({
    method: 'post',
    path: '/documents/{id}/vectorize',
    access: { role: 'edit', body: 'json', limit: 'ai', scope: 'ask write' },
    tags: ['Documents'],
    request: { ...idOf('Document'), ...jsonBody(z.object({ force: z.boolean().default(false) })) },
    responses: {
      202: one(job, 'The job that vectorizes the document'),
      ...refusals,
      409: {
        description: 'The document is already vectorized and `force` is not set',
        content: { 'application/json': { schema: apiError } },
      },
    },
  }),
  async (c) => c.json({ data: await startVectorizing(actorOf(c), c.req.valid('param').id, c.req.valid('json')) }, 202),
)
