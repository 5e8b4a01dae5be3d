import { z } from '@hono/zod-openapi'
import { idOf, jsonBody, many, one, refusals } from '#server/http/respond.ts'
import { defineRoute } from '#server/http/define-route.ts'
import { actorOf, type AppContext, createRouter } from '#server/http/router.ts'
import { largeJson } from '#server/texts/index.ts'
import { documentEdit, documentPatch } from '#shared/contract/document-edits.ts'
import { documentDetail, type DocumentDetail, textChoice } from '#shared/contract/documents.ts'
import {
  documentFilters,
  documentsPage,
  documentsQuery,
  sameFile,
  sameFileQuery,
} from '#shared/contract/document-list.ts'
import { extractedByBrowser, sampleRequest } from '#shared/contract/document-files.ts'
import { routes as bulkRoutes } from './bulk-routes.ts'
import { routes as fileRoutes } from './file-routes.ts'
import { routes as uploadRoutes } from './upload-routes.ts'
import { listEdits } from './edit-history.ts'
import { deleteDocument } from './delete-documents.ts'
import { createSample, getDocument, listDocuments, listFilters, listSameFiles, updateDocument } from './service.ts'
import { saveExtractedText } from './results.ts'
import { chooseText } from './text-offer.ts'

export const routes = createRouter()
routes.route('/', bulkRoutes)
routes.route('/', fileRoutes)
routes.route('/', uploadRoutes)
const tags = ['Documents']
const document = idOf('Document')

const sendDetail = (c: AppContext, data: DocumentDetail) => largeJson(c, { data }, data.extracted_text?.length ?? 0)

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/documents',
    access: { role: 'user', body: 'none', limit: 'none', scope: 'read' },
    tags,
    request: { query: documentsQuery },
    responses: {
      200: {
        description: 'One page of documents; for a search with snippets of the matches',
        content: { 'application/json': { schema: documentsPage } },
      },
      ...refusals,
    },
  }),
  async (c) => {
    const { rows, ...found } = await listDocuments(actorOf(c), c.req.valid('query'))
    return c.json({ data: rows, ...found }, 200)
  },
)

routes.openapi(
  defineRoute({
    method: 'post',
    path: '/documents/sample',
    access: { role: 'edit', body: 'json', limit: 'upload', scope: 'write' },
    tags,
    request: jsonBody(sampleRequest),
    responses: { 201: one(documentDetail, 'The sample paper as a new document, pending'), ...refusals },
  }),
  async (c) => c.json({ data: await createSample(actorOf(c), c.req.valid('json').project_id) }, 201),
)

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/documents/same-file',
    access: { role: 'user', body: 'none', limit: 'none', scope: 'read' },
    tags,
    request: { query: sameFileQuery },
    responses: { 200: one(z.array(sameFile), 'Documents with the same file, oldest first'), ...refusals },
  }),
  async (c) => c.json({ data: await listSameFiles(actorOf(c), c.req.valid('query')) }, 200),
)

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/documents/filters',
    access: { role: 'read', body: 'none', limit: 'none', scope: 'read' },
    tags,
    request: { query: z.object({ project_id: z.uuid() }) },
    responses: { 200: one(documentFilters, 'The filter options for the documents of a project'), ...refusals },
  }),
  async (c) => c.json({ data: await listFilters(actorOf(c), c.req.valid('query').project_id) }, 200),
)

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/documents/{id}',
    access: { role: 'read', body: 'none', limit: 'none', scope: 'read' },
    tags,
    request: document,
    responses: { 200: one(documentDetail, 'The document'), ...refusals },
  }),
  async (c) => sendDetail(c, await getDocument(actorOf(c), c.req.valid('param').id)),
)

routes.openapi(
  defineRoute({
    method: 'patch',
    path: '/documents/{id}',
    access: { role: 'edit', body: 'json', limit: 'none', scope: 'write' },
    tags,
    request: { ...document, ...jsonBody(documentPatch) },
    responses: { 200: one(documentDetail, 'The changed document'), ...refusals },
  }),
  async (c) => sendDetail(c, await updateDocument(actorOf(c), c.req.valid('param').id, c.req.valid('json'))),
)

routes.openapi(
  defineRoute({
    method: 'delete',
    path: '/documents/{id}',
    access: { role: 'edit', body: 'none', limit: 'none', scope: 'write' },
    tags,
    request: document,
    responses: { 200: one(z.object({ id: z.string() }), 'The id of the deleted document'), ...refusals },
  }),
  async (c) => {
    const { id } = c.req.valid('param')
    await deleteDocument(actorOf(c), id)
    return c.json({ data: { id } }, 200)
  },
)

routes.openapi(
  defineRoute({
    method: 'put',
    path: '/documents/{id}/text',
    access: { role: 'edit', body: 'text', limit: 'none', scope: 'write' },
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
      ocrPages: [],
      warning: body.warning ?? null,
      pageCount: body.page_count ?? null,
      facts,
    }
    return sendDetail(c, await saveExtractedText(actorOf(c), c.req.valid('param').id, extracted))
  },
)

routes.openapi(
  defineRoute({
    method: 'post',
    path: '/documents/{id}/text-choice',
    access: { role: 'edit', body: 'json', limit: 'none', scope: 'write' },
    tags,
    summary: 'Choose between the current text and a poorer text of OCR',
    request: { ...document, ...jsonBody(textChoice) },
    responses: { 200: one(documentDetail, 'The document with the chosen text'), ...refusals },
  }),
  async (c) => sendDetail(c, await chooseText(actorOf(c), c.req.valid('param').id, c.req.valid('json').use)),
)

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/documents/{id}/edits',
    access: { role: 'read', body: 'none', limit: 'none', scope: 'read' },
    tags,
    summary: 'List the edits of values that an analysis filled',
    request: document,
    responses: { 200: many(documentEdit, 'Newest first, each with the former value'), ...refusals },
  }),
  async (c) => {
    const data = await listEdits(actorOf(c), c.req.valid('param').id)
    return c.json({ data, count: data.length }, 200)
  },
)
