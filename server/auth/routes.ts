import { setTimeout } from 'node:timers/promises'
import { asOwner } from '#server/db/client.ts'
import type { AppContext } from '#server/lib/router.ts'
import { createRouter, refuseUnstorable } from '#server/lib/router.ts'
import { publicUrl } from '#server/lib/env.ts'
import { AppError } from '#server/lib/errors.ts'
import { mailEnabled } from '#server/lib/mail.ts'
import { countRequest, forgetRequests } from '#server/lib/rate-limit.ts'
import { addressOf } from '#server/lib/request.ts'
import { noteUser } from '#server/lib/request-context.ts'
import { PROFILE_FAILED } from '#shared/profiles.ts'
import { auth, CLIENT_ADDRESS_HEADER, renewAuth, withoutProfile } from './auth.ts'
import { callerOf } from './caller.ts'
import { describeAccounts } from './describe.ts'
import { routes as factorRoutes } from './factor-routes.ts'
import { needsSecondStep } from './factors.ts'
import { isPage } from './hand-out.ts'
import { OIDC, OIDC_SCOPES, oidcEnabled, providerAnswers } from './providers.ts'
import { deleteRecoveryLinks } from './recovery-queries.ts'
import { asRefusal, credentials, EMAIL_TAKEN, newCredentials, refuseWrong } from './refusals.ts'
import { readSession } from './service.ts'
import { hasAccount } from './session-queries.ts'
import { routes as sessionRoutes } from './session-routes.ts'
import { endSessionOf, revokeOtherSessions } from './sessions.ts'

/**
 * Mounted at /auth/v1. Only what is named here exists: the auth library answers more addresses of its own, some of which
 * hand every session's token to a page (its own list-sessions; ours names sessions by id) or change the account behind the profile's back (update-user).
 */
export const routes = createRouter()
/** The longest address that mail is carried to (RFC 5321, 4.5.3.1.3), and the longest name of a profile. */
const EMAIL_MAX = 254
const NAME_MAX = 200
const CONFIRMED = '/auth/confirmed'
const SECOND_STEP = '/auth/second-step'
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
  const body = await readBody(context)
  const { email, password, rememberMe } = body
  refuseWrong(credentials, { email, password })
  // The library counts by address; this counts by account, so that many addresses get no further than one.
  const person = typeof email === 'string' ? email : ''
  await countRequest('sign-in', { person })
  const known = { password, ...(typeof rememberMe === 'boolean' ? { rememberMe } : {}) }
  const answer = await forward(context, { ...known, email: typeof email === 'string' ? email.trim() : email })
  const said = (await answer
    .clone()
    .json()
    .catch(() => null)) as { code?: string; user?: { id: string } } | null
  if (said?.code === 'EMAIL_NOT_VERIFIED')
    throw new AppError('forbidden', 'Confirm your e-mail address first: a new link is on its way to you.')
  if (!answer.ok || !said?.user) return answer
  await forgetRequests('sign-in', person)
  noteUser(said.user.id)
  await endSessionOf(context.req.raw.headers)
  const second_step = await needsSecondStep(said.user.id)
  const headers = new Headers(answer.headers)
  headers.delete('content-length')
  // The library would name the session without its signature, which opens nothing.
  const token = headers.get('set-auth-token')
  return new Response(JSON.stringify({ ...said, token, second_step }), { status: answer.status, headers })
})

// The link of the confirmation letter; leads on to /auth/confirmed, with `error` where it has run out.
routes.get('/verify-email', (context) => {
  requireMail()
  const token = context.req.query('token') ?? ''
  return forwardGet(context, `?${new URLSearchParams({ token, callbackURL: CONFIRMED })}`)
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
  return forward(context, { token, newPassword })
})

// Where the library takes a callback address, it is one of ours: a page that knows what to do with a second step.
routes.post('/sign-in/social', async (context) => {
  if (!oidcEnabled()) throw new AppError('not_configured', 'No OpenID Connect provider is set on this server.')
  const { redirect_to } = await readBody(context)
  const back = typeof redirect_to === 'string' && /^\/(?![/\\])[^\s]*$/.test(redirect_to) ? redirect_to : '/projects'
  const asked = {
    provider: OIDC,
    callbackURL: `${SECOND_STEP}?${new URLSearchParams({ back })}`,
    errorCallbackURL: '/auth',
    disableRedirect: true,
    additionalParams: { provider: OIDC, redirect_to: back, scopes: OIDC_SCOPES.join(' ') },
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
routes.get(`/callback/${OIDC}`, (context) => forwardGet(context, new URL(context.req.url).search))

routes.post('/sign-out', (context) => forward(context, {}))

// The library would hand out a new session in place of all others; here the one that asks stays and the others end.
routes.post('/change-password', async (context) => {
  const caller = await callerOf(context.req.raw.headers)
  const { currentPassword, newPassword } = await readBody(context)
  const answer = await forward(context, { currentPassword, newPassword })
  if (!answer.ok) return answer
  await revokeOtherSessions(caller)
  await asOwner((tx) => deleteRecoveryLinks(tx, caller.userId))
  return answer
})

routes.route('/', sessionRoutes)
routes.route('/', factorRoutes)
routes.all('/*', () => {
  throw new AppError('not_found', 'There is nothing at this address.')
})

const requireMail = () => {
  if (!mailEnabled()) throw new AppError('not_configured', 'This server sends no e-mail: SMTP is not set up.')
}

async function readBody(context: AppContext): Promise<Record<string, unknown>> {
  const body: unknown = await context.req.json().catch(() => {
    throw new AppError('malformed', 'The request is not valid JSON.')
  })
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new AppError('malformed', 'The request must be a JSON object.')
  refuseUnstorable(body)
  return body as Record<string, unknown>
}

async function forward(context: AppContext, body: Record<string, unknown>): Promise<Response> {
  const headers = headersOf(context)
  headers.delete('content-length')
  headers.set('content-type', 'application/json')
  const request = new Request(context.req.url, { method: 'POST', headers, body: JSON.stringify(body) })
  return withoutToken(context, await asRefusal(await auth().handler(request)))
}

/** A page that the browser itself opens: the answer is a redirect. */
async function forwardGet(context: AppContext, search: string): Promise<Response> {
  refuseUnstorable(Object.fromEntries(new URLSearchParams(search)), 'malformed')
  const url = new URL(context.req.url)
  url.search = search
  return asRefusal(await auth().handler(new Request(url, { headers: headersOf(context) })))
}

/** A browser holds its session in the httpOnly cookie alone: what asks as a page gets no token to read. */
async function withoutToken(context: AppContext, response: Response): Promise<Response> {
  if (!isPage(context) || !response.headers.get('content-type')?.includes('json')) return response
  const answer: unknown = await response.json()
  const headers = new Headers(response.headers)
  headers.delete('set-auth-token')
  headers.delete('content-length')
  const shown = typeof answer === 'object' && answer !== null && 'token' in answer ? { ...answer, token: null } : answer
  return new Response(JSON.stringify(shown), { status: response.status, headers })
}

/**
 * The request's headers with the caller's own address where the account service looks for it, whatever the client sent
 * there. Where the request comes from was judged before (refuseOtherSites in app.ts), so the library is told the origin
 * it expects: by itself it would refuse every program whose `fetch` sends Sec-Fetch-Mode but no Origin, as Node's does.
 */
function headersOf(context: AppContext): Headers {
  const headers = new Headers(context.req.raw.headers)
  headers.set('origin', publicUrl())
  headers.set(CLIENT_ADDRESS_HEADER, addressOf(context))
  return headers
}
