import { setTimeout } from 'node:timers/promises'
import { genericOAuth } from 'better-auth/plugins'
import { boundedFetch } from '#server/fetch/bounded-fetch.ts'
import { env } from '#server/lib/env.ts'
import { AppError } from '#server/lib/errors.ts'
import { log } from '#server/lib/log.ts'
import { mailEnabled } from '#server/mail/mail.ts'
import { noteAuthTime, noteClaims } from './sign-in-claims.ts'
import { adoptUnconfirmed } from './adopt-unconfirmed.ts'

/** The id of the OpenID Connect provider in the auth library. The settings allow only one. */
export const OIDC = 'oidc'

/** The OpenID Connect scopes that a sign-in requests from the provider. */
export const OIDC_SCOPES = ['openid', 'email', 'profile']

/** Returns whether the settings contain an OpenID Connect provider. */
export const oidcEnabled = () => env.OIDC_ISSUER !== undefined

/** Returns the provider's name on the button: OIDC_NAME, else the host of its issuer. */
export const oidcName = () => env.OIDC_NAME ?? (env.OIDC_ISSUER ? new URL(env.OIDC_ISSUER).host : null)

/** Time limit in milliseconds for the download of the provider's discovery document. */
const DISCOVERY_LIMIT_MS = 5000
const DISCOVERY_MAX_BYTES = 1024 * 1024

const discoveryUrl = (issuer: string) => `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`

/** Returns whether the sign-in provider sends its discovery document in time, and the document's issuer is OIDC_ISSUER. */
export async function providerAnswers(): Promise<boolean> {
  if (!env.OIDC_ISSUER) return false
  const limits = { wholeMs: DISCOVERY_LIMIT_MS, maxBytes: DISCOVERY_MAX_BYTES }
  const describe = () => new AppError('outside_failed', 'The sign-in provider does not answer.')
  const redirect = (location: string, from: URL) => new URL(location, from)
  return boundedFetch(new URL(discoveryUrl(env.OIDC_ISSUER)), {}, { ...limits, describe, redirect })
    .then(async ({ response }) => {
      if (response.ok) return isNamed(((await response.json()) as { issuer?: unknown }).issuer)
      await response.body?.cancel()
      return false
    })
    .catch(() => false)
}

let reported = false

/**
 * Returns whether `issuer` of a discovery document is OIDC_ISSUER, except for a trailing slash. ID tokens of another issuer
 * must not be accepted. Logs the first mismatch as an error and later ones as warnings, because every sign-in repeats the
 * check.
 */
function isNamed(issuer: unknown): boolean {
  const named = env.OIDC_ISSUER?.replace(/\/$/, '')
  if (typeof issuer === 'string' && issuer.replace(/\/$/, '') === named) return true
  log[reported ? 'warn' : 'error'](
    { named, issuer: String(issuer).slice(0, 200) },
    'the sign-in provider names another issuer than OIDC_ISSUER',
  )
  reported = true
  return false
}

/**
 * Returns a list with the plugin for the provider of the settings (code flow with PKCE; ID tokens are verified with the
 * provider's keys), or an empty list without a provider.
 */
export function oidcPlugins() {
  if (!env.OIDC_ISSUER || !env.OIDC_CLIENT_ID || !env.OIDC_CLIENT_SECRET) return []
  const plugin = genericOAuth({
    config: [
      {
        providerId: OIDC,
        discoveryUrl: discoveryUrl(env.OIDC_ISSUER),
        clientId: env.OIDC_CLIENT_ID,
        clientSecret: env.OIDC_CLIENT_SECRET,
        scopes: OIDC_SCOPES,
        pkce: true,
        requireIdTokenVerification: true,
        requireEmailVerification: mailEnabled(),
        // Called when the ID token has been verified.
        mapProfileToUser: async (profile) => {
          noteClaims(profile)
          // Only an explicit claim counts as a verified address, unless the operator trusts the provider's addresses.
          const claimed = profile['email_verified'] ?? env.OIDC_TRUST_EMAIL
          const emailVerified = claimed === true
          if (emailVerified && typeof profile['email'] === 'string') await adoptUnconfirmed(profile['email'])
          return { name: nameOf(profile), emailVerified }
        },
      },
    ],
  })
  // Every account call waits for this, also those without the provider: a silent provider is omitted, and queried again
  // at the next sign-in with it.
  const init: typeof plugin.init = (context) => {
    const without = { context: { socialProviders: context.socialProviders } }
    const found = plugin.init(context).then((made) => {
      const provider = made.context.socialProviders.find(({ id }) => id === OIDC)
      if (!provider) return made
      if (!isNamed(provider.issuer)) return without
      const { getUserInfo } = provider
      provider.getUserInfo = async (tokens) => {
        const found = await getUserInfo(tokens)
        // The library has verified the ID token if it returns a user.
        if (found) noteAuthTime(tokens.idToken)
        return found
      }
      return made
    })
    return Promise.race([found, setTimeout(DISCOVERY_LIMIT_MS, without, { ref: false })])
  }
  return [{ ...plugin, init }]
}

function nameOf(profile: Record<string, unknown>): string {
  const { name, email } = profile
  if (typeof name === 'string' && name.trim()) return name.trim()
  return typeof email === 'string' ? (email.split('@')[0] ?? email) : ''
}
