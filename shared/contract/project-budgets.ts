import { z } from 'zod'
import type { ProjectRole } from './roles.ts'
import { rowVersion, seenVersion } from './versions.ts'

/** The roles that can spend money: those with the right to use models. */
export const BUDGET_ROLES = ['reviewer', 'editor', 'resolver', 'owner'] as const satisfies readonly ProjectRole[]
export type BudgetRole = (typeof BUDGET_ROLES)[number]

const dollars = z
  .number()
  .min(0, 'Enter a budget of 0 or more.')
  .max(10_000_000, 'Enter a budget of at most 10,000,000.')
  .nullable()

/** Monthly budgets (UTC) of a project in US dollars; null for none. `roles`: the budget of each member with this role. */
const budgets = z.object({
  dollars,
  roles: z.object({ reviewer: dollars, editor: dollars, resolver: dollars, owner: dollars }),
})

/** PUT /api/projects/{id}/budget: the new budgets. */
export const projectBudgetInput = budgets.extend({ version: seenVersion.optional() })
export type ProjectBudgetInput = z.output<typeof projectBudgetInput>

/** Response of GET /api/projects/{id}/budget. */
export const projectBudget = budgets.extend({
  version: rowVersion,
  month: z.string().describe('yyyy-mm, in UTC'),
  spent_usd: z.number().describe('the cost of the project in this month'),
})
export type ProjectBudget = z.output<typeof projectBudget>
