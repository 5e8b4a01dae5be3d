import { createRoute } from '@hono/zod-openapi'
import { jsonBody, one, refusals } from '#server/lib/respond.ts'
import { actorOf, createRouter } from '#server/lib/router.ts'
import { job } from '#shared/jobs.ts'
import { processInput } from '#shared/processing.ts'
import { startProcessing } from './service.ts'

export const routes = createRouter()

routes.openapi(
  createRoute({
    method: 'post',
    path: '/documents/process',
    tags: ['Documents'],
    summary: 'Extract, analyse or vectorise several documents as one job',
    request: jsonBody(processInput),
    responses: {
      202: one(
        job,
        'The job. It says how many documents are through; its result lists those that failed, and why. One that fails does not stop the others, and steps that are done are skipped unless forced',
      ),
      ...refusals,
    },
  }),
  async (c) => c.json({ data: await startProcessing(actorOf(c), c.req.valid('json')) }, 202),
)
