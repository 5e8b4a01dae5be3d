import { and, asc, desc, eq, gte, inArray, isNotNull, or, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { profiles } from '#server/db/tables/profiles.ts'
import { aiBudgets, aiUsageDaily } from '#server/db/tables/usage.ts'

export type Scope = (typeof aiBudgets.$inferSelect)['scope']
export const MONTH_START = sql`date_trunc('month', now() at time zone 'UTC')::date`

/**
 * Returns the monthly budgets in US dollars; null means no budget. `installation` limits all users together. `everyone` is the
 * default limit of each user. `person` is the limit of the user `userId`: an individual budget, or else `everyone`. If `userId`
 * is null, `person` equals `everyone`.
 */
export async function findBudgets(tx: Tx, userId: string | null) {
  const rows = await tx
    .select({ scope: aiBudgets.scope, dollars: aiBudgets.dollars })
    .from(aiBudgets)
    .where(or(inArray(aiBudgets.scope, ['installation', 'everyone']), eq(aiBudgets.user_id, userId ?? '')))
  const of = (scope: Scope) => rows.find((row) => row.scope === scope)?.dollars ?? null
  return { installation: of('installation'), everyone: of('everyone'), person: of('person') ?? of('everyone') }
}

/**
 * Returns the cost in US dollars since the month began (UTC): of all users (`all`), and of the user `userId` (`own`; 0 if
 * `userId` is null).
 */
export async function sumMonth(tx: Tx, userId: string | null) {
  const [found] = await tx
    .select({
      all: sql`coalesce(sum(${aiUsageDaily.cost_usd}), 0)`.mapWith(Number),
      own: sql`coalesce(sum(${aiUsageDaily.cost_usd}) filter (where ${aiUsageDaily.person} = ${userId ?? ''}), 0)`.mapWith(
        Number,
      ),
    })
    .from(aiUsageDaily)
    .where(gte(aiUsageDaily.day, MONTH_START))
  return found!
}

/**
 * Returns up to `limit` users: first the users with an individual budget, then other users with cost in this month. Both groups
 * are sorted by cost in this month, highest first.
 */
export function listSpenders(tx: Tx, limit: number) {
  const spent = tx
    .select({ person: aiUsageDaily.person, spent_usd: sql<number>`sum(${aiUsageDaily.cost_usd})`.as('spent_usd') })
    .from(aiUsageDaily)
    .where(gte(aiUsageDaily.day, MONTH_START))
    .groupBy(aiUsageDaily.person)
    .as('spent')
  return tx
    .select({
      user_id: profiles.id,
      email: profiles.email,
      full_name: profiles.full_name,
      dollars: aiBudgets.dollars,
      spent_usd: sql`coalesce(${spent.spent_usd}, 0)`.mapWith(Number),
    })
    .from(profiles)
    .leftJoin(aiBudgets, and(eq(aiBudgets.user_id, profiles.id), eq(aiBudgets.scope, 'person')))
    .leftJoin(spent, eq(spent.person, profiles.id))
    .where(or(isNotNull(aiBudgets.dollars), sql`${spent.spent_usd} > 0`))
    .orderBy(sql`${aiBudgets.dollars} is null`, desc(sql`coalesce(${spent.spent_usd}, 0)`), asc(profiles.email))
    .limit(limit)
}

/** Returns the user with this id or e-mail address (any case), or undefined. */
export async function findPerson(tx: Tx, named: string) {
  const [found] = await tx
    .select({ id: profiles.id, email: profiles.email })
    .from(profiles)
    .where(or(eq(profiles.id, named), eq(sql`lower(${profiles.email})`, named.toLowerCase())))
  return found
}

const isBudget = (scope: Scope, userId: string | null) =>
  and(eq(aiBudgets.scope, scope), userId === null ? sql`${aiBudgets.user_id} is null` : eq(aiBudgets.user_id, userId))

/**
 * Locks all budgets until the transaction ends, so that other transactions that change a budget wait. Returns one budget in US
 * dollars, or null for none: the budget of the installation, of everyone, or (`scope` 'person') of the user `userId`.
 */
export async function lockBudget(tx: Tx, scope: Scope, userId: string | null): Promise<number | null> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('lectern:budgets'))`)
  const [found] = await tx.select({ dollars: aiBudgets.dollars }).from(aiBudgets).where(isBudget(scope, userId))
  return found?.dollars ?? null
}

/**
 * Sets a monthly budget in US dollars, or removes it if `dollars` is null. It is the budget of the installation, of everyone,
 * or (`scope` 'person') of the user `userId`.
 */
export async function writeBudget(tx: Tx, scope: Scope, userId: string | null, dollars: number | null): Promise<void> {
  if (dollars === null) await tx.delete(aiBudgets).where(isBudget(scope, userId))
  else
    await tx
      .insert(aiBudgets)
      .values({ scope, user_id: userId, dollars })
      .onConflictDoUpdate({ target: [aiBudgets.scope, aiBudgets.user_id], set: { dollars, updated_at: sql`now()` } })
}
