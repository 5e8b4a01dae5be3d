import { createHash } from 'node:crypto'
import { asSystem, asSystemAtOnce } from '#server/db/client.ts'
import { networkOf } from './client-address.ts'
import { env } from '#server/lib/env.ts'
import { AppError } from '#server/lib/errors.ts'
import { createTurns } from '#server/lib/turns.ts'
import { countCall, forgetCalls, forgetCallsBefore } from './rate-limit-queries.ts'

interface Limit {
  windowSeconds: number
  /** Maximum number of calls of one user from all addresses. Some limits count by e-mail address, device or API key instead. */
  person?: number
  /**
   * Maximum number of calls of all users from one client address. It is higher, because the users of an institute may share an
   * address.
   */
  address?: number
  message: string
}

/**
 * Rate limits by name: the maximum numbers of calls of one user (`person`) and from one client address (`address`) in a window
 * of `windowSeconds`. The calls are counted in the database, so that all servers share the counts.
 */
export const LIMITS = {
  'sign-in': {
    windowSeconds: 15 * 60,
    person: 20,
    message: 'Too many attempts to sign in to this account. Please try again later.',
  },
  /** Sign-ins from a browser that has signed in to the account before. Its device cookie identifies it. */
  'sign-in-device': {
    windowSeconds: 15 * 60,
    person: 20,
    message: 'Too many attempts to sign in from this browser. Please try again later.',
  },
  'sign-up': { windowSeconds: 3600, address: 20, message: 'Too many requests. Please try again later.' },
  /** New passwords by a recovery link. */
  'new-password': { windowSeconds: 60, address: 10, message: 'Too many requests. Please try again later.' },
  /** Started sign-ins with the provider. */
  'provider-sign-in': { windowSeconds: 60, address: 30, message: 'Too many requests. Please try again later.' },
  /** Responses of the provider, which the browser passes on. */
  'provider-callback': { windowSeconds: 60, address: 300, message: 'Too many requests. Please try again later.' },
  'sign-in-network': { windowSeconds: 60, address: 10, message: 'Too many requests. Please try again later.' },
  recovery: { windowSeconds: 3600, person: 5, message: 'Too many requests. Please try again later.' },
  'recovery-network': { windowSeconds: 3600, address: 10, message: 'Too many requests. Please try again later.' },
  /** Invitations that one user sends. */
  invitation: { windowSeconds: 3600, person: 30, message: 'Too many invitations. Please try again later.' },
  /** Invitations that are sent to one e-mail address. */
  'invitation-mail': { windowSeconds: 3600, person: 5, message: 'Too many requests. Please try again later.' },
  'invitation-link': {
    windowSeconds: 60,
    person: 30,
    address: 120,
    message: 'Too many requests. Please try again later.',
  },
  upload: {
    windowSeconds: 10 * 60,
    person: 600,
    address: 2400,
    message: 'Too many files in a short time. Please try again in a few minutes.',
  },
  ai: {
    windowSeconds: 60,
    person: 60,
    address: 240,
    message: 'Too many requests to the model in a short time. Please try again in a minute.',
  },
  /** Calls with one API key. */
  key: {
    windowSeconds: 60,
    person: env.API_KEY_REQUESTS_PER_MINUTE,
    message: 'Too many requests with this key. Please try again in a minute.',
  },
  'key-ask': {
    windowSeconds: 60,
    person: env.API_KEY_ASKS_PER_MINUTE,
    message: 'Too many requests to the model with this key. Please try again in a minute.',
  },
  'key-upload': {
    windowSeconds: 3600,
    person: env.API_KEY_UPLOADS_PER_HOUR,
    message: 'Too many files with this key. Please try again later.',
  },
  /** API keys that one user creates. Each key has limits of its own, so new keys must not remove these limits. */
  'new-key': { windowSeconds: 3600, person: 60, message: 'Too many new keys. Please try again later.' },
  /** Calls with invalid API keys. */
  'key-failed': { windowSeconds: 60, address: 30, message: 'Too many requests. Please try again later.' },
  /** Exports of papers, including 'Copy as BibTeX' of one paper. */
  export: { windowSeconds: 600, person: 120, address: 600, message: 'Too many exports. Please try again later.' },
  /** Look-ups of identifiers, of up to 500 lines each. */
  'look-up': {
    windowSeconds: 10 * 60,
    person: 120,
    address: 480,
    message: 'Too many look-ups in a short time. Please try again in a few minutes.',
  },
  /** API calls that make the server send requests to Zotero. */
  zotero: { windowSeconds: 60, person: 30, address: 120, message: 'Too many requests. Please try again in a minute.' },
  heavy: { windowSeconds: 3600, person: 20, address: 100, message: 'Too many requests. Please try again later.' },
} as const satisfies Record<string, Limit>
export type LimitName = keyof typeof LIMITS

/** The caller of a request. `person` is an account id or an e-mail address; `address` is the client address. */
interface Caller {
  person?: string | undefined
  address?: string | undefined
}

/**
 * Runs the counts of one key one after the other, because they wait for the lock of the same row. In parallel, each waiting
 * count would occupy a database connection.
 */
const inTurn = createTurns(1)

/**
 * Counts `calls` calls against the limit `name`, for the user and for the network of the client address. Throws 'too_many' with
 * Retry-After above the limit. Does nothing if RATE_LIMIT is off.
 */
export async function countRequest(name: LimitName, caller: Caller, calls = 1): Promise<void> {
  if (!env.RATE_LIMIT) return
  const limit: Limit = LIMITS[name]
  const windowMs = limit.windowSeconds * 1000
  const now = Date.now()
  const counted = [
    caller.person === undefined || limit.person === undefined
      ? null
      : { key: keyOf(name, caller.person), most: limit.person },
    caller.address === undefined || limit.address === undefined
      ? null
      : { key: keyOf(name, networkOf(caller.address)), most: limit.address },
  ].filter((one) => one !== null)
  for (const { key, most } of counted) {
    const { count, since } = await inTurn(key, () =>
      asSystemAtOnce((db) => countCall(db, key, { windowMs, now, calls })),
    )
    if (count > most)
      throw new AppError('too_many', limit.message, { retryAfter: Math.max(1, (since + windowMs - now) / 1000) })
  }
}

/** Deletes the count of a user for the limit `name`. Called after a correct password. */
export async function forgetRequests(name: LimitName, person: string): Promise<void> {
  if (env.RATE_LIMIT) await asSystem((tx) => forgetCalls(tx, keyOf(name, person)))
}

/** Deletes the counts whose window has ended for every limit. */
export async function forgetOldRequests(): Promise<void> {
  const longestMs = 1000 * Math.max(...Object.values(LIMITS).map(({ windowSeconds }) => windowSeconds))
  await asSystem((tx) => forgetCallsBefore(tx, Date.now() - longestMs))
}

/** Returns the key of a count. The user or address is hashed, so that the table of counts contains no addresses. */
const keyOf = (name: LimitName, who: string) =>
  `${name}:${createHash('sha256').update(who.trim().toLowerCase()).digest('base64url')}`
