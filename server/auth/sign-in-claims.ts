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
 * Runs the sign-in of a provider's callback, so that its claims are known when the session is created. The invitation of
 * a sign-up that fails stays valid.
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

/** Records the invitation by which the provider's user signs up. */
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
 * Returns when the user entered credentials at the provider; undefined if the ID token has no `auth_time`. A user with
 * an active session at the provider enters none, so the time of the sign-in is no proof.
 */
export const claimedProof = (): Date | undefined => signIn.getStore()?.provedAt

/**
 * Stores `auth_time` of a verified ID token (OpenID Connect Core 1.0, 2) as the time at which the user of the current
 * sign-in entered credentials: see claimedProof. A time in the future counts as now. Does nothing without a token or
 * without the claim.
 */
export function noteAuthTime(idToken: string | undefined): void {
  const store = signIn.getStore()
  const payload = idToken?.split('.')[1]
  if (!store || !payload) return
  const { auth_time } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { auth_time?: unknown }
  if (typeof auth_time === 'number') store.provedAt = new Date(Math.min(Date.now(), auth_time * 1000))
}

/**
 * Returns whether the claims contain `name=value`: the claim is the value, or a list with it. A name with dots can also
 * be a path, as in Keycloak's `realm_access.roles`.
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
