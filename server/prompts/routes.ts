import { createRoute } from '@hono/zod-openapi'
import { many, refusals } from '#server/lib/respond.ts'
import { actorOf, createRouter } from '#server/lib/router.ts'
import { prompt } from '#shared/prompts.ts'
import { listPrompts } from './service.ts'

export const routes = createRouter()

routes.openapi(
  createRoute({
    method: 'get',
    path: '/prompts',
    tags: ['Prompts'],
    responses: { 200: many(prompt, 'The prompt library'), ...refusals },
  }),
  async (c) => {
    const data = await listPrompts(actorOf(c))
    return c.json({ data, count: data.length }, 200)
  },
)
