import { setTimeout } from 'node:timers/promises'
import { asSystem } from '#server/db/client.ts'
import { access } from '#server/http/route-access.ts'
import { addressOf } from '#server/http/request.ts'
import { createRouter } from '#server/http/router.ts'
import { AppError } from '#server/lib/errors.ts'
import { signInFailures } from '#server/lib/metrics.ts'
import { mailEnabled } from '#server/mail/mail.ts'
import { countRequest } from '#server/http/rate-limit.ts'
import { endFailedClaim } from '#server/invitations/index.ts'
import { pages } from '#shared/contract/paths.ts'
import { withClaims } from './sign-in-claims.ts'
import { auth, renewAuth, SESSION_COOKIE } from './auth.ts'
import { callerOf } from './caller.ts'
import { withinGuesses, wrongPassword } from './check-password.ts'
import { confirmAddress, readConfirmation } from './confirm-address.ts'
import { describeAccounts } from './describe.ts'
import { markDevice } from './device-cookie.ts'
import { routes as factorRoutes } from './factor-routes.ts'
import { forward, forwardGet, readBody, withCookie } from './forward.ts'
import { OIDC, OIDC_SCOPES, oidcEnabled, providerAnswers } from './providers.ts'
import { deleteRecoveryLinks } from './recovery-queries.ts'
import { credentials, isWrongPassword, newCredentials, refuseWrong } from './refusals.ts'
import { readSession } from './service.ts'
import { routes as sessionRoutes } from './session-routes.ts'
import { endSessionOf, revokeOtherSessions } from './sessions.ts'
import { SMALL_BODY } from './small-body.ts'
import { signInByPassword, withinLimits } from './sign-in.ts'
import { signUp } from './sign-up.ts'
import { requirePasswords, requireSignUp } from './sign-up-rules.ts'
import { pageOf, signInPage, tokenOf } from './return-page.ts'

/**
 * Routes below /auth/v1. They call only some functions of the auth library, because others are unsafe: its list of sessions
 * returns the tokens of all sessions, and its update of a user does not change the profile.
 */
export const routes = createRouter()
/** The maximum length of an e-mail address (RFC 5321, 4.5.3.1.3). */
const EMAIL_MAX = 254
const NAME_MAX = 200
const SECOND_STEP = '/auth/second-step'
const NO_PROVIDER = 'No OpenID Connect provider is configured on this server.'
/**
 * Minimum duration in milliseconds of a response to a request for a recovery e-mail, and to a sign-up if the server sends
 * e-mail. The work takes less time, so the duration does not reveal whether the address has an account.
 */
const SAME_ANSWER_MS = 400
describeAccounts(routes)

// The sign-in counts its own calls, by e-mail address and network.
const withoutBody = access({ role: 'visitor', body: 'none', limit: 'none', scope: 'none' })
const byVisitors = access({ role: 'visitor', ...SMALL_BODY, limit: 'none', scope: 'none' })

routes.get('/get-session', withoutBody, async (context) => {
  const { view, headers } = await readSession(context.req.raw.headers)
  for (const cookie of headers.getSetCookie()) context.header('set-cookie', cookie, { append: true })
  context.header('cache-control', 'no-store')
  return context.json(view)
})

routes.post('/sign-up/email', byVisitors, async (context) => {
  requirePasswords()
  const body = await readBody(context)
  const email = typeof body.email === 'string' ? body.email.trim() : ''
  const name = typeof body.name === 'string' && body.name.trim() ? body.name.trim() : (email.split('@')[0] ?? '')
  for (const [field, value, most] of [
    ['email', email, EMAIL_MAX],
    ['name', name, NAME_MAX],
  ] as const)
    if (value.length > most) {
      const message = `The ${field} has more than ${most} characters.`
      throw new AppError('refused', message, { fields: { [field]: message } })
    }
  refuseWrong(newCredentials, { email, password: body.password })
  await countRequest('sign-up', { address: addressOf(context) })
  const invitation = tokenOf(body.invitation)
  await requireSignUp({ email, invitation })
  try {
    const given = { email, name, password: body.password, invitation }
    const [answer] = await Promise.all([signUp(context, given), mailEnabled() ? setTimeout(SAME_ANSWER_MS) : null])
    return answer
  } finally {
    if (invitation !== undefined) await endFailedClaim(email, invitation)
  }
})

routes.post('/sign-in/email', byVisitors, async (context) => {
  requirePasswords()
  const { email, password, rememberMe, invitation } = await readBody(context)
  refuseWrong(credentials, { email, password })
  const given = { email: String(email).trim(), password, ...(typeof rememberMe === 'boolean' ? { rememberMe } : {}) }
  return withinLimits(context, given.email, async () => {
    const result = await signInByPassword(context, given, tokenOf(invitation))
    return { isRight: result.ok, result }
  })
})

// Links in e-mails of earlier versions.
routes.get('/verify-email', withoutBody, (context) => {
  requireMail()
  return context.redirect(pages.confirmEmail(context.req.query('token') ?? ''))
})

routes.post('/verify-email', byVisitors, async (context) => {
  requireMail()
  requirePasswords()
  const { token, password } = await readBody(context)
  const email = await readConfirmation(typeof token === 'string' ? token : '')
  refuseWrong(credentials, { email, password })
  return withinLimits(context, email, async () => {
    if (!(await confirmAddress(email, String(password)))) throw wrongPassword()
    const result = await signInByPassword(context, { email, password })
    return { isRight: result.ok, result }
  })
})

