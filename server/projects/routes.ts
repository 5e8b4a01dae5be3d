import { createRoute, z } from '@hono/zod-openapi'
import { idOf, jsonBody, many, one, refusal, refusals } from '#server/lib/respond.ts'
import { actorOf, createRouter } from '#server/lib/router.ts'
import { project, projectInput, projectPatch, tag } from '#shared/projects.ts'
import { createProject, deleteProject, getProject, listProjects, listTags, updateProject } from './service.ts'

export const routes = createRouter()
const tags = ['Projects']
const hasDocuments = refusal('The project has documents')

routes.openapi(
  createRoute({
    method: 'get',
    path: '/projects',
    tags,
    request: { query: z.object({ name: z.string().max(300).optional() }) },
    responses: { 200: many(project, 'The projects, newest first'), ...refusals },
  }),
  async (c) => {
    const data = await listProjects(actorOf(c), c.req.valid('query').name)
    return c.json({ data, count: data.length }, 200)
  },
)

routes.openapi(
  createRoute({
    method: 'post',
    path: '/projects',
    tags,
    request: jsonBody(projectInput),
    responses: { 201: one(project, 'The new project'), ...refusals },
  }),
  async (c) => c.json({ data: await createProject(actorOf(c), c.req.valid('json')) }, 201),
)

routes.openapi(
  createRoute({
    method: 'get',
    path: '/projects/{id}',
    tags,
    request: idOf('Project'),
    responses: { 200: one(project, 'The project'), ...refusals },
  }),
  async (c) => c.json({ data: await getProject(actorOf(c), c.req.valid('param').id) }, 200),
)

routes.openapi(
  createRoute({
    method: 'patch',
    path: '/projects/{id}',
    tags,
    request: { ...idOf('Project'), ...jsonBody(projectPatch) },
    responses: { 200: one(project, 'The changed project'), ...refusals },
  }),
  async (c) => c.json({ data: await updateProject(actorOf(c), c.req.valid('param').id, c.req.valid('json')) }, 200),
)

routes.openapi(
  createRoute({
    method: 'delete',
    path: '/projects/{id}',
    tags,
    request: idOf('Project'),
    responses: { 200: one(z.object({ id: z.string() }), 'The id of what is gone'), ...refusals, 409: hasDocuments },
  }),
  async (c) => {
    const { id } = c.req.valid('param')
    await deleteProject(actorOf(c), id)
    return c.json({ data: { id } }, 200)
  },
)

routes.openapi(
  createRoute({ method: 'get', path: '/tags', tags, responses: { 200: many(tag, 'The tags, by name'), ...refusals } }),
  async (c) => {
    const data = await listTags(actorOf(c))
    return c.json({ data, count: data.length }, 200)
  },
)
