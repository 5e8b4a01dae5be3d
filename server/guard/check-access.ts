import type { HonoRequest, MiddlewareHandler } from 'hono'
import { callerOf, readActor } from '#server/auth/index.ts'
import { AppError } from '#server/lib/errors.ts'
import { createTurns } from '#server/lib/turns.ts'
import { countRequest, type LimitName } from '#server/http/rate-limit.ts'
import { addressOf } from '#server/http/request.ts'
import { accessOf } from '#server/http/route-access.ts'
import { noteUser } from '#server/lib/request-context.ts'
import { type AppBindings, requireAdmin } from '#server/http/router.ts'

/** Requests to the model of one person that are handled at the same time until their response begins. The others wait. */
const AI_REQUESTS_AT_ONCE = 2

const inTurn = createTurns(AI_REQUESTS_AT_ONCE)

/**
 * Applies the access rule of the route before anything else of the request: reads the session and refuses callers
 * without one, callers without the admin role and calls above the rate limit. Rooms and database check ownership.
 */
export const checkAccess: MiddlewareHandler<AppBindings> = async (context, next) => {
  context.set('actor', null)
  const rule = accessOf(context)
  if (!rule) throw new AppError('not_found', 'There is nothing at this address.')
  if (rule.role === 'pending') await callerOf(context.req.raw.headers, { pending: true })
  else if (rule.role !== 'visitor') {
    const actor = await readActor(context.req.raw.headers)
    if (!actor) throw new AppError('no_session', noSession(context.req))
    context.set('actor', actor)
    noteUser(actor.userId)
  }
  if (rule.role === 'admin') requireAdmin(context)
  if (rule.limit === 'none') return next()
  const person = context.get('actor')?.userId
  const handle = async () => {
    await countRequest(rule.limit as LimitName, { person, address: addressOf(context) })
    await next()
  }
  await (rule.limit === 'ai' && person !== undefined ? inTurn(person, handle) : handle())
}

/** Returns the message of a call without a session, by kind of call. */
function noSession({ method, path }: HonoRequest): string {
  if (path.startsWith('/functions/')) return 'No active session'
  if (method === 'POST' && path === '/api/documents') return 'You must be logged in to upload documents'
  return 'You are not logged in.'
}
