import { z } from '@hono/zod-openapi'
import { pageOf, pageQuery, sliceOf } from '#server/http/list-page.ts'
import { idOf, jsonBody, many, one, refusal, refusals } from '#server/http/respond.ts'
import { defineRoute } from '#server/http/define-route.ts'
import { actorOf, createRouter } from '#server/http/router.ts'
import { prompt, promptInput, promptPatch, promptVersion } from '#shared/contract/prompts.ts'
import { addPrompt, changePrompt, listVersions, readVersion, removePrompt, restorePrompt } from './admin-service.ts'
import { listPrompts } from './service.ts'

export const routes = createRouter()
const tags = ['Prompts']

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/prompts',
    access: { role: 'user', body: 'none', limit: 'none', scope: 'read' },
    tags,
    request: { query: z.object(pageQuery) },
    responses: { 200: many(prompt, 'The prompt library'), ...refusals },
  }),
  async (c) => {
    return c.json(pageOf(await listPrompts(actorOf(c)), c.req.valid('query')), 200)
  },
)

routes.openapi(
  defineRoute({
    method: 'post',
    path: '/prompts',
    access: { role: 'admin', body: 'json', limit: 'none', scope: 'none' },
    tags,
    request: jsonBody(promptInput),
    responses: { 201: one(prompt, 'The new prompt'), ...refusals },
  }),
  async (c) => c.json({ data: await addPrompt(actorOf(c), c.req.valid('json')) }, 201),
)

routes.openapi(
  defineRoute({
    method: 'patch',
    path: '/prompts/{id}',
    access: { role: 'admin', body: 'json', limit: 'none', scope: 'none' },
    tags,
    request: { ...idOf('Prompt'), ...jsonBody(promptPatch) },
    responses: {
      200: one(prompt, 'The updated prompt'),
      409: refusal('Another user has changed the prompt'),
      ...refusals,
    },
  }),
  async (c) => c.json({ data: await changePrompt(actorOf(c), c.req.valid('param').id, c.req.valid('json')) }, 200),
)

routes.openapi(
  defineRoute({
    method: 'delete',
    path: '/prompts/{id}',
    access: { role: 'admin', body: 'none', limit: 'none', scope: 'none' },
    tags,
    request: idOf('Prompt'),
    responses: {
      204: { description: 'The prompt is deleted; its versions remain for the analyses that used them' },
      ...refusals,
    },
  }),
  async (c) => {
    await removePrompt(actorOf(c), c.req.valid('param').id)
    return c.body(null, 204)
  },
)

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/prompts/{id}/versions',
    access: { role: 'user', body: 'none', limit: 'none', scope: 'read' },
    tags,
    request: { ...idOf('Prompt'), query: z.object(pageQuery) },
    responses: { 200: many(promptVersion, 'All versions of the prompt, latest first'), ...refusals },
  }),
  async (c) => c.json(await listVersions(actorOf(c), c.req.valid('param').id, sliceOf(c.req.valid('query'))), 200),
)

routes.openapi(
  defineRoute({
    method: 'post',
    path: '/prompts/{id}/restore',
    access: { role: 'admin', body: 'json', limit: 'none', scope: 'none' },
    tags,
    request: { ...idOf('Prompt'), ...jsonBody(z.object({ version: z.number().int().min(1) })) },
    responses: { 200: one(prompt, 'The prompt with the text of the earlier version, as a new version'), ...refusals },
  }),
  async (c) =>
    c.json({ data: await restorePrompt(actorOf(c), c.req.valid('param').id, c.req.valid('json').version) }, 200),
)

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/prompt-versions/{id}',
    access: { role: 'user', body: 'none', limit: 'none', scope: 'read' },
    tags,
    request: idOf('Version'),
    responses: { 200: one(promptVersion, 'The version of the prompt that an analysis used'), ...refusals },
  }),
  async (c) => c.json({ data: await readVersion(actorOf(c), c.req.valid('param').id) }, 200),
)
