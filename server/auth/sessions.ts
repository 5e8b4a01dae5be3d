import { asSystem } from '#server/db/client.ts'
import { notFound } from '#server/lib/errors.ts'
import type { OpenSession } from '#shared/contract/accounts.ts'
import type { Caller } from './caller-type.ts'
import { findSession } from './caller.ts'
import { nameDevice } from './name-device.ts'
import { requireFreshProof } from './proof.ts'
import { deleteOtherSessions, deleteSession, findSessions } from './session-queries.ts'

/** Returns the caller's sessions, without tokens. */
export async function listSessions(caller: Caller): Promise<OpenSession[]> {
  const rows = await asSystem((tx) => findSessions(tx, caller.userId))
  return rows.map((row) => ({
    id: row.id,
    device: nameDevice(row.userAgent),
    user_agent: row.userAgent || null,
    ip_address: row.ipAddress || null,
    created_at: row.createdAt.toISOString(),
    last_used_at: row.updatedAt.toISOString(),
    expires_at: row.expiresAt.toISOString(),
    current: row.id === caller.sessionId,
  }))
}

/**
 * Ends one of the caller's sessions. Throws 'not_found' if the id is not a session of the caller. Throws 'proof_required' if it
 * is not the current session and the caller has not recently proved their identity.
 */
export async function revokeSession(caller: Caller, id: string): Promise<void> {
  if (id !== caller.sessionId) requireFreshProof(caller)
  if (!(await asSystem((tx) => deleteSession(tx, caller.userId, id)))) throw notFound('Session')
}

/** Ends all of the caller's sessions except the current one, and returns the number of ended sessions. */
export const revokeOtherSessions = (caller: Caller): Promise<number> =>
  asSystem((tx) => deleteOtherSessions(tx, caller.userId, caller.sessionId))

/**
 * Ends the session of a request, if it has one. A repeated sign-in in the same browser calls it, so that only one session
 * remains.
 */
export async function endSessionOf(headers: Headers): Promise<void> {
  const { found } = await findSession(headers)
  if (found) await asSystem((tx) => deleteSession(tx, found.user.id, found.session.id))
}
