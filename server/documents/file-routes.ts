import { z } from '@hono/zod-openapi'
import { notFound } from '#server/lib/errors.ts'
import { idOf, one, refusal, refusals } from '#server/http/respond.ts'
import { defineRoute, streamRoute } from '#server/http/define-route.ts'
import { actorOf, createRouter } from '#server/http/router.ts'
import { documentDetail, documentRow } from '#shared/contract/documents.ts'
import { largeJson } from '#server/texts/index.ts'
import { fileResponse } from './file-response.ts'
import { createDocument, getDocument, openDocumentFile } from './service.ts'
import { receivePdf } from './upload.ts'
import { attachFile } from './without-file.ts'

/** Upload and download of the PDFs of documents, as streams. */
export const routes = createRouter()
const tags = ['Documents']
const document = idOf('Document')

const binary = z.string().openapi({ format: 'binary' })
/** Returns the schema of a multipart form with one PDF and the other `fields`. */
const form = (fields: z.ZodRawShape = {}) => ({
  body: { required: true, content: { 'multipart/form-data': { schema: z.object({ file: binary, ...fields }) } } },
})

const uploadRoute = defineRoute({
  method: 'post',
  path: '/documents',
  access: { role: 'edit', body: 'file', limit: 'upload', scope: 'write' },
  tags,
  request: form({
    project_id: z.uuid().optional(),
    upload_id: z
      .uuid()
      .optional()
      .describe('an id that the client chooses for all files of one upload, for their common progress and pause'),
    document_id: z
      .uuid()
      .optional()
      .describe('an id that the client chooses for the new document; a repeated upload returns the same document'),
    process_automatically: z
      .enum(['true', 'false'])
      .optional()
      .describe(
        'whether to extract, analyze and vectorize the file; default: the switch of the project. true needs the scope ask of a key; by default, the file of a key without this scope is processed without models that cost tokens',
      ),
  }),
  responses: {
    201: one(documentDetail, 'The new document, pending'),
    409: refusal('Another document has this id'),
    502: { description: 'The file storage failed' },
    ...refusals,
  },
})
streamRoute(routes, uploadRoute, async (c) => {
  const file = await receivePdf(c.req.raw)
  try {
    const data = await createDocument(actorOf(c), file)
    // Only the document of an earlier upload can have a text.
    return await largeJson(c, { data }, data.extracted_text?.length ?? 0, 201)
  } finally {
    await file.remove()
  }
})

const attachRoute = defineRoute({
  method: 'post',
  path: '/documents/{id}/file',
  access: { role: 'edit', body: 'file', limit: 'upload', scope: 'write' },
  tags,
  request: {
    ...document,
    ...form(),
  },
  responses: {
    200: one(documentRow, 'The document with the new file, pending'),
    409: refusal('The document has a file already'),
    502: { description: 'The file storage failed' },
    ...refusals,
  },
})
streamRoute(routes, attachRoute, async (c) => {
  const actor = actorOf(c)
  const id = z.uuid().safeParse(c.req.param('id'))
  if (!id.success) throw notFound('Document')
  // Checked before the body is read.
  await getDocument(actor, id.data)
  const file = await receivePdf(c.req.raw)
  try {
    return c.json({ data: await attachFile(actor, id.data, file) }, 200)
  } finally {
    await file.remove()
  }
})

const pdf = { 'application/pdf': { schema: binary } }
const fileRoute = defineRoute({
  method: 'get',
  path: '/documents/{id}/file',
  access: { role: 'read', body: 'none', limit: 'none', scope: 'read' },
  tags,
  request: {
    ...document,
    headers: z.object({
      range: z.string().optional().describe('one range of bytes, as in bytes=0-1023'),
      'if-none-match': z.string().optional().describe('the ETag of an earlier response'),
      'if-range': z.string().optional().describe('the ETag of parts received earlier'),
    }),
  },
  responses: {
    200: { description: 'The PDF', content: pdf },
    206: { description: 'The requested bytes', content: pdf },
    304: { description: 'The caller has this version' },
    416: { description: 'The file has no such bytes' },
    502: { description: 'The file storage failed' },
    ...refusals,
  },
})
routes.openapi(fileRoute, async (c) =>
  fileResponse(await openDocumentFile(actorOf(c), c.req.valid('param').id), {
    method: c.req.method,
    range: c.req.header('range'),
    ifRange: c.req.header('if-range'),
    ifNoneMatch: c.req.header('if-none-match'),
  }),
)
