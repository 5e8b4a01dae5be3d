import { idOf, jsonBody, many, one, refusal, refusals } from '#server/http/respond.ts'
import { defineRoute } from '#server/http/define-route.ts'
import { actorOf, createRouter } from '#server/http/router.ts'
import { job } from '#shared/contract/jobs.ts'
import {
  zoteroConnection,
  zoteroImport,
  zoteroKey,
  zoteroOfDocument,
  zoteroSync,
  zoteroSyncPatch,
  zoteroSyncsQuery,
  zoteroTree,
  zoteroUse,
} from '#shared/contract/zotero.ts'
import { connect, disconnect, getConnection, listCollections } from './connection.ts'
import { changeSchedule, getItemOfDocument, listSyncs, startImport, takeZoteroValues } from './service.ts'

/** Routes for imports from Zotero. The Zotero key of a user is stored encrypted and never returned. */
export const routes = createRouter()
const tags = ['Zotero']
const outside = {
  ...refusals,
  429: refusal('Zotero requests a pause; Retry-After has its seconds'),
  502: refusal('Zotero failed'),
  504: refusal('Zotero was too slow'),
}

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/zotero/connection',
    access: { role: 'user', body: 'none', limit: 'none', scope: 'none' },
    tags,
    responses: { 200: one(zoteroConnection, 'The connection of the caller; null without one'), ...refusals },
  }),
  async (c) => c.json({ data: await getConnection(actorOf(c)) }, 200),
)

routes.openapi(
  defineRoute({
    method: 'put',
    path: '/zotero/connection',
    access: { role: 'user', body: 'json', limit: 'zotero', scope: 'none' },
    tags,
    summary: 'Check an API key of Zotero and store it encrypted',
    request: jsonBody(zoteroKey),
    responses: { 200: one(zoteroConnection, 'The user of the key and its libraries'), ...outside },
  }),
  async (c) => c.json({ data: await connect(actorOf(c), c.req.valid('json').key, c.req.raw.signal) }, 200),
)

routes.openapi(
  defineRoute({
    method: 'delete',
    path: '/zotero/connection',
    access: { role: 'user', body: 'none', limit: 'none', scope: 'none' },
    tags,
    summary: 'Delete the key of the caller and stop its synchronizations',
    responses: { 204: { description: 'Deleted, or there was none' }, ...refusals },
  }),
  async (c) => {
    await disconnect(actorOf(c))
    return c.body(null, 204)
  },
)

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/zotero/collections',
    access: { role: 'user', body: 'none', limit: 'zotero', scope: 'write' },
    tags,
    responses: { 200: many(zoteroTree, 'The libraries of the key with their collections and counts'), ...outside },
  }),
  async (c) => {
    const data = await listCollections(actorOf(c), c.req.raw.signal)
    return c.json({ data, count: data.length }, 200)
  },
)

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/zotero/imports',
    access: { role: 'read', body: 'none', limit: 'none', scope: 'read' },
    tags,
    request: { query: zoteroSyncsQuery },
    responses: { 200: many(zoteroSync, 'The libraries from which the project imports'), ...refusals },
  }),
  async (c) => {
    const data = await listSyncs(actorOf(c), c.req.valid('query').project_id)
    return c.json({ data, count: data.length }, 200)
  },
)

routes.openapi(
  defineRoute({
    method: 'post',
    path: '/zotero/imports',
    access: { role: 'edit', body: 'json', limit: 'zotero', scope: 'write' },
    tags,
    summary: 'Import from libraries of Zotero, now and as the schedule says',
    request: jsonBody(zoteroImport),
    responses: {
      202: one(job, 'The job; its result has the counts and the import with the records'),
      409: refusal('An import from Zotero into the project is running, or the choice of a library has changed'),
      ...refusals,
    },
  }),
  async (c) => c.json({ data: await startImport(actorOf(c), c.req.valid('json')) }, 202),
)

routes.openapi(
  defineRoute({
    method: 'patch',
    path: '/zotero/imports/{id}',
    access: { role: 'edit', body: 'json', limit: 'none', scope: 'write' },
    tags,
    summary: 'Change the schedule of a library',
    request: { ...idOf('Library'), ...jsonBody(zoteroSyncPatch) },
    responses: { 200: one(zoteroSync, 'The library'), ...refusals },
  }),
  async (c) => {
    const { id } = c.req.valid('param')
    return c.json({ data: await changeSchedule(actorOf(c), id, c.req.valid('json')) }, 200)
  },
)

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/documents/{id}/zotero',
    access: { role: 'read', body: 'none', limit: 'none', scope: 'read' },
    tags,
    request: idOf('Document'),
    responses: { 200: one(zoteroOfDocument, 'The item of the document; null without one'), ...refusals },
  }),
  async (c) => c.json({ data: await getItemOfDocument(actorOf(c), c.req.valid('param').id) }, 200),
)

routes.openapi(
  defineRoute({
    method: 'post',
    path: '/documents/{id}/zotero/use',
    access: { role: 'edit', body: 'json', limit: 'none', scope: 'write' },
    tags,
    summary: 'Replace edited fields by the values of Zotero',
    request: { ...idOf('Document'), ...jsonBody(zoteroUse) },
    responses: { 200: one(zoteroOfDocument, 'The item with the fields that still differ'), ...refusals },
  }),
  async (c) => {
    const { id } = c.req.valid('param')
    return c.json({ data: await takeZoteroValues(actorOf(c), id, c.req.valid('json')) }, 200)
  },
)
