import { asAdmin, type Tx } from '#server/db/client.ts'
import type { Actor } from '#server/db/actor.ts'
import type { AuditAction, AuditEntry } from '#shared/contract/audit.ts'
import { findEntries, insertEntry, type AuditFilter } from './queries.ts'

/**
 * An action of an administrator for the audit log. `subject` is the name of the changed object, and `subjectId` its id. If the
 * changed object is a user, only `subjectId` is set.
 */
export interface AuditedAction {
  action: AuditAction
  subjectId?: string | null
  subject?: string | null
  /** The changed values, before and after the action. They contain no secrets and no texts of users. */
  details?: Record<string, unknown>
}

/** Records an action in the transaction that performs it. A null actor is the operator of the server. */
export async function recordAudit(tx: Tx, actor: Actor | null, audited: AuditedAction): Promise<void> {
  const { action, subjectId = null, subject = null, details = {} } = audited
  await insertEntry(tx, { actor_id: actor?.userId ?? null, action, subject_id: subjectId, subject, details })
}

/** Returns a page of the audit log, latest entry first. Only admins may call it. */
export async function listAudit(actor: Actor, filter: AuditFilter, page: number, limit: number) {
  const { rows, count } = await asAdmin(actor, (tx) => findEntries(tx, filter, page, limit))
  const data: AuditEntry[] = rows.map(({ entry, actor: by, person }) => ({ ...entry, actor: by, person }))
  return { data, count }
}
