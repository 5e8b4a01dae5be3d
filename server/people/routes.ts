import { z } from '@hono/zod-openapi'
import { jsonBody, many, one, refusals } from '#server/http/respond.ts'
import { defineRoute } from '#server/http/define-route.ts'
import { actorOf, createRouter } from '#server/http/router.ts'
import { peopleQuery, person, personPatch } from '#shared/contract/people.ts'
import { changePerson, listPeople } from './service.ts'

export const routes = createRouter()
const tags = ['Administration']

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/admin/people',
    access: { role: 'admin', body: 'none', limit: 'none' },
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
    access: { role: 'admin', body: 'json', limit: 'none' },
    tags,
    summary: 'Grant or remove the admin right, or disable or enable an account',
    description:
      'A disabled account is signed out everywhere, its live streams end and its jobs stop. The last admin keeps the right, and admins cannot disable themselves.',
    request: { params: z.object({ id: z.string().max(100) }), ...jsonBody(personPatch) },
    responses: { 200: one(person, 'The changed person'), ...refusals },
  }),
  async (c) => c.json({ data: await changePerson(actorOf(c), c.req.valid('param').id, c.req.valid('json')) }, 200),
)
