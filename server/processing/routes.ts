import { idOf, jsonBody, one, refusals } from '#server/http/respond.ts'
import { defineRoute } from '#server/http/define-route.ts'
import { actorOf, createRouter } from '#server/http/router.ts'
import { job } from '#shared/contract/jobs.ts'
import { processInput, progressQuery, projectProgress } from '#shared/contract/processing.ts'
import { readProgress, startProcessing } from './service.ts'

export const routes = createRouter()

routes.openapi(
  defineRoute({
    method: 'post',
    path: '/documents/process',
    access: { role: 'edit', body: 'json', limit: 'ai', scope: 'ask write' },
    tags: ['Documents'],
    summary: 'Extract, analyze or vectorize several documents as one job',
    request: jsonBody(processInput),
    responses: {
      202: one(
        job,
        'The job. It reports the number of finished documents; its result lists the failed ones with their errors. A failure does not stop the other documents, and completed steps are skipped unless `force` is set',
      ),
      ...refusals,
    },
  }),
  async (c) => c.json({ data: await startProcessing(actorOf(c), c.req.valid('json')) }, 202),
)

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/projects/{id}/progress',
    access: { role: 'read', body: 'none', limit: 'none', scope: 'read' },
    tags: ['Projects'],
    summary:
      'Count the documents of an upload, or those added since a time, that are ready, being processed, or failed',
    request: { ...idOf('Project'), query: progressQuery },
    responses: { 200: one(projectProgress, 'The counts, and the failed documents with their errors'), ...refusals },
  }),
  async (c) => c.json({ data: await readProgress(actorOf(c), c.req.valid('param').id, c.req.valid('query')) }, 200),
)
