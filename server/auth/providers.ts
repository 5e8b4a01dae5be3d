import { genericOAuth } from 'better-auth/plugins'
import { env } from '#server/lib/env.ts'
import { mailEnabled } from '#server/lib/mail.ts'

/** The one provider that settings can name. */
export const OIDC = 'oidc'

/** What is asked of the provider about a person. */
export const OIDC_SCOPES = ['openid', 'email', 'profile']

/** Whether people can sign in by an OpenID Connect provider. */
export const oidcEnabled = () => env.OIDC_ISSUER !== undefined

/** How the provider is called on the button: by the host of its issuer. */
export const oidcName = () => (env.OIDC_ISSUER ? new URL(env.OIDC_ISSUER).host : null)

/** The plugin for sign-in by the provider of the settings: code flow with PKCE, the ID token checked against its keys. */
export function oidcPlugins() {
  if (!env.OIDC_ISSUER || !env.OIDC_CLIENT_ID || !env.OIDC_CLIENT_SECRET) return []
  return [
    genericOAuth({
      config: [
        {
          providerId: OIDC,
          discoveryUrl: `${env.OIDC_ISSUER.replace(/\/$/, '')}/.well-known/openid-configuration`,
          clientId: env.OIDC_CLIENT_ID,
          clientSecret: env.OIDC_CLIENT_SECRET,
          scopes: OIDC_SCOPES,
          pkce: true,
          requireIdTokenVerification: true,
          requireEmailVerification: mailEnabled(),
          mapProfileToUser: (profile) => ({
            name: nameOf(profile),
            // Only a provider that says so outright has checked the address.
            emailVerified: profile['email_verified'] === true,
          }),
        },
      ],
    }),
  ]
}

function nameOf(profile: Record<string, unknown>): string {
  const { name, email } = profile
  if (typeof name === 'string' && name.trim()) return name.trim()
  return typeof email === 'string' ? (email.split('@')[0] ?? email) : ''
}
