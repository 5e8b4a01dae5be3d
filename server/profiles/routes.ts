import { createRoute, z } from '@hono/zod-openapi'
import { jsonBody, one, refusal, refusals } from '#server/http/respond.ts'
import { actorOf, createRouter } from '#server/http/router.ts'
import { profile, profilePatch } from '#shared/contract/profiles.ts'
import { receiveAvatar, setAvatar } from './avatar.ts'
import { changeProfile } from './change-profile.ts'
import { getProfile } from './service.ts'

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
  async (c) => c.json({ data: await changeProfile(actorOf(c), c.req.valid('param').id, c.req.valid('json')) }, 200),
)

const upload = {
  body: {
    required: true,
    content: { 'multipart/form-data': { schema: z.object({ file: z.string().openapi({ format: 'binary' }) }) } },
  },
}
// Registered for the API documentation only: the handler reads the body itself, to limit its size as it arrives.
routes.openAPIRegistry.registerPath(
  createRoute({
    method: 'post',
    path: '/profiles/{id}/avatar',
    tags: ['Profiles'],
    request: { params: idParam, ...upload },
    responses: {
      200: one(profile, 'The profile with its new avatar, encoded again and cropped to a square'),
      413: refusal('The image is larger than 2 MB'),
      415: refusal('The file is not an image'),
      ...refusals,
    },
  }),
)
routes.post('/profiles/:id/avatar', async (c) =>
  c.json({ data: await receiveAvatar(actorOf(c), c.req.param('id'), c.req.raw) }, 200),
)

routes.openapi(
  createRoute({
    method: 'delete',
    path: '/profiles/{id}/avatar',
    tags: ['Profiles'],
    request: { params: idParam },
    responses: { 200: one(profile, 'The profile without an avatar'), ...refusals },
  }),
  async (c) => c.json({ data: await setAvatar(actorOf(c), c.req.valid('param').id, null) }, 200),
)
