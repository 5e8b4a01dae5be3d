import { timingSafeEqual } from 'node:crypto'
import type { Actor } from '#server/db/actor.ts'
import { asSystemAtOnce } from '#server/db/client.ts'
import { CHANNELS, isListening, onNotice } from '#server/events/listen.ts'
import { AppError } from '#server/lib/errors.ts'
import { INVALID_KEY, type KeyScope, RIGHTS_OF_SCOPE } from '#shared/contract/api-keys.ts'
import { hashKey, prefixOf } from './key-text.ts'
import { findKey } from './queries.ts'

/** The caller of a request with an API key: the user of the key, restricted to the scopes and projects of the key. */
export interface KeyActor extends Actor {
  key: NonNullable<Actor['key']>
}

interface CheckedKey {
  actor: KeyActor
  /** The expiry of the key in milliseconds since 1970; Infinity if it does not expire. */
  expiresAt: number
}

const CACHE_MS = 10_000
const MOST_CACHED = 10_000

/** Cached callers of valid keys by the hash of the key, with the time at which the key must be read from the database again. */
const cached = new Map<string, { checked: CheckedKey; until: number }>()
/** Number of times that the cache was cleared. A key whose read started before a clearing must not be cached after it. */
let generation = 0

onNotice((channel) => {
  if (channel === CHANNELS.key || channel === 'reconnected') clearCachedKeys()
})

/** Removes all keys from the cache of this process. */
export function clearCachedKeys(): void {
  cached.clear()
  generation += 1
}

/**
 * Returns the caller of an API key. Throws 'invalid_key' for an unknown, revoked or expired key, or a key of a disabled
 * account. Caches valid keys for ten seconds. The database notifies every server of revoked keys and disabled accounts, which
 * clears the cache. A server without a connection for these notifications does not use the cache.
 */
export async function checkKey(text: string): Promise<KeyActor> {
  const prefix = prefixOf(text)
  if (prefix === null) throw invalidKey()
  const hash = hashKey(text)
  const known = isListening() ? cached.get(hash) : undefined
  const now = Date.now()
  const checked = known && known.until > now ? known.checked : await readKey(prefix, hash)
  if (checked.expiresAt <= now) throw invalidKey()
  return checked.actor
}

async function readKey(prefix: string, hash: string): Promise<CheckedKey> {
  const started = generation
  const row = await asSystemAtOnce((db) => findKey(db, prefix))
  if (!row || row.disabledAt !== null || !isSame(row.hash, hash)) throw invalidKey()
  const { id, userId, scopes, projects, expiresAt } = row
  const rights = scopes.flatMap((scope) => RIGHTS_OF_SCOPE[scope])
  const checked: CheckedKey = {
    // An administrator's key has no right of administration.
    actor: { userId, isAdmin: false, key: { id, scopes, rights, projects } },
    expiresAt: expiresAt === null ? Infinity : Date.parse(expiresAt),
  }
  if (started === generation && isListening()) {
    if (cached.size >= MOST_CACHED) cached.clear()
    cached.set(hash, { checked, until: Date.now() + CACHE_MS })
  }
  return checked
}

function isSame(stored: string, hash: string): boolean {
  return stored.length === hash.length && timingSafeEqual(Buffer.from(stored), Buffer.from(hash))
}

/** Returns the error of an invalid API key. It is the same for every reason, so that callers cannot learn the reason. */
export const invalidKey = () => new AppError('invalid_key', INVALID_KEY)

/** Returns the first of the scopes that the caller's API key lacks; undefined if it has all, or for a caller without a key. */
export const missingScope = ({ key }: Actor, scopes: readonly KeyScope[]): KeyScope | undefined =>
  key && scopes.find((scope) => !key.scopes.includes(scope))
