import type { z } from 'zod'
import { bodyLimit } from 'hono/body-limit'
import { listModelsWithState } from '#server/ai/index.ts'
import { proxyFeed } from '#server/feeds/index.ts'
import { base64Json, listDrive, openDrive, openDriveFile } from '#server/drive/index.ts'
import { asAppError, errorInit } from '#server/http/error-response.ts'
import { AppError } from '#server/lib/errors.ts'
import { createRouter, refuseUnstorable, type AppContext } from '#server/http/router.ts'
import { changeProfileByCall } from '#server/profiles/index.ts'
import { parseLargeBody } from '#server/texts/index.ts'
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

/** The specified server functions, mounted at /functions/v1. Errors answer `{ error: message }`. */
export const routes = createRouter()
describeFunctions(routes)

routes.onError((error, context) => {
  const known = asAppError(error, context)
  const init = errorInit(known)
  return Response.json({ error: known.code === 'internal' ? 'Unknown error' : known.message }, init)
})

routes.use('*', async (context, next) => {
  if (!context.get('actor')) throw new AppError('no_session', 'No active session')
  await next()
})
const MB = 1024 * 1024
const limitTo = (maxSize: number) =>
  bodyLimit({
    maxSize,
    onError: () => {
      throw new AppError('too_large', 'Request too large')
    },
  })
/** Limit for functions that take a whole text. All others are small, because the calls of many users are in memory at once. */
const large = limitTo(60 * MB)
const limited = limitTo(2 * MB)

routes.post('/analyze-pdf', large, async (c) =>
  c.json({ data: await analyzePdf(caller(c), await body(c, functionBodies.analyze)) }),
)
routes.post('/extract-pdf-text', async (c) => c.json({ text: await extractPdfText(caller(c), c.req.raw) }))
routes.post('/ocr-pdf', limited, async (c) =>
  c.json({ data: { text: await ocrPdf(caller(c), await body(c, functionBodies.ocr)) }, error: null, status: 200 }),
)
routes.post('/generate-embeddings', large, async (c) =>
  c.json({ final_output: await generateEmbeddings(caller(c), await body(c, functionBodies.embeddings)) }),
)
routes.post('/generate-query-embedding', limited, async (c) =>
  c.json({ embedding: await generateQueryEmbedding(caller(c), await body(c, functionBodies.queryEmbedding)) }),
)
routes.post('/similarity-search', limited, async (c) =>
  c.json({ chunks: await similaritySearch(caller(c), await body(c, functionBodies.similarity)) }),
)
routes.post('/generate-answer', large, async (c) =>
  c.json(await generateAnswer(caller(c), await body(c, functionBodies.answer))),
)
routes.post('/google-drive-callback', limited, async (c) =>
  c.json(await openDrive(await body(c, functionBodies.driveCallback), c.req.raw.signal)),
)
routes.post('/google-drive-list', limited, async (c) => {
  const { accessToken, folderId } = await body(c, functionBodies.driveList)
  return c.json({ files: await listDrive(accessToken, folderId, c.req.raw.signal) })
})
routes.post('/google-drive-download', limited, async (c) => {
  const { fileId, accessToken, fileName } = await body(c, functionBodies.driveDownload)
  const bytes = await openDriveFile(accessToken, fileId, c.req.raw.signal)
  return c.body(await base64Json(bytes, fileName ?? fileId!), 200, { 'content-type': 'application/json' })
})
routes.post('/proxy-rss', limited, async (c) => {
  const { bytes, contentType } = await proxyFeed((await body(c, functionBodies.proxy)).url)
  // Foreign content must never be rendered as a page of this site.
  return c.body(bytes, 200, {
    'content-type': contentType,
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
  })
})
routes.post('/rpc/update_profile', limited, async (c) =>
  c.json({ data: await changeProfileByCall(caller(c).actor, await body(c, functionBodies.updateProfile)) }),
)
routes.post('/rpc/manage_document_tags', limited, async (c) =>
  c.json({ data: await manageDocumentTags(caller(c), await body(c, functionBodies.documentTags)) }),
)
routes.post('/fetch-openai-usage', async (c) => c.json({ data: await refreshTotals(caller(c).actor) }))
routes.post('/rpc/get_storage_size', async (c) => c.json(await storageSize(caller(c).actor)))
routes.post('/rpc/get_database_size', async (c) => c.json(await databaseSize(caller(c).actor)))
routes.post('/research-agent', limited, async (c) => {
  const papers = await researchAgent(caller(c), await body(c, functionBodies.research))
  return c.json({ data: { final_output: { papers } } })
})
routes.get('/list-models', async (c) => {
  const { models, error } = await listModelsWithState()
  return c.json({ data: models, error })
})
routes.all('/*', () => {
  throw new AppError('not_found', 'No such function')
})

/** The caller. A session was checked above. The signal ends the work when the client disconnects. */
function caller(context: AppContext) {
  return { actor: context.get('actor')!, signal: context.req.raw.signal }
}

async function body<S extends z.ZodType>(context: AppContext, schema: S): Promise<z.output<S>> {
  await parseLargeBody(context)
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
