import { z } from '@hono/zod-openapi'
import { disposition } from '#server/http/disposition.ts'
import { jsonBody, refusals } from '#server/http/respond.ts'
import { defineRoute } from '#server/http/define-route.ts'
import { actorOf, createRouter } from '#server/http/router.ts'
import { EXPORT_HEADERS, exportInput } from '#shared/contract/exports.ts'
import { exportReferences } from './service.ts'

export const routes = createRouter()

routes.openapi(
  defineRoute({
    method: 'post',
    path: '/exports',
    access: { role: 'read', body: 'json', limit: 'export', scope: 'read' },
    tags: ['References'],
    summary: 'Export references in a format of reference managers, or PDFs with a BibTeX file',
    request: jsonBody(exportInput),
    responses: {
      200: {
        description: `The file. The header ${EXPORT_HEADERS.count} has the number of its papers, and ${EXPORT_HEADERS.leftOut} the number of papers without a PMID (nbib) or without a PDF (pdfs), which are left out`,
        content: { 'application/octet-stream': { schema: z.string().openapi({ format: 'binary' }) } },
      },
      ...refusals,
    },
  }),
  async (c) => {
    const { name, type, count, leftOut, stream } = await exportReferences(actorOf(c), c.req.valid('json'))
    return c.body(stream, 200, {
      'content-type': type,
      'content-disposition': disposition('attachment', name),
      [EXPORT_HEADERS.count]: String(count),
      [EXPORT_HEADERS.leftOut]: String(leftOut),
      'cache-control': 'no-store',
    })
  },
)
