import { betterAuth, type BetterAuthOptions } from 'better-auth'
import { APIError, isAPIError } from 'better-auth/api'
import { drizzleAdapter } from 'better-auth/adapters/drizzle'
import { bearer } from 'better-auth/plugins'
import { asSystem, database, isDatabaseError } from '#server/db/client.ts'
import * as tables from '#server/db/tables/auth.ts'
import { describeError } from '#server/lib/describe-error.ts'
import { env, publicUrl } from '#server/lib/env.ts'
import { log } from '#server/lib/log.ts'
import { mailEnabled } from '#server/mail/mail.ts'
import { createProfile, isDisabled, setAdminByClaim, touchSignIn } from '#server/profiles/index.ts'
import { ACCOUNT_DISABLED } from '#shared/contract/people.ts'
import { PASSWORD_MIN_LENGTH } from '#shared/contract/profiles.ts'
import { claimedAdmin, claimedProof, noteSignUp } from './sign-in-claims.ts'
import { confirmEmail } from './credential-queries.ts'
import { needsSecondStep } from './factors.ts'
import { CONFIRMATION_SECONDS, RECOVERY_SECONDS, sendConfirmation, sendRecovery } from './emails.ts'
import { oidcPlugins } from './providers.ts'
import { deleteOlderRecoveryLinks, deleteRecoveryLinks } from './recovery-queries.ts'
import { renewedSession } from './renewed-session.ts'
import { authSecret } from './secret.ts'
import { withHashedTokens } from './session-tokens.ts'
import { signUpRefusal } from './sign-up-rules.ts'
import { afterCallback, signInPage } from './return-page.ts'

/** The header that passes the client address to the auth library. The server overwrites a value that the client sends. */
export const CLIENT_ADDRESS_HEADER = 'x-lectern-client'

const NO_TOKENS = { accessToken: null, refreshToken: null, idToken: null }
const HOUR = 60 * 60
const DAY = 24 * HOUR

/** The name of the session cookie. The auth library derives the name from the result of `cookiePrefix`. */
export const SESSION_COOKIE = `${cookiePrefix()}.session_token`
/** The name of the cookie of a browser that has signed in before (device-cookie.ts). */
export const DEVICE_COOKIE = `${cookiePrefix()}.device`

/**
 * Returns the prefix of cookie names. If the server uses https it starts with `__Host-`, by which the browser ensures that the
 * cookie comes from this host, is for every path and is sent only over https.
 */
function cookiePrefix(): string {
  return isSecure() ? '__Host-lectern' : 'lectern'
}

function isSecure(): boolean {
  return publicUrl().startsWith('https://')
}

/**
 * Creates the auth library's instance. Users sign in with e-mail and password or a provider. Browsers get a cookie, and API
 * clients a bearer token.
 */
