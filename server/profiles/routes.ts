import { createRoute, z } from '@hono/zod-openapi'
import { jsonBody, one, refusals } from '#server/lib/respond.ts'
import { actorOf, createRouter } from '#server/lib/router.ts'
import { profile, profilePatch } from '#shared/profiles.ts'
import { getProfile, updateProfile } from './service.ts'

const idParam = z.object({ id: z.string() })

export const routes = createRouter()

routes.openapi(
  createRoute({
    method: 'get',
    path: '/profiles/{id}',
    tags: ['Profiles'],
    request: { params: idParam },
    responses: { 200: one(profile, 'The profile'), ...refusals },
  }),
  async (c) => c.json({ data: await getProfile(actorOf(c), c.req.valid('param').id) }, 200),
)

routes.openapi(
  createRoute({
    method: 'patch',
    path: '/profiles/{id}',
    tags: ['Profiles'],
    request: { params: idParam, ...jsonBody(profilePatch) },
    responses: { 200: one(profile, 'The changed profile'), ...refusals },
  }),
  async (c) => c.json({ data: await updateProfile(actorOf(c), c.req.valid('param').id, c.req.valid('json')) }, 200),
)
