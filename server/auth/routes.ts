import { setTimeout } from 'node:timers/promises'
import { asOwner } from '#server/db/client.ts'
import { createRouter } from '#server/lib/router.ts'
import { AppError } from '#server/lib/errors.ts'
import { mailEnabled } from '#server/lib/mail.ts'
import { countRequest } from '#server/lib/rate-limit.ts'
import { pages } from '#shared/paths.ts'
import { PROFILE_FAILED } from '#shared/profiles.ts'
import { auth, renewAuth, SESSION_COOKIE, withoutProfile } from './auth.ts'
import { callerOf } from './caller.ts'
import { wrongPassword } from './check-password.ts'
import { confirmAddress, readConfirmation } from './confirm-address.ts'
import { describeAccounts } from './describe.ts'
import { markDevice } from './device-cookie.ts'
import { routes as factorRoutes } from './factor-routes.ts'
import { forward, forwardGet, readBody, withCookie } from './forward.ts'
import { OIDC, OIDC_SCOPES, oidcEnabled, providerAnswers } from './providers.ts'
import { deleteRecoveryLinks } from './recovery-queries.ts'
import { credentials, EMAIL_TAKEN, newCredentials, refuseWrong } from './refusals.ts'
import { readSession } from './service.ts'
import { hasAccount } from './session-queries.ts'
import { routes as sessionRoutes } from './session-routes.ts'
import { endSessionOf, revokeOtherSessions } from './sessions.ts'
import { signInByPassword, withinLimits } from './sign-in.ts'

/**
 * Mounted at /auth/v1. Only what is named here exists: the auth library answers more addresses of its own, some of which
 * hand every session's token to a page (its own list-sessions; ours names sessions by id) or change the account behind the profile's back (update-user).
 */
export const routes = createRouter()
/** The longest address that mail is carried to (RFC 5321, 4.5.3.1.3), and the longest name of a profile. */
const EMAIL_MAX = 254
const NAME_MAX = 200
const SECOND_STEP = '/auth/second-step'
const NO_PROVIDER = 'No OpenID Connect provider is set on this server.'
/** Longer than asking for a recovery letter takes. */
const SAME_ANSWER_MS = 400
describeAccounts(routes)

routes.get('/get-session', async (context) => {
  const { view, headers } = await readSession(context.req.raw.headers)
  for (const cookie of headers.getSetCookie()) context.header('set-cookie', cookie, { append: true })
  context.header('cache-control', 'no-store')
  return context.json(view)
})

routes.post('/sign-up/email', async (context) => {
  const body = await readBody(context)
  const email = typeof body.email === 'string' ? body.email.trim() : ''
  const name = typeof body.name === 'string' && body.name.trim() ? body.name.trim() : (email.split('@')[0] ?? '')
  const tooLong = { email: email.length > EMAIL_MAX, name: name.length > NAME_MAX }
  for (const [field, is] of Object.entries(tooLong))
    if (is)
      throw new AppError('refused', `The ${field} is too long.`, { fields: { [field]: 'This value is too long.' } })
  refuseWrong(newCredentials, { email, password: body.password })
  // Nothing else of an account is the visitor's to say: not its picture, and nothing that the library may learn to take.
  const answer = await forward(context, { email, name, password: body.password })
  if (!answer.ok) return answer
  const { user } = (await answer.clone().json()) as { user: { id: string } }
  // For an address that is taken the library makes up an account. That keeps the secret where a letter tells its owner;
  // without letters it would send people away to sign in with a password that opens nothing.
  if (!mailEnabled() && !(await asOwner((tx) => hasAccount(tx, user.id))))
    throw new AppError('refused', EMAIL_TAKEN, { fields: { email: EMAIL_TAKEN } })
  if (withoutProfile.delete(user.id)) throw new AppError('internal', PROFILE_FAILED)
  return answer
})

routes.post('/sign-in/email', async (context) => {
  const { email, password, rememberMe } = await readBody(context)
  refuseWrong(credentials, { email, password })
  const given = { email: String(email).trim(), password, ...(typeof rememberMe === 'boolean' ? { rememberMe } : {}) }
  return withinLimits(context, given.email, async () => {
    const result = await signInByPassword(context, given)
    return { isRight: result.ok, result }
  })
})

// Links of e-mails that an earlier version of this server has sent.
routes.get('/verify-email', (context) => {
  requireMail()
  return context.redirect(pages.confirmEmail(context.req.query('token') ?? ''))
})

