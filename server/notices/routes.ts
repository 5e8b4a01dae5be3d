import { z } from '@hono/zod-openapi'
import { defineRoute } from '#server/http/define-route.ts'
import { pageOf, pageQuery } from '#server/http/list-page.ts'
import { jsonBody, many, one, refusals } from '#server/http/respond.ts'
import { actorOf, createRouter } from '#server/http/router.ts'
import { notice, noticesQuery, noticesRead } from '#shared/contract/notices.ts'
import { listNotices, readNotices } from './service.ts'

/** Routes of notices: messages of the server to the caller. */
export const routes = createRouter()
const tags = ['Notices']

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/notices',
    access: { role: 'user', body: 'none', limit: 'none', scope: 'none' },
    tags,
    request: { query: noticesQuery.extend(pageQuery) },
    responses: { 200: many(notice, 'The notices, newest first'), ...refusals },
  }),
  async (c) => {
    const query = c.req.valid('query')
    return c.json(pageOf(await listNotices(actorOf(c), { unread: query.unread === 'true' }), query), 200)
  },
)

routes.openapi(
  defineRoute({
    method: 'post',
    path: '/notices/read',
    access: { role: 'user', body: 'json', limit: 'none', scope: 'none' },
    tags,
    request: jsonBody(noticesRead),
    responses: {
      200: one(z.object({ count: z.number().int() }), 'The number of notices that were unread'),
      ...refusals,
    },
  }),
  async (c) => c.json({ data: { count: await readNotices(actorOf(c), c.req.valid('json').ids) } }, 200),
)
