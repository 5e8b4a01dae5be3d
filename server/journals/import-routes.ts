import { z } from '@hono/zod-openapi'
import { pageQuery, sliceOf } from '#server/http/list-page.ts'
import { jsonBody, many, one, refusal, refusals } from '#server/http/respond.ts'
import { defineRoute } from '#server/http/define-route.ts'
import { actorOf, createRouter } from '#server/http/router.ts'
import { STREAM_HEADERS } from '#server/http/stream-body.ts'
import { importStart, journalImport } from '#shared/contract/journal-import.ts'
import { cancelImport, listImports, startImport } from './import-service.ts'
import { importStream } from './import-stream.ts'

export const importRoutes = createRouter()
const tags = ['Administration']

importRoutes.openapi(
  defineRoute({
    method: 'get',
    path: '/admin/update-journals',
    access: { role: 'admin', body: 'none', limit: 'none', scope: 'none' },
    tags,
    request: { query: z.object(pageQuery) },
    responses: { 200: many(journalImport, 'The last runs of the journal update, the newest first'), ...refusals },
  }),
  async (c) => c.json(await listImports(actorOf(c), sliceOf(c.req.valid('query'))), 200),
)

importRoutes.openapi(
  defineRoute({
    method: 'post',
    path: '/admin/update-journals',
    access: { role: 'admin', body: 'json', limit: 'none', scope: 'none' },
    tags,
    request: jsonBody(importStart),
    responses: { 202: one(journalImport, 'The run'), 409: refusal('An update is running already'), ...refusals },
  }),
  async (c) => c.json({ data: await startImport(actorOf(c)) }, 202),
)

importRoutes.openapi(
  defineRoute({
    method: 'post',
    path: '/admin/update-journals/cancel',
    access: { role: 'admin', body: 'none', limit: 'none', scope: 'none' },
    tags,
    responses: { 200: one(journalImport, 'The run, stopped'), 409: refusal('None is running'), ...refusals },
  }),
  async (c) => c.json({ data: await cancelImport(actorOf(c)) }, 200),
)

importRoutes.openapi(
  defineRoute({
    method: 'get',
    path: '/admin/update-journals-status',
    access: { role: 'admin', body: 'none', limit: 'none', scope: 'none' },
    tags,
    request: {
      headers: z.object({ 'last-event-id': z.string().optional().describe('the last id a broken stream received') }),
    },
    responses: {
      200: {
        description:
          'Server-sent events whose data is the progress of the latest run: the present state, then every change; at least a comment every 10 s',
        content: { 'text/event-stream': { schema: z.string() } },
      },
      ...refusals,
    },
  }),
  (c) => {
    const body = importStream(actorOf(c), c.req.valid('header')['last-event-id'], c.req.raw.signal)
    return new Response(body, { headers: STREAM_HEADERS })
  },
)
