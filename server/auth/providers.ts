import { setTimeout } from 'node:timers/promises'
import { genericOAuth } from 'better-auth/plugins'
import { env } from '#server/lib/env.ts'
import { log } from '#server/lib/log.ts'
import { mailEnabled } from '#server/mail/mail.ts'
import { adoptUnconfirmed } from './adopt-unconfirmed.ts'

/** The id of the single provider in the settings. */
export const OIDC = 'oidc'

/** The requested scopes. */
export const OIDC_SCOPES = ['openid', 'email', 'profile']

/** Returns whether an OpenID Connect provider is set. */
export const oidcEnabled = () => env.OIDC_ISSUER !== undefined

/** Returns the provider's name on the button: the host of its issuer. */
export const oidcName = () => (env.OIDC_ISSUER ? new URL(env.OIDC_ISSUER).host : null)

/** Time limit of the provider's discovery document. */
const DISCOVERY_LIMIT_MS = 5000

const discoveryUrl = (issuer: string) => `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`

/** Returns whether the provider sends its discovery document in time, with the issuer of the settings. */
export async function providerAnswers(): Promise<boolean> {
  if (!env.OIDC_ISSUER) return false
  const signal = AbortSignal.timeout(DISCOVERY_LIMIT_MS)
  return fetch(discoveryUrl(env.OIDC_ISSUER), { signal })
    .then(async (answer) => {
      if (answer.ok) return isNamed(((await answer.json()) as { issuer?: unknown }).issuer)
      // An unread response body keeps its connection open.
      await answer.body?.cancel()
      return false
    })
    .catch(() => false)
}

let reported = false

/**
 * Returns whether this is the issuer of the settings; ignores a trailing slash. Otherwise another issuer's ID tokens
 * would be accepted. The error is logged once: every sign-in repeats the check.
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
 * Returns the plugin for the provider of the settings: code flow with PKCE; ID tokens are verified with the provider's
 * keys.
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
          // Only an explicit claim counts as a verified address.
          const emailVerified = profile['email_verified'] === true
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
    const found = plugin
      .init(context)
      .then((made) =>
        made.context.socialProviders.some(({ id, issuer }) => id === OIDC && !isNamed(issuer)) ? without : made,
      )
    return Promise.race([found, setTimeout(DISCOVERY_LIMIT_MS, without, { ref: false })])
  }
  return [{ ...plugin, init }]
}

function nameOf(profile: Record<string, unknown>): string {
  const { name, email } = profile
  if (typeof name === 'string' && name.trim()) return name.trim()
  return typeof email === 'string' ? (email.split('@')[0] ?? email) : ''
}
