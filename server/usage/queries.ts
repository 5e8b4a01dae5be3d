import { and, asc, between, count, desc, eq, isNotNull, isNull, sql, type SQLWrapper } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { user } from '#server/db/tables/auth.ts'
import { documents } from '#server/db/tables/documents.ts'
import { apiKeys } from '#server/db/tables/keys.ts'
import { profiles } from '#server/db/tables/profiles.ts'
import { projects } from '#server/db/tables/projects.ts'
import { aiCalls, aiUsageDaily } from '#server/db/tables/usage.ts'

/** A period of whole days in UTC. It includes both `from` and `to`. */
export interface Period {
  from: string
  to: string
}

/** Inserts a model call. */
export async function insertCall(tx: Tx, call: typeof aiCalls.$inferInsert): Promise<void> {
  await tx.insert(aiCalls).values({
    ...call,
    // Document, project or user can be deleted before the call ends: the cost must still be recorded.
    document_id: sql`(select id from ${documents} where id = ${call.document_id})`,
    user_id: sql`(select id from ${user} where id = ${call.user_id})`,
    project_id: sql`coalesce((select project_id from ${documents} where id = ${call.document_id}),
      (select id from ${projects} where id = ${call.project_id}))`,
    key_id: sql`(select id from ${apiKeys} where id = ${call.key_id})`,
  })
}

const daily = aiUsageDaily
const sum = (of: SQLWrapper) => sql`coalesce(sum(${of}), 0)`.mapWith(Number)
const SUMS = {
  calls: sum(daily.calls),
  tokens: sum(sql`${daily.tokens_in} + ${daily.tokens_out}`),
  cost_usd: sum(daily.cost_usd),
}
const SIDES = { tokens_in: sum(daily.tokens_in), tokens_out: sum(daily.tokens_out) }
const within = ({ from, to }: Period) => between(daily.day, from, to)

/** Returns the number, the tokens and the cost of all calls ever made, and the day of the first call. */
export async function sumEverything(tx: Tx) {
  const [found] = await tx.select({ ...SUMS, since: sql<string | null>`min(${daily.day})::text` }).from(daily)
  return found!
}

/** Returns the calls, failed calls, tokens and cost of all users in a period of days. */
export async function sumPeriod(tx: Tx, period: Period) {
  const [found] = await tx
    .select({ ...SUMS, ...SIDES, failed: sum(daily.failed) })
    .from(daily)
    .where(within(period))
  return found!
}

/** Returns the calls, tokens and cost of a period, by day and purpose. Days without a call are missing. */
export const sumDays = (tx: Tx, period: Period) =>
  tx
    .select({ day: daily.day, purpose: daily.purpose, ...SUMS })
    .from(daily)
    .where(within(period))
    .groupBy(daily.day, daily.purpose)
    .orderBy(daily.day)

/** Returns calls, tokens and cost by purpose, most tokens first. */
export const sumPurposes = (tx: Tx, period: Period) =>
  tx
    .select({ purpose: daily.purpose, ...SUMS })
    .from(daily)
    .where(within(period))
    .groupBy(daily.purpose)
    .orderBy(desc(SUMS.tokens))

/** Returns calls, tokens and cost by model, highest cost first. */
export const sumModels = (tx: Tx, period: Period) =>
  tx
    .select({ model: daily.model, ...SUMS, ...SIDES })
    .from(daily)
    .where(within(period))
    .groupBy(daily.model)
    .orderBy(desc(SUMS.cost_usd), desc(SUMS.tokens))

/** Returns calls, tokens and cost by user, highest cost first. Deleted accounts are one row without a name. */
export const sumPeople = (tx: Tx, period: Period, limit: number) =>
  tx
    .select({
      user_id: sql<string | null>`nullif(${daily.person}, '')`,
      email: profiles.email,
      full_name: profiles.full_name,
      ...SUMS,
    })
    .from(daily)
    .leftJoin(profiles, eq(profiles.id, daily.person))
    .where(within(period))
    .groupBy(daily.person, profiles.email, profiles.full_name)
    .orderBy(desc(SUMS.cost_usd), desc(SUMS.tokens), asc(daily.person))
    .limit(limit)

/** Counts the users with calls in the period; all deleted accounts count as one. */
export async function countPeople(tx: Tx, period: Period): Promise<number> {
  const [found] = await tx
    .select({ people: sql`count(distinct ${daily.person})`.mapWith(Number) })
    .from(daily)
    .where(within(period))
  return found?.people ?? 0
}

/** Counts the analyzed documents of all users. Must run as the database role that owns the tables. */
export async function countAnalyzed(tx: Tx): Promise<number> {
  const [found] = await tx
    .select({ documents: count() })
    .from(documents)
    .where(and(isNotNull(documents.analyzed_at), isNull(documents.deleted_at)))
  return found?.documents ?? 0
}

const person = { email: profiles.email, full_name: profiles.full_name }

/**
 * Returns up to `limit` daily sums of a period with the names of users, ordered by day, user id, model and purpose. Begins
 * after the row `after`, or with the first row if it is null.
 */
export function readDailyRows(tx: Tx, period: Period, after: typeof daily.$inferSelect | null, limit: number) {
  const key = [daily.day, daily.person, daily.model, daily.purpose] as const
  const beyond = after
    ? sql`(${sql.join([...key], sql`, `)}) > (${after.day}::date, ${after.person}, ${after.model}, ${after.purpose})`
    : undefined
  return tx
    .select({ row: daily, ...person })
    .from(daily)
    .leftJoin(profiles, eq(profiles.id, daily.person))
    .where(and(within(period), beyond))
    .orderBy(...key)
    .limit(limit)
}

/**
 * Returns up to `limit` calls of a period, oldest first. Begins after the call `after`, or with the first call if it is null.
 */
export function readCallRows(tx: Tx, { from, to }: Period, after: { at: string; id: string } | null, limit: number) {
  const start = sql`${from}::date::timestamp at time zone 'UTC'`
  const end = sql`(${to}::date + 1)::timestamp at time zone 'UTC'`
  const beyond = after
    ? sql`(${aiCalls.created_at}, ${aiCalls.id}) > (${after.at}::timestamptz, ${after.id}::uuid)`
    : undefined
  return (
    tx
      // As text with all digits: rows have microseconds, and JavaScript dates have milliseconds.
      .select({ row: aiCalls, at: sql<string>`${aiCalls.created_at}::text`, ...person })
      .from(aiCalls)
      .leftJoin(profiles, eq(profiles.id, aiCalls.user_id))
      .where(and(sql`${aiCalls.created_at} >= ${start}`, sql`${aiCalls.created_at} < ${end}`, beyond))
      .orderBy(aiCalls.created_at, aiCalls.id)
      .limit(limit)
  )
}
