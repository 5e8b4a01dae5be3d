import { z } from '@hono/zod-openapi'
import { idOf, jsonBody, one, refusals } from '#server/http/respond.ts'
import { defineRoute } from '#server/http/define-route.ts'
import { actorOf, createRouter } from '#server/http/router.ts'
import { apiError } from '#shared/contract/errors.ts'
import { job } from '#shared/contract/jobs.ts'
import { extractionMethod, ocrLanguageCodes } from '#shared/contract/processing.ts'
import { startExtraction } from './service.ts'

export const routes = createRouter()

const input = z.object({
  method: extractionMethod.describe(
    'text: the text layer; ocr: the page images are read by OCR; auto: the text layer, and OCR for the pages without a usable one',
  ),
  ocr_languages: ocrLanguageCodes.optional(),
  replace: z
    .boolean()
    .optional()
    .describe(
      'replace the text even if the text of OCR is poorer; otherwise it is offered as `text_offer` of the document',
    ),
  password: z.string().min(1).max(1000).optional().describe('password of a protected PDF; used once, never stored'),
})

routes.openapi(
  defineRoute({
    method: 'post',
    path: '/documents/{id}/extract',
    access: { role: 'edit', body: 'json', limit: 'ai', scope: 'ask write' },
    tags: ['Documents'],
    request: { ...idOf('Document'), ...jsonBody(input) },
    responses: {
      202: one(job, 'The job that extracts the text'),
      ...refusals,
      409: {
        description: 'The text of the document is being extracted already',
        content: { 'application/json': { schema: apiError } },
      },
    },
  }),
  async (c) => c.json({ data: await startExtraction(actorOf(c), c.req.valid('param').id, c.req.valid('json')) }, 202),
)
