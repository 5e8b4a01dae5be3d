import { z } from '@hono/zod-openapi'
import { defineRoute, streamRoute } from '#server/http/define-route.ts'
import { idOf, one, refusal, refusals } from '#server/http/respond.ts'
import { actorOf, createRouter } from '#server/http/router.ts'
import { importPreview, undoneImport } from '#shared/contract/imports.ts'
import { readFormat } from '#shared/contract/reference-formats.ts'
import { job } from '#shared/contract/jobs.ts'
import { importReferences, previewReferences, receiveReferences, undoImport } from './service.ts'

export const routes = createRouter()
const tags = ['Imports']

const binary = z.string().openapi({ format: 'binary' })
const optional = z.string().optional()
const form = (file: z.ZodType, fields: z.ZodRawShape) => ({
  body: { required: true, content: { 'multipart/form-data': { schema: z.object({ file, ...fields }) } } },
})
const reading = {
  format: readFormat.optional().describe('default: detected from the content'),
  columns: optional.describe('JSON: the place, from 0, of the column of each field of a CSV file'),
}

const previewRoute = defineRoute({
  method: 'post',
  path: '/imports/preview',
  access: { role: 'user', body: 'file', limit: 'upload', scope: 'write' },
  tags,
  summary: 'Read a reference file without storing it',
  request: form(binary, reading),
  responses: {
    200: one(importPreview, 'The format, the number of records and the first three'),
    413: refusal('The file is too large'),
    ...refusals,
  },
})
streamRoute(routes, previewRoute, async (c) => {
  const received = await receiveReferences(c.req.raw, 1)
  try {
    return c.json({ data: await previewReferences(actorOf(c), received) }, 200)
  } finally {
    await received.remove()
  }
})

const importRoute = defineRoute({
  method: 'post',
  path: '/imports',
  access: { role: 'edit', body: 'file', limit: 'upload', scope: 'write' },
  tags,
  summary: 'Import reference files; each file is one import',
  request: form(z.array(binary), {
    project_id: z.uuid(),
    ...reading,
    source_name: optional,
    source_kind: optional.describe("default 'database'"),
    searched_on: optional.describe('the day of the search, YYYY-MM-DD'),
    search_text: optional,
    join_duplicates: optional.describe("'true' (default) or 'false'"),
    keep_citation_keys: optional.describe("'true' (default) or 'false'"),
    groups_as_tags: optional.describe("'true' or 'false' (default)"),
    fetch_pdfs: optional.describe("'true' or 'false' (default)"),
    tags: optional.describe('JSON: a list of tags'),
  }),
  responses: {
    202: one(job, 'The import job'),
    413: refusal('A file is too large'),
    502: { description: 'The file storage failed' },
    ...refusals,
  },
})
streamRoute(routes, importRoute, async (c) => {
  const received = await receiveReferences(c.req.raw)
  try {
    return c.json({ data: await importReferences(actorOf(c), received) }, 202)
  } finally {
    await received.remove()
  }
})

routes.openapi(
  defineRoute({
    method: 'delete',
    path: '/imports/{id}',
    access: { role: 'edit', body: 'none', limit: 'none', scope: 'write' },
    tags,
    summary: 'Undo an import: papers that nothing else uses move to the trash; the records stay',
    request: idOf('Import'),
    responses: {
      200: one(undoneImport, 'The import, and the number of papers'),
      409: refusal('The import runs, or is undone already and none of its papers remains'),
      ...refusals,
    },
  }),
  async (c) => c.json({ data: await undoImport(actorOf(c), c.req.valid('param').id) }, 200),
)
