import type { Actor } from '#server/db/actor.ts'
import { asActor, type Tx } from '#server/db/client.ts'
import { withOwnerRole } from '#server/events/owner-role.ts'
import { refuseStaleChange } from '#server/lib/stale-change.ts'
import { checkProject, countFieldChanges, lockProjectRow, projectOrThrow } from '#server/projects/index.ts'
import {
  BUDGET_ROLES,
  type BudgetRole,
  type ProjectBudget,
  type ProjectBudgetInput,
} from '#shared/contract/project-budgets.ts'
import { listProjectBudgets, sumProjectMonth, writeProjectBudget } from './project-budget-queries.ts'

/** Returns the monthly budgets of a project and its cost in this month. */
export const getProjectBudget = (actor: Actor, projectId: string): Promise<ProjectBudget> =>
  asActor(actor, async (tx) => {
    await checkProject(tx, projectId, 'manage')
    return readBudget(tx, actor, projectId)
  })

/**
 * Replaces the monthly budgets of a project. Throws 'changed' when another owner changed one of them after `version`, the
 * version of the project that the caller has read.
 */
export const setProjectBudget = (
  actor: Actor,
  projectId: string,
  { version, ...input }: ProjectBudgetInput,
): Promise<ProjectBudget> =>
  asActor(actor, async (tx) => {
    const locked = await lockProjectRow(tx, projectId)
    await checkProject(tx, projectId, 'manage')
    const before = await readBudget(tx, actor, projectId)
    const [old, wanted] = [fieldsOf(before), fieldsOf(input)]
    const field_versions = locked?.field_versions ?? {}
    refuseStaleChange({ ...old, field_versions }, wanted, version, () => before)
    await writeProjectBudget(tx, projectId, null, input.dollars)
    for (const role of BUDGET_ROLES) await writeProjectBudget(tx, projectId, role, input.roles[role])
    await countFieldChanges(
      tx,
      projectId,
      FIELDS.filter((name) => wanted[name] !== old[name]),
    )
    return readBudget(tx, actor, projectId)
  })

type Field = 'dollars' | `roles.${BudgetRole}`
type Fields = Record<Field, string>

/**
 * Returns the budgets as texts, by the name of their field. A missing budget is an empty text, which differs from a budget of
 * 0.
 */
const fieldsOf = ({ dollars, roles }: Pick<ProjectBudget, 'dollars' | 'roles'>): Fields => ({
  dollars: String(dollars ?? ''),
  'roles.reviewer': String(roles.reviewer ?? ''),
  'roles.editor': String(roles.editor ?? ''),
  'roles.resolver': String(roles.resolver ?? ''),
  'roles.owner': String(roles.owner ?? ''),
})
const FIELDS: readonly Field[] = ['dollars', ...BUDGET_ROLES.map((role) => `roles.${role}` as const)]

async function readBudget(tx: Tx, actor: Actor, projectId: string): Promise<ProjectBudget> {
  const rows = await listProjectBudgets(tx, projectId)
  const { version } = await projectOrThrow(tx, projectId, 'manage')
  const of = (wanted: string | null) => rows.find(({ role }) => role === wanted)?.dollars ?? null
  // Row-level security shows calls to their user only, and the owner of a project sees the sum.
  const { all } = await withOwnerRole(tx, () => sumProjectMonth(tx, projectId, actor.userId))
  return {
    version,
    month: new Date().toISOString().slice(0, 7),
    dollars: of(null),
    spent_usd: all,
    roles: { reviewer: of('reviewer'), editor: of('editor'), resolver: of('resolver'), owner: of('owner') },
  }
}
