import { AsyncLocalStorage } from 'node:async_hooks'
import { endFailedClaim } from '#server/invitations/index.ts'
import { env } from '#server/lib/env.ts'

interface SignUp {
  email: string
  /** The token of the invitation by which the account is created. */
  invitation: string
}

const signIn = new AsyncLocalStorage<{ isAdmin?: boolean; provedAt?: Date; signUp?: SignUp }>()

/**
 * Runs `work`, a sign-in through the sign-in provider, with a store for claims of the provider: `noteClaims` and `noteAuthTime`
 * fill it, and `claimedAdmin` and `claimedProof` read it when the session is created. If `work` signs up a user with an
 * invitation link and the sign-up fails, makes the link usable again.
 */
export const withClaims = <T>(work: () => Promise<T>): Promise<T> =>
  signIn.run({}, async () => {
    try {
      return await work()
    } finally {
      const used = signIn.getStore()?.signUp
      if (used) await endFailedClaim(used.email, used.invitation)
    }
  })

/**
 * Records the e-mail address and the invitation with which a user of the sign-in provider signs up, so that `withClaims` can
 * make the invitation link usable again if the sign-up fails.
 */
export function noteSignUp(signUp: SignUp): void {
  const store = signIn.getStore()
  if (store) store.signUp = signUp
}

/** Returns whether the claims of the current sign-in grant the admin right; undefined without OIDC_ADMIN_CLAIM. */
export const claimedAdmin = (): boolean | undefined => signIn.getStore()?.isAdmin

/** Records whether the claims of the current sign-in grant the admin right. */
export function noteClaims(claims: Record<string, unknown>): void {
  const store = signIn.getStore()
  if (store && env.OIDC_ADMIN_CLAIM !== undefined) store.isAdmin = hasClaim(claims, env.OIDC_ADMIN_CLAIM)
}

/**
 * Returns when the user last entered credentials at the provider (`auth_time` of the ID token), or undefined if it is unknown.
 * The time of the sign-in is no proof of identity, because a user with an active session at the provider enters no credentials.
 */
export const claimedProof = (): Date | undefined => signIn.getStore()?.provedAt

/**
 * Stores `auth_time` of a verified ID token (OpenID Connect Core 1.0, 2) for `claimedProof`: the time at which the user entered
 * credentials at the provider. A time in the future is stored as the current time. Does nothing without a token or this claim.
 */
export function noteAuthTime(idToken: string | undefined): void {
  const store = signIn.getStore()
  const payload = idToken?.split('.')[1]
  if (!store || !payload) return
  const { auth_time } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { auth_time?: unknown }
  if (typeof auth_time === 'number') store.provedAt = new Date(Math.min(Date.now(), auth_time * 1000))
}

/**
 * Returns whether the claims match `wanted`, which has the form 'name=value'. The claim `name` must be the value or a list that
 * contains it. A name with dots can also be a path, such as Keycloak's `realm_access.roles`.
 */
export function hasClaim(claims: Record<string, unknown>, wanted: string): boolean {
  const split = wanted.indexOf('=')
  const [name, value] = [wanted.slice(0, split), wanted.slice(split + 1)]
  const found = Object.hasOwn(claims, name) ? claims[name] : name.split('.').reduce<unknown>(propertyOf, claims)
  return (Array.isArray(found) ? found : [found]).some((one) => isText(one) && String(one) === value)
}

const isText = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value)

const propertyOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined
