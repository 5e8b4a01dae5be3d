import { getConnInfo } from '@hono/node-server/conninfo'
import type { AppContext } from '#server/lib/router.ts'
import { createRouter } from '#server/lib/router.ts'
import { publicUrl } from '#server/lib/env.ts'
import { AppError } from '#server/lib/errors.ts'
import { auth, CLIENT_ADDRESS_HEADER } from './auth.ts'
import { callerOf } from './caller.ts'
import { describeAccounts } from './describe.ts'
import { routes as factorRoutes } from './factor-routes.ts'
import { readSession } from './service.ts'
import { routes as sessionRoutes } from './session-routes.ts'
import { revokeOtherSessions } from './sessions.ts'

/**
 * Mounted at /auth/v1. Only what is named here exists: the auth library answers more addresses of its own, some of which
 * hand every session's token to a page (its own list-sessions; ours names sessions by id) or change the account behind the profile's back (update-user).
 */
export const routes = createRouter()
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
  return forward(context, { ...body, email, name })
})

routes.post('/sign-in/email', async (context) => {
  const body = await readBody(context)
  return forward(context, typeof body.email === 'string' ? { ...body, email: body.email.trim() } : body)
})

routes.post('/sign-out', (context) => forward(context, {}))

// The library would hand out a new session in place of all others; here the one that asks stays and the others end.
routes.post('/change-password', async (context) => {
  const caller = await callerOf(context.req.raw.headers)
  const { currentPassword, newPassword } = await readBody(context)
  const answer = await forward(context, { currentPassword, newPassword })
  if (answer.ok) await revokeOtherSessions(caller)
  return answer
})

routes.route('/', sessionRoutes)
routes.route('/', factorRoutes)
routes.all('/*', () => {
  throw new AppError('not_found', 'There is nothing at this address.')
})

async function readBody(context: AppContext): Promise<Record<string, unknown>> {
  const body: unknown = await context.req.json().catch(() => {
    throw new AppError('malformed', 'The request is not valid JSON.')
  })
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new AppError('malformed', 'The request must be a JSON object.')
  return body as Record<string, unknown>
}

async function forward(context: AppContext, body: Record<string, unknown>): Promise<Response> {
  const headers = headersOf(context)
  headers.delete('content-length')
  headers.set('content-type', 'application/json')
  return withoutToken(
    context,
    await auth().handler(new Request(context.req.url, { method: 'POST', headers, body: JSON.stringify(body) })),
  )
}

/** A browser holds its session in the httpOnly cookie alone: what asks as a page gets no token to read. */
async function withoutToken(context: AppContext, response: Response): Promise<Response> {
  const browser = context.req.header('origin') !== undefined || context.req.header('sec-fetch-site') !== undefined
  if (!browser || !response.headers.get('content-type')?.includes('json')) return response
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
  headers.set(CLIENT_ADDRESS_HEADER, getConnInfo(context).remote.address ?? '127.0.0.1')
  return headers
}
