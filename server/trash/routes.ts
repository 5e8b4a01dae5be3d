import { z } from '@hono/zod-openapi'
import { idOf, jsonBody, one, refusals } from '#server/http/respond.ts'
import { defineRoute } from '#server/http/define-route.ts'
import { actorOf, createRouter } from '#server/http/router.ts'
import { bulkCount, documentIds, documentsRestoreQuery } from '#shared/contract/bulk-documents.ts'
import { documentRow } from '#shared/contract/documents.ts'
import { project } from '#shared/contract/projects.ts'
import { trash, trashQuery, trashRemovalQuery } from '#shared/contract/trash.ts'
import { emptyTrash, removeDocumentForGood, removeProjectForGood } from './remove.ts'
import { listTrash, restoreDocument, restoreDocuments, restoreDocumentsOf, restoreProject } from './service.ts'

/** Routes of the trash. Deleted documents and projects can be restored for thirty days. */
export const routes = createRouter()
const tags = ['Recently deleted']
const removedItem = z.object({ id: z.string() })

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/trash',
    access: { role: 'user', body: 'none', limit: 'none', scope: 'read' },
    tags,
    request: { query: trashQuery },
    responses: { 200: one(trash, 'The items deleted in the last thirty days, newest first'), ...refusals },
  }),
  async (c) => c.json({ data: await listTrash(actorOf(c), c.req.valid('query').limit) }, 200),
)

routes.openapi(
  defineRoute({
    method: 'post',
    path: '/documents/restore',
    access: { role: 'edit', body: 'json', limit: 'none', scope: 'write' },
    tags,
    summary: 'Restore several deleted documents at once',
    request: jsonBody(documentIds),
    responses: {
      200: one(bulkCount, 'The number of restored documents and the ids that were skipped'),
      ...refusals,
    },
  }),
  async (c) => c.json({ data: await restoreDocuments(actorOf(c), c.req.valid('json').document_ids) }, 200),
)

routes.openapi(
  defineRoute({
    method: 'post',
    path: '/documents/{id}/restore',
    access: { role: 'edit', body: 'none', limit: 'none', scope: 'write' },
    tags,
    request: idOf('Document'),
    responses: { 200: one(documentRow, 'The restored document'), ...refusals },
  }),
  async (c) => c.json({ data: await restoreDocument(actorOf(c), c.req.valid('param').id) }, 200),
)

routes.openapi(
  defineRoute({
    method: 'post',
    path: '/projects/{id}/restore',
    access: { role: 'manage', body: 'none', limit: 'none', scope: 'none' },
    tags,
    request: idOf('Project'),
    responses: { 200: one(project, 'The restored project, with the documents that were deleted with it'), ...refusals },
  }),
  async (c) => c.json({ data: await restoreProject(actorOf(c), c.req.valid('param').id) }, 200),
)

routes.openapi(
  defineRoute({
    method: 'post',
    path: '/projects/{id}/documents/restore',
    access: { role: 'edit', body: 'none', limit: 'none', scope: 'write' },
    tags,
    request: { ...idOf('Project'), query: documentsRestoreQuery },
    responses: { 200: one(z.object({ count: z.number().int() }), 'The number of restored documents'), ...refusals },
  }),
  async (c) =>
    c.json({ data: await restoreDocumentsOf(actorOf(c), c.req.valid('param').id, c.req.valid('query').since) }, 200),
)

routes.openapi(
  defineRoute({
    method: 'delete',
    path: '/trash/documents/{id}',
    access: { role: 'edit', body: 'none', limit: 'none', scope: 'none' },
    tags,
    request: idOf('Document'),
    responses: { 200: one(removedItem, 'The id of the permanently deleted document'), ...refusals },
  }),
  async (c) => {
    const { id } = c.req.valid('param')
    await removeDocumentForGood(actorOf(c), id)
    return c.json({ data: { id } }, 200)
  },
)

routes.openapi(
  defineRoute({
    method: 'delete',
    path: '/trash/projects/{id}',
    access: { role: 'manage', body: 'none', limit: 'none', scope: 'none' },
    tags,
    request: idOf('Project'),
    responses: { 200: one(removedItem, 'The id of the project, permanently deleted with its documents'), ...refusals },
  }),
  async (c) => {
    const { id } = c.req.valid('param')
    await removeProjectForGood(actorOf(c), id)
    return c.json({ data: { id } }, 200)
  },
)

routes.openapi(
  defineRoute({
    method: 'delete',
    path: '/trash',
    access: { role: 'user', body: 'none', limit: 'none', scope: 'none' },
    tags,
    request: { query: trashRemovalQuery },
    responses: { 200: one(z.object({ empty: z.literal(true) }), 'The items are permanently deleted'), ...refusals },
  }),
  async (c) => {
    await emptyTrash(actorOf(c), c.req.valid('query').before)
    return c.json({ data: { empty: true as const } }, 200)
  },
)
