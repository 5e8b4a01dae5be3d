import { z } from '@hono/zod-openapi'
import { checkFreshProof } from '#server/auth/index.ts'
import { defineRoute } from '#server/http/define-route.ts'
import { pageQuery, sliceOf } from '#server/http/list-page.ts'
import { idOf, jsonBody, many, one, refusals } from '#server/http/respond.ts'
import { actorOf, createRouter } from '#server/http/router.ts'
import { apiKey, createdKey, keyCall, keyCallsQuery, LISTED_CALLS, newKey } from '#shared/contract/api-keys.ts'
import { createKey, listCalls, listKeys, revokeKey } from './service.ts'

/** Routes that manage the caller's API keys. A request with an API key may not call them. */
export const routes = createRouter()
const tags = ['API keys']

/** Maximum age in minutes of the caller's proof of identity (such as a password) when a key is created. */
const PROOF_MINUTES = 10

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/keys',
    access: { role: 'user', body: 'none', limit: 'none', scope: 'none' },
    tags,
    responses: { 200: many(apiKey, 'The keys, newest first'), ...refusals },
  }),
  async (c) => {
    const data = await listKeys(actorOf(c))
    return c.json({ data, count: data.length }, 200)
  },
)

routes.openapi(
  defineRoute({
    method: 'post',
    path: '/keys',
    access: { role: 'user', body: 'json', limit: 'new-key', scope: 'none' },
    tags,
    request: jsonBody(newKey),
    responses: { 201: one(createdKey, 'The key. No other response contains its text'), ...refusals },
  }),
  async (c) => {
    await checkFreshProof(c.req.raw.headers, PROOF_MINUTES)
    return c.json({ data: await createKey(actorOf(c), c.req.valid('json')) }, 201)
  },
)

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/keys/calls',
    access: { role: 'user', body: 'none', limit: 'none', scope: 'none' },
    tags,
    request: { query: keyCallsQuery.extend(pageQuery) },
    responses: {
      200: many(keyCall, `The last ${LISTED_CALLS} calls with the caller's keys, newest first`),
      ...refusals,
    },
  }),
  async (c) => {
    const { key_id, ...page } = c.req.valid('query')
    const { limit = LISTED_CALLS, offset } = sliceOf(page)
    return c.json(await listCalls(actorOf(c), { keyId: key_id }, { limit, offset }), 200)
  },
)

routes.openapi(
  defineRoute({
    method: 'delete',
    path: '/keys/{id}',
    access: { role: 'owner', body: 'none', limit: 'none', scope: 'none' },
    tags,
    request: idOf('Key'),
    responses: { 200: one(z.object({ id: z.uuid() }), 'The id of the revoked key'), ...refusals },
  }),
  async (c) => {
    const { id } = c.req.valid('param')
    await revokeKey(actorOf(c), id)
    return c.json({ data: { id } }, 200)
  },
)
