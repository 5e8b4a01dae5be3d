import type { Actor } from '#server/db/actor.ts'
import { asActor, type Tx } from '#server/db/client.ts'
import { withOwnerRole } from '#server/events/owner-role.ts'
import { checkProject } from '#server/projects/index.ts'
import { BUDGET_ROLES, type ProjectBudget, type ProjectBudgetInput } from '#shared/contract/project-budgets.ts'
import { listProjectBudgets, sumProjectMonth, writeProjectBudget } from './project-budget-queries.ts'

/** Returns the monthly budgets of a project and its cost in this month. */
export const getProjectBudget = (actor: Actor, projectId: string): Promise<ProjectBudget> =>
  asActor(actor, async (tx) => {
    await checkProject(tx, projectId, 'manage')
    return readBudget(tx, actor, projectId)
  })

/** Replaces the monthly budgets of a project. */
export const setProjectBudget = (actor: Actor, projectId: string, input: ProjectBudgetInput): Promise<ProjectBudget> =>
  asActor(actor, async (tx) => {
    await checkProject(tx, projectId, 'manage')
    await writeProjectBudget(tx, projectId, null, input.dollars)
    for (const role of BUDGET_ROLES) await writeProjectBudget(tx, projectId, role, input.roles[role])
    return readBudget(tx, actor, projectId)
  })

async function readBudget(tx: Tx, actor: Actor, projectId: string): Promise<ProjectBudget> {
  const rows = await listProjectBudgets(tx, projectId)
  const of = (wanted: string | null) => rows.find(({ role }) => role === wanted)?.dollars ?? null
  // Row-level security shows calls to their user only, and the owner of a project sees the sum.
  const { all } = await withOwnerRole(tx, () => sumProjectMonth(tx, projectId, actor.userId))
  return {
    month: new Date().toISOString().slice(0, 7),
    dollars: of(null),
    spent_usd: all,
    roles: { reviewer: of('reviewer'), editor: of('editor'), resolver: of('resolver'), owner: of('owner') },
  }
}
