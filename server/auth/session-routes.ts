import { z } from '@hono/zod-openapi'
import { jsonBody, many, one, refusal, refusals } from '#server/http/respond.ts'
import { defineRoute } from '#server/http/define-route.ts'
import { createRouter } from '#server/http/router.ts'
import { openSession } from '#shared/contract/accounts.ts'
import { callerOf } from './caller.ts'
import { confirmPassword } from './check-password.ts'
import { requireFreshProof } from './proof.ts'
import { listSessions, revokeOtherSessions, revokeSession } from './sessions.ts'
import { SMALL_BODY } from './small-body.ts'

/** Routes that list and end the caller's sessions. */
export const routes = createRouter()
const tags = ['Accounts']

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/list-sessions',
    access: { role: 'user', body: 'none', limit: 'none', scope: 'none' },
    tags,
    responses: { 200: many(openSession, "The caller's sessions, the latest used first"), ...refusals },
  }),
  async (c) => {
    const data = await listSessions(await callerOf(c.req.raw.headers))
    return c.json({ data, count: data.length }, 200)
  },
)

routes.openapi(
  defineRoute({
    method: 'post',
    path: '/revoke-session',
    access: { role: 'owner', ...SMALL_BODY, limit: 'none', scope: 'none' },
    tags,
    request: jsonBody(z.object({ id: z.string().min(1).max(200) })),
    responses: { 204: { description: 'Ended: its cookie and its token are invalid' }, ...refusals },
  }),
  async (c) => {
    await revokeSession(await callerOf(c.req.raw.headers), c.req.valid('json').id)
    return c.body(null, 204)
  },
)

routes.openapi(
  defineRoute({
    method: 'post',
    path: '/revoke-other-sessions',
    access: { role: 'user', body: 'none', limit: 'none', scope: 'none' },
    tags,
    responses: { 200: one(z.object({ ended: z.number().int() }), 'The number of ended sessions'), ...refusals },
  }),
  async (c) => {
    const caller = await callerOf(c.req.raw.headers)
    requireFreshProof(caller)
    return c.json({ data: { ended: await revokeOtherSessions(caller) } }, 200)
  },
)

routes.openapi(
  defineRoute({
    method: 'post',
    path: '/confirm-password',
    access: { role: 'user', ...SMALL_BODY, limit: 'none', scope: 'none' },
    tags,
    description:
      'Proves the identity of the caller again. Changes of sessions and second factors need a sign-in, a password or a code in the last 15 minutes; other calls are refused with proof_required.',
    request: jsonBody(z.object({ password: z.string().min(1).max(256) })),
    responses: {
      204: { description: 'The password is right' },
      429: refusal('Too many wrong passwords'),
      ...refusals,
    },
  }),
  async (c) => {
    await confirmPassword(c.req.raw.headers, c.req.valid('json').password)
    return c.body(null, 204)
  },
)
