import { idOf, jsonBody, one, refusals } from '#server/http/respond.ts'
import { defineRoute } from '#server/http/define-route.ts'
import { actorOf, createRouter } from '#server/http/router.ts'
import { projectBudget, projectBudgetInput } from '#shared/contract/project-budgets.ts'
import { getProjectBudget, setProjectBudget } from './project-budgets.ts'

/** Routes that read and change the monthly budgets of a project. */
export const routes = createRouter()
const tags = ['Projects']
const path = '/projects/{id}/budget'

routes.openapi(
  defineRoute({
    method: 'get',
    path,
    access: { role: 'manage', body: 'none', limit: 'none', scope: 'none' },
    tags,
    request: idOf('Project'),
    responses: { 200: one(projectBudget, 'The budgets of the project, and its cost of this month'), ...refusals },
  }),
  async (c) => c.json({ data: await getProjectBudget(actorOf(c), c.req.valid('param').id) }, 200),
)

routes.openapi(
  defineRoute({
    method: 'put',
    path,
    access: { role: 'manage', body: 'json', limit: 'none', scope: 'none' },
    tags,
    request: { ...idOf('Project'), ...jsonBody(projectBudgetInput) },
    responses: { 200: one(projectBudget, 'The new budgets'), ...refusals },
  }),
  async (c) => c.json({ data: await setProjectBudget(actorOf(c), c.req.valid('param').id, c.req.valid('json')) }, 200),
)
