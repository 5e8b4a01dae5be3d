import type { z } from 'zod'
import { listModelsWithState } from '#server/ai/index.ts'
import { proxyFeed } from '#server/feeds/index.ts'
import { base64Json, listDrive, openDrive, openDriveFile } from '#server/drive/index.ts'
import { AppError } from '#server/lib/errors.ts'
import { access } from '#server/http/route-access.ts'
import { actorOf, createRouter, refuseUnstorable, type AppContext } from '#server/http/router.ts'
import { changeProfileByCall } from '#server/profiles/index.ts'
import { databaseSize, refreshTotals, storageSize } from '#server/usage/index.ts'
import { describeFunctions } from './describe.ts'
import { functionBodies } from './schemas.ts'
import {
  analyzePdf,
  extractPdfText,
  generateAnswer,
  generateEmbeddings,
  generateQueryEmbedding,
  manageDocumentTags,
  ocrPdf,
  researchAgent,
  similaritySearch,
} from './service.ts'

/**
 * The routes of the server functions, mounted at /functions/v1: operations such as /analyze-pdf, whose names the specification
 * of this application prescribes. Errors have the body `{ error: message }`.
 */
export const routes = createRouter()
describeFunctions(routes)

routes.post('/analyze-pdf', access({ role: 'user', body: 'text', limit: 'ai', scope: 'ask' }), async (c) =>
  c.json({ data: await analyzePdf(caller(c), await body(c, functionBodies.analyze)) }),
)
routes.post('/extract-pdf-text', access({ role: 'user', body: 'file', limit: 'upload', scope: 'write' }), async (c) =>
  c.json({ text: await extractPdfText(caller(c), c.req.raw) }),
)
routes.post('/ocr-pdf', access({ role: 'ask', body: 'json', limit: 'ai', scope: 'ask' }), async (c) =>
  c.json({ data: { text: await ocrPdf(caller(c), await body(c, functionBodies.ocr)) }, error: null, status: 200 }),
)
routes.post(
  '/generate-embeddings',
  access({ role: 'edit', body: 'text', limit: 'ai', scope: 'ask write' }),
  async (c) => c.json({ final_output: await generateEmbeddings(caller(c), await body(c, functionBodies.embeddings)) }),
)
routes.post('/generate-query-embedding', access({ role: 'user', body: 'json', limit: 'ai', scope: 'ask' }), async (c) =>
  c.json({ embedding: await generateQueryEmbedding(caller(c), await body(c, functionBodies.queryEmbedding)) }),
)
routes.post('/similarity-search', access({ role: 'read', body: 'json', limit: 'none', scope: 'read' }), async (c) =>
  c.json({ chunks: await similaritySearch(caller(c), await body(c, functionBodies.similarity)) }),
)
routes.post('/generate-answer', access({ role: 'user', body: 'text', limit: 'ai', scope: 'ask' }), async (c) =>
  c.json(await generateAnswer(caller(c), await body(c, functionBodies.answer))),
)
routes.post(
  '/google-drive-callback',
  access({ role: 'user', body: 'json', limit: 'upload', scope: 'none' }),
  async (c) => c.json(await openDrive(await body(c, functionBodies.driveCallback), c.req.raw.signal)),
)
routes.post('/google-drive-list', access({ role: 'user', body: 'json', limit: 'upload', scope: 'none' }), async (c) => {
  const { accessToken, folderId } = await body(c, functionBodies.driveList)
  return c.json({ files: await listDrive(accessToken, folderId, c.req.raw.signal) })
})
routes.post(
  '/google-drive-download',
  access({ role: 'user', body: 'json', limit: 'upload', scope: 'none' }),
  async (c) => {
    const { fileId, accessToken, fileName } = await body(c, functionBodies.driveDownload)
    const bytes = await openDriveFile(accessToken, fileId, c.req.raw.signal)
    return c.body(await base64Json(bytes, fileName ?? fileId!), 200, { 'content-type': 'application/json' })
  },
)
routes.post('/proxy-rss', access({ role: 'user', body: 'json', limit: 'upload', scope: 'write' }), async (c) => {
  const { bytes, contentType } = await proxyFeed((await body(c, functionBodies.proxy)).url)
  // Foreign content must never be rendered as a page of this site.
  return c.body(bytes, 200, {
    'content-type': contentType,
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
  })
})
routes.post('/rpc/update_profile', access({ role: 'owner', body: 'json', limit: 'none', scope: 'none' }), async (c) =>
  c.json({ data: await changeProfileByCall(caller(c).actor, await body(c, functionBodies.updateProfile)) }),
)
routes.post(
  '/rpc/manage_document_tags',
  access({ role: 'edit', body: 'json', limit: 'none', scope: 'write' }),
  async (c) => c.json({ data: await manageDocumentTags(caller(c), await body(c, functionBodies.documentTags)) }),
)
routes.post('/fetch-openai-usage', access({ role: 'admin', body: 'none', limit: 'none', scope: 'none' }), async (c) =>
  c.json({ data: await refreshTotals(caller(c).actor) }),
)
routes.post('/rpc/get_storage_size', access({ role: 'admin', body: 'none', limit: 'none', scope: 'none' }), async (c) =>
  c.json(await storageSize(caller(c).actor)),
)
routes.post(
  '/rpc/get_database_size',
  access({ role: 'admin', body: 'none', limit: 'none', scope: 'none' }),
  async (c) => c.json(await databaseSize(caller(c).actor)),
)
routes.post('/research-agent', access({ role: 'ask', body: 'json', limit: 'ai', scope: 'ask' }), async (c) => {
  const papers = await researchAgent(caller(c), await body(c, functionBodies.research))
  return c.json({ data: { final_output: { papers } } })
})
routes.get('/list-models', access({ role: 'user', body: 'none', limit: 'none', scope: 'read' }), async (c) => {
  const { models, error } = await listModelsWithState()
  return c.json({ data: models, error })
})
routes.all('/*', access({ role: 'user', body: 'none', limit: 'none', scope: 'read' }), () => {
  throw new AppError('not_found', 'No such function')
})

/** Returns the user of a request, and a signal that is aborted when the client disconnects. */
function caller(context: AppContext) {
  return { actor: actorOf(context), signal: context.req.raw.signal }
}

async function body<S extends z.ZodType>(context: AppContext, schema: S): Promise<z.output<S>> {
  const given: unknown = await context.req.json().catch((error: unknown) => {
    throw error instanceof AppError
      ? error
      : new AppError('malformed', 'The request is not valid JSON.', { cause: error })
  })
  const checked = schema.safeParse(given)
  if (checked.success) {
    refuseUnstorable(checked.data)
    return checked.data
  }
  const issue = checked.error.issues[0]!
  throw new AppError('refused', `${issue.path.join('.') || 'body'}: ${issue.message}`)
}
