import { and, eq, gte, isNull, or, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { documents } from '#server/db/tables/documents.ts'
import { projectMembers } from '#server/db/tables/members.ts'
import { aiCalls, projectBudgets } from '#server/db/tables/usage.ts'
import type { BudgetRole } from '#shared/contract/project-budgets.ts'

const MONTH_START = sql`(date_trunc('month', now() at time zone 'UTC') at time zone 'UTC')`

/** Returns the id of a document's project, or null. */
export async function findProjectOf(tx: Tx, documentId: string): Promise<string | null> {
  const [row] = await tx.select({ id: documents.project_id }).from(documents).where(eq(documents.id, documentId))
  return row?.id ?? null
}

/** Returns the budgets of a project in US dollars. The role is null for the budget of the whole project. */
export const listProjectBudgets = (tx: Tx, projectId: string) =>
  tx
    .select({ role: projectBudgets.role, dollars: projectBudgets.dollars })
    .from(projectBudgets)
    .where(eq(projectBudgets.project_id, projectId))

/**
 * Returns the budgets in US dollars that apply to a member of a project: `project` is the budget of the whole project, and
 * `member` the budget of each member with the role of this user. Null means no budget.
 */
export async function findProjectBudgets(tx: Tx, projectId: string, userId: string) {
  const ofMember = tx
    .select({ role: projectMembers.role })
    .from(projectMembers)
    .where(and(eq(projectMembers.project_id, projectId), eq(projectMembers.user_id, userId)))
  const rows = await tx
    .select({ role: projectBudgets.role, dollars: projectBudgets.dollars })
    .from(projectBudgets)
    .where(
      and(
        eq(projectBudgets.project_id, projectId),
        or(isNull(projectBudgets.role), sql`${projectBudgets.role} = (${ofMember})`),
      ),
    )
  return {
    project: rows.find(({ role }) => role === null)?.dollars ?? null,
    member: rows.find(({ role }) => role !== null)?.dollars ?? null,
  }
}

/**
 * Returns the cost of a project in US dollars since the month began (UTC): of all members (`all`), and of this user (`own`).
 */
export async function sumProjectMonth(tx: Tx, projectId: string, userId: string) {
  const cost = sql`sum(${aiCalls.cost_usd})`
  const [found] = await tx
    .select({
      all: sql`coalesce(${cost}, 0)`.mapWith(Number),
      own: sql`coalesce(${cost} filter (where ${aiCalls.user_id} = ${userId}), 0)`.mapWith(Number),
    })
    .from(aiCalls)
    .where(and(eq(aiCalls.project_id, projectId), gte(aiCalls.created_at, MONTH_START)))
  return found!
}

/**
 * Sets the monthly budget of a whole project (`role` is null), or of each of its members with this role. Removes the budget if
 * `dollars` is null.
 */
export async function writeProjectBudget(
  tx: Tx,
  projectId: string,
  role: BudgetRole | null,
  dollars: number | null,
): Promise<void> {
  if (dollars === null)
    await tx
      .delete(projectBudgets)
      .where(
        and(
          eq(projectBudgets.project_id, projectId),
          role === null ? isNull(projectBudgets.role) : eq(projectBudgets.role, role),
        ),
      )
  else
    await tx
      .insert(projectBudgets)
      .values({ project_id: projectId, role, dollars })
      .onConflictDoUpdate({ target: [projectBudgets.project_id, projectBudgets.role], set: { dollars } })
}
