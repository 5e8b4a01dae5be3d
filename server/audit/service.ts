import { asAdmin, type Tx } from '#server/db/client.ts'
import type { Actor } from '#server/lib/session.ts'
import type { AuditAction, AuditEntry } from '#shared/audit.ts'
import { findEntries, insertEntry, type AuditFilter } from './queries.ts'

/** A deed of an administrator. `subject` is what the thing is called; people are known by `subjectId` alone. */
export interface Deed {
  action: AuditAction
  subjectId?: string | null
  subject?: string | null
  /** What was changed, from what to what. No secrets, no texts of people. */
  details?: Record<string, unknown>
}

/** Keeps what an admin does, in the transaction that does it: neither stands without the other. Null is the operator. */
export async function recordAudit(tx: Tx, actor: Actor | null, deed: Deed): Promise<void> {
  const { action, subjectId = null, subject = null, details = {} } = deed
  await insertEntry(tx, { actor_id: actor?.userId ?? null, action, subject_id: subjectId, subject, details })
}

/** A page of the log, the latest first. */
export async function listAudit(actor: Actor, filter: AuditFilter, page: number, limit: number) {
  const { rows, count } = await asAdmin(actor, (tx) => findEntries(tx, filter, page, limit))
  const data: AuditEntry[] = rows.map(({ entry, actor: by, person }) => ({ ...entry, actor: by, person }))
  return { data, count }
}
