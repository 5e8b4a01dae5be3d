import { createRoute, z } from '@hono/zod-openapi'
import { AppError, notFound } from '#server/lib/errors.ts'
import { idOf, jsonBody, many, one, refusal, refusals } from '#server/lib/respond.ts'
import { actorOf, createRouter } from '#server/lib/router.ts'
import {
  documentDetail,
  documentPatch,
  documentRow,
  documentsMove,
  documentsQuery,
  extractedByBrowser,
  listedDocument,
  sameFile,
  sameFileQuery,
  sampleRequest,
} from '#shared/documents.ts'
import { fileResponse } from './file-response.ts'
import { deleteDocumentsOf, moveDocuments } from './project-documents.ts'
import {
  createDocument,
  createSample,
  deleteDocument,
  getDocument,
  listDocuments,
  listFilters,
  listSameFiles,
  openDocumentFile,
  updateDocument,
} from './service.ts'
import { saveExtractedText } from './results.ts'
import { receivePdf } from './upload.ts'
import { attachFile } from './without-file.ts'

export const routes = createRouter()
const tags = ['Documents']
const document = idOf('Document')

routes.openapi(
  createRoute({
    method: 'get',
    path: '/documents',
    tags,
    request: { query: documentsQuery },
    responses: {
      200: many(listedDocument, 'One page of documents, under a search with the place where the words stand'),
      ...refusals,
    },
  }),
  async (c) => {
    const { rows, count } = await listDocuments(actorOf(c), c.req.valid('query'))
    return c.json({ data: rows, count }, 200)
  },
)

const upload = {
  body: {
    required: true,
    content: {
      'multipart/form-data': {
        schema: z.object({
          file: z.string().openapi({ format: 'binary' }),
          project_id: z.uuid().optional(),
        }),
      },
    },
  },
}
const uploadRoute = createRoute({
  method: 'post',
  path: '/documents',
  tags,
  request: upload,
  responses: {
    201: one(documentRow, 'The new document, pending'),
    502: { description: 'The file storage failed' },
    ...refusals,
  },
})
// The body is streamed, so it is described to readers of the API but not read by the validator.
routes.openAPIRegistry.registerPath(uploadRoute)
routes.post('/documents', async (c) => {
  if (!c.get('actor')) throw new AppError('no_session', 'You must be logged in to upload documents')
  const file = await receivePdf(c.req.raw)
  try {
    return c.json({ data: await createDocument(actorOf(c), file) }, 201)
  } finally {
    await file.remove()
  }
})

routes.openapi(
  createRoute({
    method: 'post',
    path: '/documents/sample',
    tags,
    request: jsonBody(sampleRequest),
    responses: { 201: one(documentRow, 'The sample paper as a new document, pending'), ...refusals },
  }),
  async (c) => c.json({ data: await createSample(actorOf(c), c.req.valid('json').project_id) }, 201),
)

routes.openapi(
  createRoute({
    method: 'get',
    path: '/documents/same-file',
    tags,
    request: { query: sameFileQuery },
    responses: { 200: one(z.array(sameFile), 'Documents of the same file, the first one first'), ...refusals },
  }),
  async (c) => c.json({ data: await listSameFiles(actorOf(c), c.req.valid('query').content_hash) }, 200),
)

const filters = z.object({
  statuses: z.array(z.object({ status: z.string(), document_count: z.number().int() })),
  evidence_levels: z.array(z.object({ level: z.string(), document_count: z.number().int() })),
  tags: z.array(z.object({ name: z.string(), document_count: z.number().int() })),
})
routes.openapi(
  createRoute({
    method: 'get',
    path: '/documents/filters',
    tags,
    request: { query: z.object({ project_id: z.uuid() }) },
    responses: { 200: one(filters, 'What the documents of a project can be filtered by'), ...refusals },
  }),
  async (c) => c.json({ data: await listFilters(actorOf(c), c.req.valid('query').project_id) }, 200),
)

const counted = z.object({ count: z.number().int() })
routes.openapi(
  createRoute({
    method: 'post',
    path: '/documents/reassign',
    tags,
    request: jsonBody(documentsMove),
    responses: { 200: one(counted, 'How many documents moved: all of the project'), ...refusals },
  }),
  async (c) => c.json({ data: await moveDocuments(actorOf(c), c.req.valid('json')) }, 200),
)

