import { z } from '@hono/zod-openapi'
import { checkFreshProof } from '#server/auth/index.ts'
import { jsonBody, many, one, refusals } from '#server/http/respond.ts'
import { defineRoute } from '#server/http/define-route.ts'
import { actorOf, createRouter } from '#server/http/router.ts'
import { passwordLink, peopleQuery, person, personPatch } from '#shared/contract/people.ts'
import { changePerson, createLinkFor, listPeople } from './service.ts'

export const routes = createRouter()
const tags = ['Administration']

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/admin/people',
    access: { role: 'admin', body: 'none', limit: 'none', scope: 'none' },
    tags,
    request: { query: peopleQuery },
    responses: { 200: many(person, 'The people of this installation'), ...refusals },
  }),
  async (c) => c.json(await listPeople(actorOf(c), c.req.valid('query')), 200),
)

routes.openapi(
  defineRoute({
    method: 'patch',
    path: '/admin/people/{id}',
    access: { role: 'admin', body: 'json', limit: 'none', scope: 'none' },
    tags,
    summary: 'Grant or remove the admin right, or disable or enable an account',
    description:
      'A disabled account is signed out everywhere, its live streams end and its jobs stop. The last admin keeps the right, and admins cannot disable themselves.',
    request: { params: z.object({ id: z.string().max(100) }), ...jsonBody(personPatch) },
    responses: { 200: one(person, 'The changed person'), ...refusals },
  }),
  async (c) => c.json({ data: await changePerson(actorOf(c), c.req.valid('param').id, c.req.valid('json')) }, 200),
)

routes.openapi(
  defineRoute({
    method: 'post',
    path: '/admin/people/{id}/password-link',
    access: { role: 'admin', body: 'none', limit: 'none', scope: 'none' },
    tags,
    summary: 'Create a link with which a user chooses a new password',
    description:
      'For users who cannot get an e-mail. The link works once within 24 hours and replaces earlier links; the second factor stays. Needs a sign-in, a password or a code of the caller in the last 15 minutes, otherwise proof_required.',
    request: { params: z.object({ id: z.string().max(100) }) },
    responses: { 200: one(passwordLink, 'The link, which is shown only here'), ...refusals },
  }),
  async (c) => {
    await checkFreshProof(c.req.raw.headers)
    c.header('cache-control', 'no-store')
    return c.json({ data: await createLinkFor(actorOf(c), c.req.valid('param').id) }, 200)
  },
)