routes.post('/verify-email', async (context) => {
  requireMail()
  const { token, password } = await readBody(context)
  const email = await readConfirmation(typeof token === 'string' ? token : '')
  refuseWrong(credentials, { email, password })
  return withinLimits(context, email, async () => {
    if (!(await confirmAddress(email, String(password)))) throw wrongPassword()
    const result = await signInByPassword(context, { email, password })
    return { isRight: result.ok, result }
  })
})

// Answers the same, and no sooner, whether the address has an account or not.
routes.post('/request-password-reset', async (context) => {
  requireMail()
  const { email } = await readBody(context)
  // Nobody's letter box is to be filled from many addresses; what has no account is counted just so.
  await countRequest('recovery', { person: typeof email === 'string' ? email : '' })
  const asked = { email: typeof email === 'string' ? email.trim() : email }
  const [answer] = await Promise.all([forward(context, asked), setTimeout(SAME_ANSWER_MS)])
  return answer
})

routes.post('/reset-password', async (context) => {
  requireMail()
  const { token, newPassword } = await readBody(context)
  const userId = await recoveringUser(token)
  const answer = await forward(context, { token, newPassword })
  // Others may have locked the account for browsers that it does not know; this one is its owner's.
  return answer.ok && userId ? withCookie(answer, await markDevice(context, userId)) : answer
})

// Where the library takes a callback address, it is one of ours: a page that knows what to do with a second step.
routes.post('/sign-in/social', async (context) => {
  if (!oidcEnabled()) throw new AppError('not_configured', NO_PROVIDER)
  const { redirect_to, again } = await readBody(context)
  const back = typeof redirect_to === 'string' && /^\/(?![/\\])[^\s]*$/.test(redirect_to) ? redirect_to : '/projects'
  const asked = {
    provider: OIDC,
    callbackURL: `${SECOND_STEP}?${new URLSearchParams({ back })}`,
    errorCallbackURL: '/auth',
    disableRedirect: true,
    additionalParams: {
      provider: OIDC,
      redirect_to: back,
      scopes: OIDC_SCOPES.join(' '),
      // Who proves again who they are is asked by the provider too, also where its own session goes on.
      ...(again === true ? { prompt: 'login' } : {}),
    },
  }
  const answer = await forward(context, asked)
  if (answer.status !== 404) return answer
  // The provider did not say its addresses when the account service was made. It is asked here first: whatever else the
  // service is asked would wait for a new one.
  if (await providerAnswers()) {
    renewAuth()
    const second = await forward(context, asked)
    if (second.status !== 404) return second
  }
  throw new AppError('outside_failed', 'The sign-in provider cannot be reached. Try again in a moment.')
})
routes.get(`/callback/${OIDC}`, async (context) => {
  if (!oidcEnabled()) throw new AppError('not_found', NO_PROVIDER)
  const answer = await forwardGet(context, new URL(context.req.url).search)
  // As with a password: a browser has one session, and a provider's sign-in replaces it.
  const isSignedIn = answer.headers.getSetCookie().some((cookie) => cookie.startsWith(`${SESSION_COOKIE}=`))
  if (isSignedIn && !answer.headers.get('location')?.includes('error=')) await endSessionOf(context.req.raw.headers)
  return answer
})

routes.post('/sign-out', (context) => forward(context, {}))

// The library would hand out a new session in place of all others; here the one that asks stays and the others end.
routes.post('/change-password', async (context) => {
  const caller = await callerOf(context.req.raw.headers)
  const { currentPassword, newPassword } = await readBody(context)
  const answer = await forward(context, { currentPassword, newPassword })
  if (!answer.ok) return answer
  await revokeOtherSessions(caller)
  await asOwner((tx) => deleteRecoveryLinks(tx, caller.userId))
  return withCookie(answer, await markDevice(context, caller.userId, { code: caller.level === 'aal2' }))
})

routes.route('/', sessionRoutes)
routes.route('/', factorRoutes)
routes.all('/*', () => {
  throw new AppError('not_found', 'There is nothing at this address.')
})

const requireMail = () => {
  if (!mailEnabled()) throw new AppError('not_configured', 'This server sends no e-mail: SMTP is not set up.')
}

/** The account that a recovery link is for, or null. */
async function recoveringUser(token: unknown): Promise<string | null> {
  if (typeof token !== 'string') return null
  const { internalAdapter } = await auth().$context
  return (await internalAdapter.findVerificationValue(`reset-password:${token}`))?.value ?? null
}
