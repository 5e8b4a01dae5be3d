import { and, desc, eq, gte, ilike, or, sql, type SQL } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Tx } from '#server/db/client.ts'
import { auditLog } from '#server/db/tables/audit.ts'
import { profiles } from '#server/db/tables/profiles.ts'
import { containing } from '#server/db/like-pattern.ts'

/** Filter of the audit log. An entry must meet all conditions that are set. */
export interface AuditFilter {
  kind?: string | undefined
  search?: string | undefined
  /** The first day in UTC, or the first time, of the entries. */
  from?: string | undefined
  /** The last day of the entries, in UTC. */
  to?: string | undefined
}

const actors = alias(profiles, 'actors')
const people = alias(profiles, 'people')

/** Adds an entry to the audit log. */
export async function insertEntry(tx: Tx, row: typeof auditLog.$inferInsert): Promise<void> {
  await tx.insert(auditLog).values(row)
}

/**
 * Returns a page of the audit log, latest entry first. Each entry has the current names of the administrator and of the user
 * whom the action concerned.
 */
export async function findEntries(tx: Tx, filter: AuditFilter, page: number, limit: number) {
  const found = where(filter)
  const rows = await tx
    .select({ entry: auditLog, actor: actorName, person: personName })
    .from(auditLog)
    .leftJoin(actors, eq(actors.id, auditLog.actor_id))
    .leftJoin(people, isPerson)
    .where(found)
    .orderBy(desc(auditLog.id))
    .limit(limit)
    .offset((page - 1) * limit)
  const [counted] = await tx
    .select({ n: sql<number>`count(*)::int` })
    .from(auditLog)
    .leftJoin(actors, eq(actors.id, auditLog.actor_id))
    .leftJoin(people, isPerson)
    .where(found)
  return { rows, count: counted?.n ?? 0 }
}

const isPerson = and(
  eq(people.id, auditLog.subject_id),
  sql`(${auditLog.action} like 'person.%' or ${auditLog.action} like 'budget.%')`,
)
const actorName = { id: actors.id, email: actors.email, full_name: actors.full_name }
const personName = { id: people.id, email: people.email, full_name: people.full_name }

function where({ kind, search, from, to }: AuditFilter): SQL | undefined {
  const words = search ? containing(search) : null
  const texts = [auditLog.subject, actors.email, actors.full_name, people.email, people.full_name]
  return and(
    kind ? sql`${auditLog.action} like ${`${kind}.%`}` : undefined,
    words ? or(...texts.map((text) => ilike(text, words))) : undefined,
    from ? gte(auditLog.created_at, new Date(from).toISOString()) : undefined,
    to ? sql`${auditLog.created_at} < (${to}::date + 1) at time zone 'UTC'` : undefined,
  )
}
