import { idOf, jsonBody, one, refusals } from '#server/http/respond.ts'
import { defineRoute } from '#server/http/define-route.ts'
import { actorOf, createRouter } from '#server/http/router.ts'
import {
  bulkCount,
  documentIds,
  documentsDeleted,
  documentsMove,
  documentsMoved,
  tagsChange,
} from '#shared/contract/bulk-documents.ts'
import { documentsTags } from '#shared/contract/documents-tags.ts'
import { changeTagsOfDocuments } from './change-tags.ts'
import { deleteDocuments, deleteDocumentsOf } from './delete-documents.ts'
import { moveDocuments } from './project-documents.ts'

/** Routes that move, delete and tag several documents at once. */
export const routes = createRouter()
const tags = ['Documents']

routes.openapi(
  defineRoute({
    method: 'post',
    path: '/documents/reassign',
    access: { role: 'edit', body: 'json', limit: 'none', scope: 'write' },
    tags,
    request: jsonBody(documentsMove),
    responses: {
      200: one(documentsMoved, 'The number of moved documents: all of the project without `limit`'),
      ...refusals,
    },
  }),
  async (c) => c.json({ data: await moveDocuments(actorOf(c), c.req.valid('json')) }, 200),
)

routes.openapi(
  defineRoute({
    method: 'post',
    path: '/documents/delete',
    access: { role: 'edit', body: 'json', limit: 'none', scope: 'write' },
    tags,
    summary: 'Delete several documents at once',
    request: jsonBody(documentIds),
    responses: {
      200: one(bulkCount, 'The number of deleted documents, and the ids that were skipped'),
      ...refusals,
    },
  }),
  async (c) => c.json({ data: await deleteDocuments(actorOf(c), c.req.valid('json').document_ids) }, 200),
)

routes.openapi(
  defineRoute({
    method: 'post',
    path: '/documents/tags',
    access: { role: 'edit', body: 'json', limit: 'none', scope: 'write' },
    tags,
    summary: 'Add tags to several documents and remove tags from them',
    request: jsonBody(documentsTags),
    responses: {
      200: one(tagsChange, 'The number of changed documents, and the ids that were skipped or not changed'),
      ...refusals,
    },
  }),
  async (c) => c.json({ data: await changeTagsOfDocuments(actorOf(c), c.req.valid('json')) }, 200),
)

routes.openapi(
  defineRoute({
    method: 'delete',
    path: '/projects/{id}/documents',
    access: { role: 'edit', body: 'none', limit: 'none', scope: 'write' },
    tags,
    request: idOf('Project'),
    responses: {
      200: one(documentsDeleted, 'The number of deleted documents: all of the project, and the time of the deletion'),
      ...refusals,
    },
  }),
  async (c) => c.json({ data: await deleteDocumentsOf(actorOf(c), c.req.valid('param').id) }, 200),
)
