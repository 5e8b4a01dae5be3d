import { z } from '@hono/zod-openapi'
import { idOf, jsonBody, many, one, refusal, refusals } from '#server/http/respond.ts'
import { defineRoute } from '#server/http/define-route.ts'
import { actorOf, createRouter } from '#server/http/router.ts'
import { member, memberPatch, projectTransfer } from '#shared/contract/members.ts'
import { project } from '#shared/contract/projects.ts'
import { changeRole, listMembers, removeMember, transferProject } from './members.ts'
import { getProject } from './service.ts'

/** Routes that list, change and remove the members of a project. */
export const routes = createRouter()
const tags = ['Members']
const memberOf = { params: idOf('Project').params.extend({ user_id: z.string() }) }
const needsOwner = refusal('The project needs another owner first')

routes.openapi(
  defineRoute({
    method: 'get',
    path: '/projects/{id}/members',
    access: { role: 'read', body: 'none', limit: 'none', scope: 'none' },
    tags,
    request: idOf('Project'),
    responses: { 200: many(member, 'The members, the longest membership first'), ...refusals },
  }),
  async (c) => {
    const data = await listMembers(actorOf(c), c.req.valid('param').id)
    return c.json({ data, count: data.length }, 200)
  },
)

routes.openapi(
  defineRoute({
    method: 'patch',
    path: '/projects/{id}/members/{user_id}',
    access: { role: 'manage', body: 'json', limit: 'none', scope: 'none' },
    tags,
    request: { ...memberOf, ...jsonBody(memberPatch) },
    responses: { 200: one(member, 'The member with the new role'), ...refusals, 409: needsOwner },
  }),
  async (c) => {
    const { id, user_id } = c.req.valid('param')
    return c.json({ data: await changeRole(actorOf(c), id, user_id, c.req.valid('json')) }, 200)
  },
)

routes.openapi(
  defineRoute({
    method: 'delete',
    path: '/projects/{id}/members/{user_id}',
    access: { role: 'manage', body: 'none', limit: 'none', scope: 'none' },
    tags,
    summary: 'Remove a member; each member may remove the own membership',
    request: memberOf,
    responses: { 200: one(z.object({ user_id: z.string() }), 'The removed member'), ...refusals, 409: needsOwner },
  }),
  async (c) => {
    const { id, user_id } = c.req.valid('param')
    await removeMember(actorOf(c), id, user_id)
    return c.json({ data: { user_id } }, 200)
  },
)

routes.openapi(
  defineRoute({
    method: 'post',
    path: '/projects/{id}/transfer',
    access: { role: 'manage', body: 'json', limit: 'none', scope: 'none' },
    tags,
    request: { ...idOf('Project'), ...jsonBody(projectTransfer) },
    responses: { 200: one(project, 'The project under the name of its new owner'), ...refusals },
  }),
  async (c) => {
    const { id } = c.req.valid('param')
    await transferProject(actorOf(c), id, c.req.valid('json').user_id)
    return c.json({ data: await getProject(actorOf(c), id) }, 200)
  },
)
