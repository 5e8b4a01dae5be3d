import type { AiContext } from '#server/ai/index.ts'
import { recordAudit } from '#server/audit/index.ts'
import { asAdmin, asOwner } from '#server/db/client.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import type { Actor } from '#server/lib/session.ts'
import type { BudgetInput, Budgets } from '#shared/usage.ts'
import { findBudgets, findPerson, listSpenders, sumMonth, writeBudget } from './budget-queries.ts'

/** More people than an admin looks through; who has a budget of their own comes first. */
const PEOPLE_SHOWN = 100

/** Lets work begin that a provider is paid for, or refuses it (over_budget) where a budget of this month is used up. */
export async function checkBudget({ userId }: Pick<AiContext, 'userId'>): Promise<void> {
  await asOwner(async (tx) => {
    const { installation, person } = await findBudgets(tx, userId)
    if (installation === null && (person === null || userId === null)) return
    const spent = await sumMonth(tx, userId)
    if (installation !== null && spent.all >= installation) throw usedUp('The monthly AI budget of this installation')
    if (userId !== null && person !== null && spent.own >= person) throw usedUp('Your monthly AI budget')
  })
}

function usedUp(whose: string): AppError {
  const now = new Date()
  const next = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1))
  const day = next.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' })
  return new AppError(
    'over_budget',
    `${whose} is used up. New AI work can start on ${day}, or when an administrator raises the budget.`,
  )
}

/** All budgets, with what is spent of them this month. */
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

/** Sets a budget of a month, or takes it away where no dollars are given. */
export async function setBudget(actor: Actor, { scope, person: named, dollars }: BudgetInput): Promise<Budgets> {
  await asAdmin(actor, async (tx) => {
    const person = scope === 'person' ? await findPerson(tx, named ?? '') : null
    if (person === undefined) throw notFound('Person')
    const before = await writeBudget(tx, scope, person?.id ?? null, dollars)
    await recordAudit(tx, actor, {
      action: 'budget.changed',
      subjectId: person?.id ?? null,
      subject: { installation: 'Installation', everyone: 'Everyone', person: null }[scope],
      details: { dollars_a_month: { from: before, to: dollars } },
    })
  })
  return listBudgets(actor)
}
