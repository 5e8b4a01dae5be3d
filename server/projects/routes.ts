import { z } from '@hono/zod-openapi'
import { notFound } from '#server/lib/errors.ts'
import { pageOf, pageQuery } from '#server/http/list-page.ts'
import { idOf, jsonBody, many, one, refusal, refusals } from '#server/http/respond.ts'
import { defineRoute, streamRoute } from '#server/http/define-route.ts'
import { actorOf, createRouter, invalidInput } from '#server/http/router.ts'
import { listedTag, project, projectInput, projectPatch, projectsQuery, tagsQuery } from '#shared/contract/projects.ts'
import { routes as memberRoutes } from './member-routes.ts'
import { receiveHeroImage, setHeroImage } from './hero-image.ts'
import { createProject, deleteProject, getProject, listProjects, listTags, updateProject } from './service.ts'

export const routes = createRouter()
routes.route('/', memberRoutes)
const tags = ['Projects']
const hasDocuments = refusal('The project has documents')

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/projects',
    access: { role: 'user', body: 'none', limit: 'none', scope: 'read' },
    tags,
    request: { query: projectsQuery.extend(pageQuery) },
    responses: { 200: many(project, 'The projects, newest first by default'), ...refusals },
  }),
  async (c) => {
    const query = c.req.valid('query')
    return c.json(pageOf(await listProjects(actorOf(c), query), query), 200)
  },
)

routes.openapi(
  defineRoute({
    method: 'post',
    path: '/projects',
    access: { role: 'user', body: 'json', limit: 'none', scope: 'none' },
    tags,
    request: jsonBody(projectInput),
    responses: { 201: one(project, 'The new project'), ...refusals },
  }),
  async (c) => c.json({ data: await createProject(actorOf(c), c.req.valid('json')) }, 201),
)

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/projects/{id}',
    access: { role: 'read', body: 'none', limit: 'none', scope: 'read' },
    tags,
    request: idOf('Project'),
    responses: { 200: one(project, 'The project'), ...refusals },
  }),
  async (c) => c.json({ data: await getProject(actorOf(c), c.req.valid('param').id) }, 200),
)

routes.openapi(
  defineRoute({
    method: 'patch',
    path: '/projects/{id}',
    access: { role: 'manage', body: 'json', limit: 'none', scope: 'none' },
    tags,
    request: { ...idOf('Project'), ...jsonBody(projectPatch) },
    responses: { 200: one(project, 'The changed project'), ...refusals },
  }),
  async (c) => c.json({ data: await updateProject(actorOf(c), c.req.valid('param').id, c.req.valid('json')) }, 200),
)

routes.openapi(
  defineRoute({
    method: 'delete',
    path: '/projects/{id}',
    access: { role: 'manage', body: 'none', limit: 'none', scope: 'none' },
    tags,
    request: idOf('Project'),
    responses: {
      200: one(z.object({ id: z.string() }), 'The id of the deleted project'),
      ...refusals,
      409: hasDocuments,
    },
  }),
  async (c) => {
    const { id } = c.req.valid('param')
    await deleteProject(actorOf(c), id)
    return c.json({ data: { id } }, 200)
  },
)

const heroQuery = z.strictObject({
  version: z.coerce.number().int().optional().describe('the version of the project that you saw, as in a PATCH'),
})
const heroRoute = defineRoute({
  method: 'post',
  path: '/projects/{id}/hero-image',
  access: { role: 'manage', body: 'file', limit: 'upload', scope: 'none' },
  tags,
  request: {
    ...idOf('Project'),
    query: heroQuery,
    body: {
      required: true,
      content: { 'multipart/form-data': { schema: z.object({ file: z.string().openapi({ format: 'binary' }) }) } },
    },
  },
  responses: {
    200: one(project, 'The project with its new hero image'),
    413: refusal('The image is larger than 5 MB'),
    415: refusal('The file is not an image'),
    ...refusals,
  },
})
streamRoute(routes, heroRoute, async (c) => {
  const actor = actorOf(c)
  const id = z.uuid().safeParse(c.req.param('id'))
  if (!id.success) throw notFound('Project')
  const query = heroQuery.safeParse(c.req.query())
  if (!query.success) throw invalidInput(query.error, 'malformed')
  return c.json({ data: await receiveHeroImage(actor, id.data, c.req.raw, query.data.version) }, 200)
})

routes.openapi(
  defineRoute({
    method: 'delete',
    path: '/projects/{id}/hero-image',
    access: { role: 'manage', body: 'none', limit: 'none', scope: 'none' },
    tags,
    request: { ...idOf('Project'), query: heroQuery },
    responses: { 200: one(project, 'The project without a hero image'), ...refusals },
  }),
  async (c) => {
    const { version } = c.req.valid('query')
    return c.json({ data: await setHeroImage(actorOf(c), c.req.valid('param').id, null, version) }, 200)
  },
)

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/tags',
    access: { role: 'user', body: 'none', limit: 'none', scope: 'read' },
    tags,
    request: { query: tagsQuery.extend(pageQuery) },
    responses: { 200: many(listedTag, 'The tags, by name'), ...refusals },
  }),
  async (c) => {
    const query = c.req.valid('query')
    return c.json(pageOf(await listTags(actorOf(c), query), query), 200)
  },
)
