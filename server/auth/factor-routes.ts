import { z } from '@hono/zod-openapi'
import { jsonBody, one, refusal, refusals } from '#server/http/respond.ts'
import { defineRoute } from '#server/http/define-route.ts'
import { createRouter } from '#server/http/router.ts'
import {
  challenge,
  factor,
  factorAnswer,
  factorList,
  newChallenge,
  newFactor,
  startedFactor,
  verifiedFactor,
} from '#shared/contract/accounts.ts'
import { callerOf } from './caller.ts'
import { countFailure } from './count-failure.ts'
import { deviceForCode, markDevice } from './device-cookie.ts'
import { sendSession } from './send-session.ts'
import { listFactors, removeFactor, renewBackupCodes, startChallenge, startFactor, verifyFactor } from './factors.ts'
import { SMALL_BODY } from './small-body.ts'

/**
 * Routes of second factors. A session that waits for the code of its second factor can only list factors, start a challenge and
 * verify a code.
 */
export const routes = createRouter()
const tags = ['Second factor']
const pending = { pending: true }
// The service answers 404 for an id that is not a UUID.
const params = z.object({ factorId: z.string() })

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/factors',
    access: { role: 'pending', body: 'none', limit: 'none', scope: 'none' },
    tags,
    responses: { 200: one(factorList, "The caller's factors"), ...refusals },
  }),
  async (c) => c.json({ data: await listFactors(await callerOf(c.req.raw.headers, pending)) }, 200),
)

routes.openapi(
  defineRoute({
    method: 'post',
    path: '/factors',
    access: { role: 'user', ...SMALL_BODY, limit: 'none', scope: 'none' },
    tags,
    request: jsonBody(newFactor),
    responses: {
      201: one(startedFactor, 'Created: it becomes active when a code is verified'),
      409: refusal('A second factor is set up already'),
      501: refusal('A phone factor without an SMS gateway'),
      ...refusals,
    },
  }),
  async (c) => c.json({ data: await startFactor(await callerOf(c.req.raw.headers), c.req.valid('json')) }, 201),
)

routes.openapi(
  defineRoute({
    method: 'delete',
    path: '/factors/{factorId}',
    access: { role: 'owner', body: 'none', limit: 'none', scope: 'none' },
    tags,
    request: { params },
    responses: { 200: one(factor, 'The factor that was removed'), ...refusals },
  }),
  async (c) =>
    c.json({ data: await removeFactor(await callerOf(c.req.raw.headers), c.req.valid('param').factorId) }, 200),
)

routes.openapi(
  defineRoute({
    method: 'post',
    path: '/factors/{factorId}/challenge',
    access: { role: 'pending', ...SMALL_BODY, limit: 'none', scope: 'none' },
    tags,
    request: { params, body: { content: { 'application/json': { schema: newChallenge } } } },
    responses: { 200: one(challenge, 'The challenge, valid for five minutes and five tries'), ...refusals },
  }),
  async (c) =>
    c.json(
      { data: await startChallenge(await callerOf(c.req.raw.headers, pending), c.req.valid('param').factorId) },
      200,
    ),
)

routes.openapi(
  defineRoute({
    method: 'post',
    path: '/factors/{factorId}/verify',
    access: { role: 'pending', ...SMALL_BODY, limit: 'none', scope: 'none' },
    tags,
    request: { params, ...jsonBody(factorAnswer) },
    responses: {
      200: one(
        verifiedFactor,
        'The code was right: the session is aal2 from now on. A session that waited for it gets a new token, in the cookie and in set-auth-token; the old one is invalid',
      ),
      429: refusal('Too many wrong codes'),
      ...refusals,
    },
  }),
  async (c) => {
    const caller = await callerOf(c.req.raw.headers, pending)
    const { factorId } = c.req.valid('param')
    const device = await deviceForCode(c, caller.userId, factorId)
    const given = { ...c.req.valid('json'), device }
    const { verified, token } = await countFailure('code', () => verifyFactor(caller, factorId, given))
    if (token) await sendSession(c, token)
    c.header('set-cookie', await markDevice(c, caller.userId, { code: true }), { append: true })
    return c.json({ data: verified }, 200)
  },
)

routes.openapi(
  defineRoute({
    method: 'post',
    path: '/factors/{factorId}/backup-codes',
    access: { role: 'owner', body: 'none', limit: 'none', scope: 'none' },
    tags,
    request: { params },
    responses: {
      200: one(z.object({ backup_codes: z.array(z.string()) }), 'New codes; the previous ones are invalid'),
      ...refusals,
    },
  }),
  async (c) => {
    const caller = await callerOf(c.req.raw.headers)
    return c.json({ data: { backup_codes: await renewBackupCodes(caller, c.req.valid('param').factorId) } }, 200)
  },
)