function makeAuth() {
  return betterAuth({
    appName: env.PRODUCT_NAME,
    baseURL: publicUrl(),
    basePath: '/auth/v1',
    secret: authSecret(),
    database: (options: BetterAuthOptions) =>
      withHashedTokens(drizzleAdapter(database().db, { provider: 'pg', schema: tables })(options)),
    // Identifiers of e-mail links and provider sign-ins: hashed like session tokens.
    verification: { storeIdentifier: 'hashed' },
    // Allows pages under another name of this machine (localhost, a LAN address). Requests for other hosts have been
    // refused before (server/guard/refuse-other-hosts.ts).
    trustedOrigins: (request) => [publicUrl(), request ? new URL(request.url).origin : null],
    emailAndPassword: {
      enabled: true,
      minPasswordLength: PASSWORD_MIN_LENGTH,
      maxPasswordLength: 256,
      autoSignIn: false,
      requireEmailVerification: mailEnabled(),
      revokeSessionsOnPasswordReset: true,
      resetPasswordTokenExpiresIn: RECOVERY_SECONDS,
      // The link was in an e-mail to the address, or came from an administrator: both confirm the address.
      onPasswordReset: ({ user }) =>
        asSystem(async (tx) => {
          await deleteRecoveryLinks(tx, user.id)
          await confirmEmail(tx, user.id)
        }),
      ...(mailEnabled() ? { sendResetPassword: ({ user, token, url }) => replaceRecovery(user, token, url) } : {}),
    },
    ...(mailEnabled()
      ? {
          emailVerification: {
            expiresIn: CONFIRMATION_SECONDS,
            // sign-in.ts sends another link, within the limit of recovery e-mails.
            sendOnSignIn: false,
            sendVerificationEmail: ({ user, token, url }) => sendConfirmation(user, token, backIn(url)),
          },
        }
      : {}),
    // An account is linked to a provider's only when both have verified the address. These are the library's defaults,
    // set explicitly.
    account: { accountLinking: { enabled: true, trustedProviders: [], requireLocalEmailVerified: true } },
    onAPIError: {
      errorURL: '/auth',
      // Unexpected errors are reported and logged as everywhere else. The library would print them, values included.
      onError: (error) => {
        if (!isAPIError(error)) throw error
      },
    },
    session: {
      expiresIn: 14 * DAY,
      updateAge: HOUR,
      cookieCache: { enabled: false },
      additionalFields: {
        level: { type: 'string', defaultValue: 'aal1', input: false },
        provedAt: { type: 'date', defaultValue: () => new Date(), input: false },
      },
    },
    // Counted by `countRequest` in the routes: a window of the library ends only after a whole window without a call.
    rateLimit: { enabled: false },
    advanced: {
      // The library's own prefix, __Secure-, would let a sibling host set the cookie.
      cookiePrefix: cookiePrefix(),
      useSecureCookies: false,
      defaultCookieAttributes: { secure: isSecure() },
      ipAddress: { ipAddressHeaders: [CLIENT_ADDRESS_HEADER] },
    },
    databaseHooks: {
      session: {
        create: {
          // Every new session of an account with a verified second factor starts as pending, for every kind of sign-in.
          before: async (session, context) => {
            // The browser itself opens the provider's response, so an error must redirect to a page.
            if (await isDisabled(session.userId))
              throw isCallback(context)
                ? context!.redirect(signInPage((await afterCallback()).back, 'account_disabled'))
                : new APIError('FORBIDDEN', { code: 'ACCOUNT_DISABLED', message: ACCOUNT_DISABLED })
            const level = (await needsSecondStep(session.userId)) ? 'pending' : 'aal1'
            const provedAt = claimedProof()
            return { data: { ...session, level, ...(provedAt ? { provedAt } : {}) } }
          },
          after: async (session) => {
            const isAdmin = claimedAdmin()
            if (isAdmin !== undefined) await setAdminByClaim(session.userId, isAdmin)
            if (session['level'] !== 'pending') await asSystem((tx) => touchSignIn(tx, session.userId))
          },
        },
      },
      // The provider is not called after the sign-in, so its tokens are not stored.
      account: {
        create: { before: async (account) => ({ data: { ...account, ...NO_TOKENS } }) },
        update: { before: async (account) => ({ data: { ...account, ...NO_TOKENS } }) },
      },
      user: {
        create: {
          // The sign-up by password is checked before, in the route. The operator's command has no context.
          before: async ({ email, emailVerified }, context) => {
            if (!isCallback(context)) return
            const { back, invitation } = await afterCallback()
            const refusal = await signUpRefusal({ email, invitation, isConfirmed: emailVerified })
            if (refusal !== null) throw context!.redirect(signInPage(back, refusal))
            if (invitation !== undefined) noteSignUp({ email, invitation })
          },
          // An account without a profile stays valid: the next request creates the profile (openProfile).
          after: async ({ id, email, name }, context) => {
            // With OIDC_ADMIN_CLAIM, the claims of the provider decide who is an admin, not the order of the accounts.
            const canBecomeAdmin = !isCallback(context) || env.OIDC_ADMIN_CLAIM === undefined
            await createProfile({ id, email, name }, canBecomeAdmin).catch(() => withoutProfile.add(id))
          },
        },
      },
    },
    logger: {
      level: 'warn',
      log: (level, message: unknown, ...details: unknown[]) => {
        // Values of a failed statement are omitted: they can contain a name or the hash of a password. Some of the
        // library's messages are errors themselves.
        const errors = [message, ...details].filter((one) => one instanceof Error)
        const words = typeof message === 'string' && message ? message : 'the account service failed'
        // Visitors can cause all of the library's errors except those of the database, such as a callback without a
        // state.
        const isOurs = level === 'error' && errors.some(isDatabaseError)
        log[isOurs ? 'error' : 'warn']({ details: errors.map(describeError) }, words)
      },
    },
    telemetry: { enabled: false },
    // An unsigned token is refused, so that a leaked token alone is useless.
    plugins: [bearer({ requireSignature: true }), renewedSession(), ...oidcPlugins()],
  })
}

/** Returns whether the current request is a callback from a sign-in provider. */
const isCallback = (context: { path?: string | undefined } | null) => context?.path?.startsWith('/callback') === true

/**
 * Returns the page that opens after the user has opened a link that the library e-mails: its parameter `callbackURL`, or null.
 */
const backIn = (url: string) => new URL(url).searchParams.get('callbackURL')

/** Sends a recovery link (to choose a new password) and invalidates earlier recovery links of the user. */
async function replaceRecovery(
  user: { id: string; name: string; email: string },
  token: string,
  url: string,
): Promise<void> {
  await asSystem((tx) => deleteOlderRecoveryLinks(tx, user.id))
  await sendRecovery(user, token, backIn(url))
}

/**
 * Ids of new accounts whose profile could not be created. The sign-up of such an account is answered with an error
 * (sign-up.ts), which removes the id from the set.
 */
export const withoutProfile = new Set<string>()

let instance: ReturnType<typeof makeAuth> | undefined

/** Returns the auth library's instance of this process. The first call creates it and needs an open database. */
export const auth = () => (instance ??= makeAuth())

/**
 * Drops the instance of the auth library, so that the next call of `auth` creates a new one. Used after the instance has failed
 * to load the discovery document of the sign-in provider: it does not repeat this request, but a new instance does.
 */
export const renewAuth = () => {
  instance = undefined
}
