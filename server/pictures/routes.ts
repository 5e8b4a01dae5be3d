import { z } from '@hono/zod-openapi'
import { notFound } from '#server/lib/errors.ts'
import { refusals } from '#server/http/respond.ts'
import { defineRoute } from '#server/http/define-route.ts'
import { createRouter, type AppContext } from '#server/http/router.ts'
import { storage } from '#server/storage/storage.ts'

/**
 * Routes of public images. An image's name has only letters, digits, `-`, `_` and `.`, so a path cannot refer to another
 * folder.
 */
export const routes = createRouter()

const describe = (path: '/files/project_hero/{name}' | '/files/avatars/profiles/{name}', what: string) =>
  defineRoute({
    method: 'get',
    path,
    access: { role: 'visitor', body: 'none', limit: 'none', scope: 'none' },
    tags: ['Pictures'],
    security: [],
    request: {
      params: z.object({ name: z.string().regex(/^[\da-f-]{36}[\w-]*(?:\.w\d+)?\.webp$/, 'File not found') }),
    },
    responses: {
      200: { description: what, content: { 'image/webp': { schema: z.string().openapi({ format: 'binary' }) } } },
      404: refusals[404],
    },
  })

routes.openapi(describe('/files/project_hero/{name}', 'The hero image of a project'), (c) =>
  answer(c, `project_hero/${c.req.valid('param').name}`),
)
routes.openapi(describe('/files/avatars/profiles/{name}', 'The avatar of a user'), (c) =>
  answer(c, `avatars/profiles/${c.req.valid('param').name}`),
)

async function answer(context: AppContext, key: string): Promise<Response> {
  const size = await storage().size(key)
  if (size === null) throw notFound('File')
  const headers = {
    'content-type': 'image/webp',
    'content-length': String(size),
    'cache-control': 'public, max-age=3600',
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
  }
  return new Response(context.req.method === 'HEAD' ? null : await storage().read(key), { headers })
}
