import { z } from '@hono/zod-openapi'
import { deleteCookie } from 'hono/cookie'
import { SESSION_COOKIE } from '#server/auth/index.ts'
import { jsonBody, one, refusal, refusals } from '#server/http/respond.ts'
import { defineRoute } from '#server/http/define-route.ts'
import { actorOf, createRouter } from '#server/http/router.ts'
import { accountDeletion, accountSummary } from '#shared/contract/accounts.ts'
import { deleteAccount, summarizeAccount } from './delete-account.ts'
import { exportAccount } from './export-account.ts'

/** Routes of the caller's account: summary, export and deletion. */
export const routes = createRouter()
const tags = ['Accounts']

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/account',
    access: { role: 'user', body: 'none', limit: 'none', scope: 'none' },
    tags,
    responses: {
      200: one(
        accountSummary,
        'The data that is deleted with the account, and whether a password confirms the deletion',
      ),
      ...refusals,
    },
  }),
  async (c) => c.json({ data: await summarizeAccount(actorOf(c)) }, 200),
)

routes.openapi(
  defineRoute({
    method: 'delete',
    path: '/account',
    access: { role: 'user', body: 'json', limit: 'none', scope: 'none' },
    tags,
    request: jsonBody(accountDeletion),
    responses: {
      200: one(z.object({ deleted: z.literal(true) }), 'The account and all its data are deleted'),
      409: refusal('The caller is the only admin and other users exist'),
      429: refusal('Too many wrong passwords'),
      ...refusals,
    },
  }),
  async (c) => {
    await deleteAccount(actorOf(c), c.req.raw.headers, c.req.valid('json'))
    deleteCookie(c, SESSION_COOKIE, { path: '/', secure: SESSION_COOKIE.startsWith('__Host-') })
    return c.json({ data: { deleted: true as const } }, 200)
  },
)

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/account/export',
    access: { role: 'user', body: 'none', limit: 'heavy', scope: 'none' },
    tags,
    responses: {
      200: {
        description: 'All data of the caller: rows as JSON, PDFs, images and a manifest',
        content: { 'application/zip': { schema: z.string().openapi({ format: 'binary' }) } },
      },
      401: refusals[401],
    },
  }),
  (c) =>
    c.body(exportAccount(actorOf(c)), 200, {
      'content-type': 'application/zip',
      'content-disposition': `attachment; filename="lectern-export-${new Date().toISOString().slice(0, 10)}.zip"`,
      'cache-control': 'no-store',
    }),
)
