import { asAdmin, type Tx } from '#server/db/client.ts'
import type { Actor } from '#server/db/actor.ts'
import type { AuditAction, AuditEntry } from '#shared/contract/audit.ts'
import { findEntries, insertEntry, type AuditFilter } from './queries.ts'

/** An action of an administrator. `subject` is the name of a thing; people are identified only by `subjectId`. */
export interface AuditedAction {
  action: AuditAction
  subjectId?: string | null
  subject?: string | null
  /** Changed values, before and after. No secrets and no texts of users. */
  details?: Record<string, unknown>
}

/** Records an action in the same transaction as the action itself. A null actor is the operator. */
export async function recordAudit(tx: Tx, actor: Actor | null, audited: AuditedAction): Promise<void> {
  const { action, subjectId = null, subject = null, details = {} } = audited
  await insertEntry(tx, { actor_id: actor?.userId ?? null, action, subject_id: subjectId, subject, details })
}

/** A page of the audit log, latest first. Admins only. */
export async function listAudit(actor: Actor, filter: AuditFilter, page: number, limit: number) {
  const { rows, count } = await asAdmin(actor, (tx) => findEntries(tx, filter, page, limit))
  const data: AuditEntry[] = rows.map(({ entry, actor: by, person }) => ({ ...entry, actor: by, person }))
  return { data, count }
}
