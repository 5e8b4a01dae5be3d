import { z } from '@hono/zod-openapi'
import { defineRoute } from '#server/http/define-route.ts'
import { disposition } from '#server/http/disposition.ts'
import { pageQuery, sliceOf } from '#server/http/list-page.ts'
import { idOf, many, one, refusals } from '#server/http/respond.ts'
import { actorOf, createRouter } from '#server/http/router.ts'
import { RECORD_OUTCOMES } from '#shared/contract/address-values.ts'
import { importDetail, importRecord, importRecordRow, importRow, importTotals } from '#shared/contract/imports.ts'
import { paperRecord } from '#shared/contract/paper-records.ts'
import { getImport, getRecord, listImports, listPaperRecords, listRecords, openImportFile } from './service.ts'

export const routes = createRouter()
const tags = ['Imports']

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/imports',
    access: { role: 'read', body: 'none', limit: 'none', scope: 'read' },
    tags,
    request: { query: z.object({ project_id: z.uuid(), ...pageQuery }) },
    responses: {
      200: {
        description: 'The imports of the project, newest first, and their sums without undone imports',
        content: {
          'application/json': {
            schema: z.object({ data: z.array(importRow), count: z.number().int(), totals: importTotals }),
          },
        },
      },
      ...refusals,
    },
  }),
  async (c) => {
    const { project_id, ...page } = c.req.valid('query')
    return c.json(await listImports(actorOf(c), project_id, sliceOf(page)), 200)
  },
)

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/imports/{id}',
    access: { role: 'read', body: 'none', limit: 'none', scope: 'read' },
    tags,
    request: idOf('Import'),
    responses: { 200: one(importDetail, 'The import, and the effect of its undo'), ...refusals },
  }),
  async (c) => c.json({ data: await getImport(actorOf(c), c.req.valid('param').id) }, 200),
)

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/imports/{id}/records',
    access: { role: 'read', body: 'none', limit: 'none', scope: 'read' },
    tags,
    request: { ...idOf('Import'), query: z.object({ outcome: z.enum(RECORD_OUTCOMES).optional(), ...pageQuery }) },
    responses: { 200: many(importRecordRow, 'The records in their order, 50 a page'), ...refusals },
  }),
  async (c) => {
    const { outcome, page = 1, limit } = c.req.valid('query')
    return c.json(await listRecords(actorOf(c), c.req.valid('param').id, outcome, sliceOf({ page, limit })), 200)
  },
)

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/documents/{id}/records',
    access: { role: 'read', body: 'none', limit: 'none', scope: 'read' },
    tags,
    summary: 'List the imports from which a document comes',
    request: idOf('Document'),
    responses: {
      200: many(paperRecord, 'The records, oldest first, without undone imports; at most 100'),
      ...refusals,
    },
  }),
  async (c) => {
    const data = await listPaperRecords(actorOf(c), c.req.valid('param').id)
    return c.json({ data, count: data.length }, 200)
  },
)

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/import-records/{id}',
    access: { role: 'read', body: 'none', limit: 'none', scope: 'read' },
    tags,
    summary: 'A record as it was in its source',
    request: idOf('Record'),
    responses: { 200: one(importRecord, 'The record with its text and its reference'), ...refusals },
  }),
  async (c) => c.json({ data: await getRecord(actorOf(c), c.req.valid('param').id) }, 200),
)

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/imports/{id}/file',
    access: { role: 'read', body: 'none', limit: 'none', scope: 'read' },
    tags,
    request: idOf('Import'),
    responses: {
      200: {
        description: 'The file of the import',
        content: { 'application/octet-stream': { schema: z.string().openapi({ format: 'binary' }) } },
      },
      502: { description: 'The file storage failed' },
      ...refusals,
    },
  }),
  async (c) => {
    const { filename, size, body } = await openImportFile(actorOf(c), c.req.valid('param').id)
    return new Response(body, {
      headers: {
        'content-type': 'application/octet-stream',
        'content-length': String(size),
        'cache-control': 'private, no-store',
        'content-disposition': disposition('attachment', filename),
        'content-security-policy': "default-src 'none'; sandbox",
        'x-content-type-options': 'nosniff',
      },
    })
  },
)
