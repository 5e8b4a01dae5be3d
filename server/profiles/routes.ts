import { z } from '@hono/zod-openapi'
import { jsonBody, one, refusal, refusals } from '#server/http/respond.ts'
import { defineRoute, streamRoute } from '#server/http/define-route.ts'
import { actorOf, createRouter } from '#server/http/router.ts'
import { profile, profilePatch } from '#shared/contract/profiles.ts'
import { receiveAvatar, setAvatar } from './avatar.ts'
import { changeProfile } from './change-profile.ts'
import { getProfile } from './service.ts'

const idParam = z.object({ id: z.string() })

export const routes = createRouter()

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/profiles/{id}',
    access: { role: 'owner or admin', body: 'none', limit: 'none', scope: 'none' },
    tags: ['Profiles'],
    request: { params: idParam },
    responses: { 200: one(profile, 'The profile'), ...refusals },
  }),
  async (c) => c.json({ data: await getProfile(actorOf(c), c.req.valid('param').id) }, 200),
)

routes.openapi(
  defineRoute({
    method: 'patch',
    path: '/profiles/{id}',
    access: { role: 'owner', body: 'json', limit: 'none', scope: 'none' },
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
streamRoute(
  routes,
  defineRoute({
    method: 'post',
    path: '/profiles/{id}/avatar',
    access: { role: 'owner', body: 'file', limit: 'upload', scope: 'none' },
    tags: ['Profiles'],
    request: { params: idParam, ...upload },
    responses: {
      200: one(profile, 'The profile with its new avatar, encoded again and cropped to a square'),
      413: refusal('The image is larger than 2 MB'),
      415: refusal('The file is not an image'),
      ...refusals,
    },
  }),
  async (c) => c.json({ data: await receiveAvatar(actorOf(c), c.req.param('id')!, c.req.raw) }, 200),
)

routes.openapi(
  defineRoute({
    method: 'delete',
    path: '/profiles/{id}/avatar',
    access: { role: 'owner', body: 'none', limit: 'none', scope: 'none' },
    tags: ['Profiles'],
    request: { params: idParam },
    responses: { 200: one(profile, 'The profile without an avatar'), ...refusals },
  }),
  async (c) => c.json({ data: await setAvatar(actorOf(c), c.req.valid('param').id, null) }, 200),
)
