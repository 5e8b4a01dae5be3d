import { recordAudit } from '#server/audit/index.ts'
import type { Actor } from '#server/db/actor.ts'
import { asActor } from '#server/db/client.ts'
import { withOwnerRole } from '#server/events/owner-role.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import { type ApiKey, type CreatedKey, type KeyCall, MOST_KEYS, type newKey } from '#shared/contract/api-keys.ts'
import type { z } from 'zod'
import { clearCachedKeys } from './check-key.ts'
import { hashKey, newKeyText } from './key-text.ts'
import { countKeys, findReadable, insertKey, listCallRows, listKeyRows, lockKeys, revokeKeyRow } from './queries.ts'
import { flushCalls } from './record-calls.ts'

const DAY_MS = 24 * 60 * 60_000

/** Returns the caller's keys, newest first. */
export const listKeys = (actor: Actor): Promise<ApiKey[]> => asActor(actor, listKeyRows)

/**
 * Creates an API key of the caller. Only this result contains the key itself. Throws 'not_found' for a project that the caller
 * may not read, and 'refused' if the caller already has MOST_KEYS keys.
 */
export const createKey = (actor: Actor, input: z.output<typeof newKey>): Promise<CreatedKey> =>
  asActor(actor, async (tx) => {
    await lockKeys(tx, actor.userId)
    if ((await countKeys(tx)) >= MOST_KEYS)
      throw new AppError('refused', `You have ${MOST_KEYS} keys. Revoke one that you no longer use.`)
    const projectIds = [...new Set(input.project_ids)]
    if ((await findReadable(tx, projectIds)).length < projectIds.length) throw notFound('Project')
    const { key, prefix } = newKeyText()
    const days = input.expires_in_days
    const created = await insertKey(
      tx,
      {
        user_id: actor.userId,
        name: input.name,
        prefix,
        hash: hashKey(key),
        scopes: input.scopes,
        all_projects: input.project_ids === null,
        expires_at: days === null ? null : new Date(Date.now() + days * DAY_MS).toISOString(),
      },
      projectIds,
    )
    const details = {
      scopes: created.scopes,
      expires_at: created.expires_at,
      projects: input.project_ids === null ? 'all' : projectIds.length,
    }
    await withOwnerRole(tx, () =>
      recordAudit(tx, actor, { action: 'key.created', subjectId: created.id, subject: prefix, details }),
    )
    return { ...created, key }
  })

/**
 * Revokes a key of the caller. The key is invalid on this server when the function returns, and on other servers when they
 * receive the notification of the database. Throws 'not_found'.
 */
export async function revokeKey(actor: Actor, id: string): Promise<void> {
  await asActor(actor, async (tx) => {
    const revoked = await revokeKeyRow(tx, id)
    if (!revoked) throw notFound('Key')
    await withOwnerRole(tx, () =>
      recordAudit(tx, actor, { action: 'key.revoked', subjectId: id, subject: revoked.prefix }),
    )
  })
  clearCachedKeys()
}

/** Returns a page of the latest calls with the caller's keys, newest first. */
export async function listCalls(
  actor: Actor,
  filter: { keyId: string | undefined },
  page: { limit: number; offset: number },
): Promise<{ data: KeyCall[]; count: number }> {
  await flushCalls()
  return asActor(actor, (tx) => listCallRows(tx, filter, page))
}