routes.openapi(
  createRoute({
    method: 'delete',
    path: '/projects/{id}/documents',
    tags,
    request: idOf('Project'),
    responses: { 200: one(counted, 'How many documents are gone: all of the project'), ...refusals },
  }),
  async (c) => c.json({ data: await deleteDocumentsOf(actorOf(c), c.req.valid('param').id) }, 200),
)

routes.openapi(
  createRoute({
    method: 'get',
    path: '/documents/{id}',
    tags,
    request: document,
    responses: { 200: one(documentDetail, 'The document'), ...refusals },
  }),
  async (c) => c.json({ data: await getDocument(actorOf(c), c.req.valid('param').id) }, 200),
)

routes.openapi(
  createRoute({
    method: 'patch',
    path: '/documents/{id}',
    tags,
    request: { ...document, ...jsonBody(documentPatch) },
    responses: { 200: one(documentDetail, 'The changed document'), ...refusals },
  }),
  async (c) => c.json({ data: await updateDocument(actorOf(c), c.req.valid('param').id, c.req.valid('json')) }, 200),
)

routes.openapi(
  createRoute({
    method: 'delete',
    path: '/documents/{id}',
    tags,
    request: document,
    responses: { 200: one(z.object({ id: z.string() }), 'The id of what is gone'), ...refusals },
  }),
  async (c) => {
    const { id } = c.req.valid('param')
    await deleteDocument(actorOf(c), id)
    return c.json({ data: { id } }, 200)
  },
)

routes.openapi(
  createRoute({
    method: 'put',
    path: '/documents/{id}/text',
    tags,
    request: { ...document, ...jsonBody(extractedByBrowser) },
    responses: { 200: one(documentDetail, 'The document with its text, completed'), ...refusals },
  }),
  async (c) => {
    const body = c.req.valid('json')
    const facts =
      body.metadata || body.first_page ? { metadata: body.metadata ?? {}, firstPage: body.first_page ?? null } : null
    const extracted = {
      text: body.extracted_text,
      method: body.method,
      warning: body.warning ?? null,
      pageCount: body.page_count ?? null,
      facts,
    }
    return c.json({ data: await saveExtractedText(actorOf(c), c.req.valid('param').id, extracted) }, 200)
  },
)

const attachRoute = createRoute({
  method: 'post',
  path: '/documents/{id}/file',
  tags,
  request: {
    ...document,
    body: {
      required: true,
      content: { 'multipart/form-data': { schema: z.object({ file: z.string().openapi({ format: 'binary' }) }) } },
    },
  },
  responses: {
    200: one(documentRow, 'The document that had no file, with this one, pending'),
    409: refusal('The document has a file already'),
    502: { description: 'The file storage failed' },
    ...refusals,
  },
})
routes.openAPIRegistry.registerPath(attachRoute)
routes.post('/documents/:id/file', async (c) => {
  const actor = actorOf(c)
  const id = z.uuid().safeParse(c.req.param('id'))
  if (!id.success) throw notFound('Document')
  // Looked at before the body is read.
  await getDocument(actor, id.data)
  const file = await receivePdf(c.req.raw)
  try {
    return c.json({ data: await attachFile(actor, id.data, file) }, 200)
  } finally {
    await file.remove()
  }
})

const pdf = { 'application/pdf': { schema: z.string().openapi({ format: 'binary' }) } }
const fileRoute = createRoute({
  method: 'get',
  path: '/documents/{id}/file',
  tags,
  request: {
    ...document,
    headers: z.object({ range: z.string().optional().describe('one range of bytes, as in bytes=0-1023') }),
  },
  responses: {
    200: { description: 'The PDF', content: pdf },
    206: { description: 'The bytes asked for', content: pdf },
    416: { description: 'The file has no such bytes' },
    502: { description: 'The file storage failed' },
    ...refusals,
  },
})
routes.openapi(fileRoute, async (c) =>
  fileResponse(
    await openDocumentFile(actorOf(c), c.req.valid('param').id),
    c.req.header('range'),
    c.req.method === 'HEAD',
  ),
)