// Responds the same way, after the same time, whether the address has an account or not.
routes.post('/request-password-reset', byVisitors, async (context) => {
  requireMail()
  requirePasswords()
  const { email, invitation } = await readBody(context)
  // Counted first, because each typed address needs a row of the counts.
  await countRequest('recovery-network', { address: addressOf(context) })
  // Limits e-mails to one address from many clients; addresses without an account count too.
  await countRequest('recovery', { person: typeof email === 'string' ? email : '' })
  const token = tokenOf(invitation)
  const body = {
    email: typeof email === 'string' ? email.trim() : email,
    ...(token === undefined ? {} : { redirectTo: pages.invitation(token) }),
  }
  const [answer] = await Promise.all([forward(context, body), setTimeout(SAME_ANSWER_MS)])
  return answer
})

// Also without e-mail: administrators create links, too (password-link.ts).
routes.post('/reset-password', byVisitors, async (context) => {
  requirePasswords()
  await countRequest('new-password', { address: addressOf(context) })
  const { token, newPassword } = await readBody(context)
  const userId = await recoveringUser(token)
  const answer = await forward(context, { token, newPassword })
  // Wrong passwords from elsewhere can have locked the account for unknown browsers; this browser belongs to its owner.
  return answer.ok && userId ? withCookie(answer, await markDevice(context, userId)) : answer
})

const YEAR_SECONDS = 365 * 24 * 3600

// The library's callback address is a page of ours that handles a second step.
routes.post('/sign-in/social', byVisitors, async (context) => {
  if (!oidcEnabled()) throw new AppError('not_configured', NO_PROVIDER)
  await countRequest('provider-sign-in', { address: addressOf(context) })
  const { redirect_to, again } = await readBody(context)
  const back = pageOf(redirect_to)
  const body = {
    provider: OIDC,
    callbackURL: `${SECOND_STEP}?${new URLSearchParams({ back })}`,
    errorCallbackURL: signInPage(back),
    disableRedirect: true,
    additionalParams: {
      provider: OIDC,
      redirect_to: back,
      scopes: OIDC_SCOPES.join(' '),
      // With `max_age`, the ID token contains the time at which the user entered credentials (OpenID Connect Core, 3.1.2.1).
      max_age: String(YEAR_SECONDS),
      // A repeated proof of identity also needs credentials at the provider, even if its own session is active.
      ...(again === true ? { prompt: 'login' } : {}),
    },
  }
  const answer = await forward(context, body)
  if (answer.status !== 404) return answer
  // The provider's discovery failed when the account service was created. Checked here first: other account calls would
  // wait for a new service.
  if (await providerAnswers()) {
    renewAuth()
    const second = await forward(context, body)
    if (second.status !== 404) return second
  }
  throw new AppError('outside_failed', 'The sign-in provider cannot be reached. Try again in a moment.')
})
routes.get(`/callback/${OIDC}`, withoutBody, async (context) => {
  if (!oidcEnabled()) throw new AppError('not_found', NO_PROVIDER)
  await countRequest('provider-callback', { address: addressOf(context) })
  const answer = await withClaims(() => forwardGet(context, new URL(context.req.url).search))
  // As with a password: a browser has one session, and a provider's sign-in replaces it.
  const isSignedIn = answer.headers.getSetCookie().some((cookie) => cookie.startsWith(`${SESSION_COOKIE}=`))
  const isRefused = answer.headers.get('location')?.includes('error=') === true
  if (isRefused) signInFailures.inc({ reason: 'provider' })
  else if (isSignedIn) await endSessionOf(context.req.raw.headers)
  return answer
})

routes.post('/sign-out', withoutBody, (context) => forward(context, {}))

// The library would replace all sessions by a new one; here the caller's session stays and the others end.
routes.post(
  '/change-password',
  access({ role: 'user', ...SMALL_BODY, limit: 'none', scope: 'none' }),
  async (context) => {
    requirePasswords()
    const caller = await callerOf(context.req.raw.headers)
    const { currentPassword, newPassword } = await readBody(context)
    const answer = await withinGuesses(caller.userId, async () => {
      const result = await forward(context, { currentPassword, newPassword })
      return { isRight: result.ok || ((await isWrongPassword(result)) ? false : null), result }
    })
    if (!answer.ok) return answer
    await revokeOtherSessions(caller)
    await asSystem((tx) => deleteRecoveryLinks(tx, caller.userId))
    return withCookie(answer, await markDevice(context, caller.userId, { code: caller.level === 'aal2' }))
  },
)

routes.route('/', sessionRoutes)
routes.route('/', factorRoutes)
routes.all('/*', withoutBody, () => {
  throw new AppError('not_found', 'There is nothing at this address.')
})

const requireMail = () => {
  if (!mailEnabled()) throw new AppError('not_configured', 'This server sends no e-mail: SMTP is not set up.')
}

/** Returns the id of the user whose password the recovery link with this token changes, or null for an invalid token. */
async function recoveringUser(token: unknown): Promise<string | null> {
  if (typeof token !== 'string') return null
  const { internalAdapter } = await auth().$context
  return (await internalAdapter.findVerificationValue(`reset-password:${token}`))?.value ?? null
}
