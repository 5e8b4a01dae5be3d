import { recordAudit } from '#server/audit/index.ts'
import { asAdmin } from '#server/db/client.ts'
import { notFound } from '#server/lib/errors.ts'
import { refuseStaleValue } from '#server/lib/stale-change.ts'
import type { Actor } from '#server/db/actor.ts'
import type { BudgetInput, Budgets } from '#shared/contract/usage.ts'
import { findBudgets, findPerson, listSpenders, lockBudget, sumMonth, writeBudget } from './budget-queries.ts'

/** Maximum number of users in the list; users with their own budget come first. */
const PEOPLE_SHOWN = 100

/** Returns the budgets of the installation, of everyone and of users, with the cost in this month. */
export const listBudgets = (actor: Actor): Promise<Budgets> =>
  asAdmin(actor, async (tx) => {
    const { installation, everyone } = await findBudgets(tx, null)
    const { all } = await sumMonth(tx, null)
    return {
      month: new Date().toISOString().slice(0, 7),
      installation: { dollars: installation, spent_usd: all },
      everyone,
      people: await listSpenders(tx, PEOPLE_SHOWN),
    }
  })

/**
 * Sets a monthly budget in US dollars, or removes it if `dollars` is null: of the installation, of everyone, or (`scope`
 * 'person') of the user whose id or e-mail address is `person`. Throws 'changed' if the budget is not `seen`, the value that
 * the admin saw before the change, and 'not_found' for an unknown user.
 */
export async function setBudget(actor: Actor, { scope, person: named, dollars, seen }: BudgetInput): Promise<Budgets> {
  await asAdmin(actor, async (tx) => {
    const person = scope === 'person' ? await findPerson(tx, named ?? '') : null
    if (person === undefined) throw notFound('Person')
    const before = await lockBudget(tx, scope, person?.id ?? null)
    refuseStaleValue('dollars', before, dollars, seen)
    await writeBudget(tx, scope, person?.id ?? null, dollars)
    await recordAudit(tx, actor, {
      action: 'budget.changed',
      subjectId: person?.id ?? null,
      subject: { installation: 'Installation', everyone: 'Everyone', person: null }[scope],
      details: { dollars_a_month: { from: before, to: dollars } },
    })
  })
  return listBudgets(actor)
}
