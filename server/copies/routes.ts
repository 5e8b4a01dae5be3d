import { jsonBody, one, refusals } from '#server/http/respond.ts'
import { defineRoute } from '#server/http/define-route.ts'
import { actorOf, createRouter } from '#server/http/router.ts'
import { copyCount, documentsCopy } from '#shared/contract/bulk-documents.ts'
import { copyDocuments } from './service.ts'

export const routes = createRouter()

routes.openapi(
  defineRoute({
    method: 'post',
    path: '/documents/copy',
    access: { role: 'edit', body: 'json', limit: 'none', scope: 'write' },
    tags: ['Documents'],
    summary: 'Copy documents to another project',
    request: jsonBody(documentsCopy),
    responses: { 200: one(copyCount, 'The number of copied documents, and the ids that were not copied'), ...refusals },
  }),
  async (c) => c.json({ data: await copyDocuments(actorOf(c), c.req.valid('json')) }, 200),
)
