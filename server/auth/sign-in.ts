import { AppError } from '#server/lib/errors.ts'
import { countRequest, forgetRequests } from '#server/http/rate-limit.ts'
import { addressOf } from '#server/http/request.ts'
import { signInFailures } from '#server/lib/metrics.ts'
import { noteUser } from '#server/lib/request-context.ts'
import type { AppContext } from '#server/http/router.ts'
import { pages } from '#shared/contract/paths.ts'
import { sendConfirmationAgain } from './confirm-address.ts'
import { countFailure } from './count-failure.ts'
import { deviceForPassword, markDevice } from './device-cookie.ts'
import { needsSecondStep } from './factors.ts'
import { forward, withCookie } from './forward.ts'
import { endSessionOf } from './sessions.ts'

const SIGN_IN = '/auth/v1/sign-in/email'

/**
 * Runs `check`, which compares a password with the password of an account, unless there were too many wrong passwords: then
 * throws 'too_many'. A browser that has signed in to this account before has its own count, so that other people's guesses do
 * not lock it out. For all other browsers, attempts are counted per account and per client address. If `check` returns
 * `isRight`, deletes the count of this browser, or of the account if the browser has no count of its own.
 */
export const withinLimits = <T>(
  context: AppContext,
  email: string,
  check: () => Promise<{ isRight: boolean; result: T }>,
): Promise<T> =>
  countFailure('password', async () => {
    const device = await deviceForPassword(context, email)
    if (device === null) await countRequest('sign-in-network', { address: addressOf(context) })
    const [limit, person] = device === null ? (['sign-in', email] as const) : (['sign-in-device', device] as const)
    await countRequest(limit, { person })
    const { isRight, result } = await check()
    if (isRight) await forgetRequests(limit, person)
    else signInFailures.inc({ reason: 'password' })
    return result
  })

/**
 * Signs in by e-mail address and password and returns the auth library's response. Adds `second_step` to its body: true if a
 * code of a second factor is still needed. For an address that is not confirmed, sends another confirmation link and throws
 * 'forbidden'. `invitation` is the token of an invitation, which opens after the confirmation.
 */
export async function signInByPassword(
  context: AppContext,
  given: { email: string; password: unknown; rememberMe?: boolean },
  invitation?: string,
): Promise<Response> {
  const answer = await forward(context, given, SIGN_IN)
  const body = (await answer
    .clone()
    .json()
    .catch(() => null)) as { code?: string; user?: { id: string } } | null
  if (body?.code === 'EMAIL_NOT_VERIFIED') {
    const isSent = await sendConfirmationAgain(given.email, invitation ? pages.invitation(invitation) : null)
    throw new AppError('forbidden', isSent ? NEW_LINK : NEWEST_LINK)
  }
  if (!answer.ok || !body?.user) return answer
  const { id } = body.user
  noteUser(id)
  await endSessionOf(context.req.raw.headers)
  const second_step = await needsSecondStep(id)
  const headers = new Headers(answer.headers)
  headers.delete('content-length')
  // The library would return the token without its signature, which gives no access.
  const token = headers.get('set-auth-token')
  const signedIn = new Response(JSON.stringify({ ...body, token, second_step }), { status: answer.status, headers })
  return second_step ? signedIn : withCookie(signedIn, await markDevice(context, id))
}

const NEW_LINK = 'Confirm your e-mail address first: a new link was sent to you.'
const NEWEST_LINK = 'Confirm your e-mail address first: open the newest link that was sent to you.'
