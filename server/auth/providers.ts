import { setTimeout } from 'node:timers/promises'
import { genericOAuth } from 'better-auth/plugins'
import { env } from '#server/lib/env.ts'
import { log } from '#server/lib/log.ts'
import { mailEnabled } from '#server/lib/mail.ts'
import { adoptUnconfirmed } from './adopt-unconfirmed.ts'

/** The one provider that settings can name. */
export const OIDC = 'oidc'

/** What is asked of the provider about a person. */
export const OIDC_SCOPES = ['openid', 'email', 'profile']

/** Whether people can sign in by an OpenID Connect provider. */
export const oidcEnabled = () => env.OIDC_ISSUER !== undefined

/** How the provider is called on the button: by the host of its issuer. */
export const oidcName = () => (env.OIDC_ISSUER ? new URL(env.OIDC_ISSUER).host : null)

/** How long the provider may take to say its addresses. */
const DISCOVERY_LIMIT_MS = 5000

const discoveryUrl = (issuer: string) => `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`

/** Whether the provider says its addresses now, and soon enough, and is who the settings name. */
export async function providerAnswers(): Promise<boolean> {
  if (!env.OIDC_ISSUER) return false
  const signal = AbortSignal.timeout(DISCOVERY_LIMIT_MS)
  return fetch(discoveryUrl(env.OIDC_ISSUER), { signal })
    .then(async (answer) => {
      if (answer.ok) return isNamed(((await answer.json()) as { issuer?: unknown }).issuer)
      // An answer that nobody reads keeps its connection.
      await answer.body?.cancel()
      return false
    })
    .catch(() => false)
}

let reported = false

/**
 * Whether this is the issuer of the settings; a trailing slash is ignored. Another issuer's ID tokens would be accepted
 * as this one's. The error is logged once: visitors repeat the check by every try to sign in.
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

/** The plugin for sign-in by the provider of the settings: code flow with PKCE, the ID token checked against its keys. */
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
          // Only a provider that says so outright has checked the address.
          const emailVerified = profile['email_verified'] === true
          if (emailVerified && typeof profile['email'] === 'string') await adoptUnconfirmed(profile['email'])
          return { name: nameOf(profile), emailVerified }
        },
      },
    ],
  })
  // Every account call waits for this, also those that have nothing to do with the provider: one that is silent is left
  // out, and asked again when somebody wants to sign in by it.
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
