import type { HonoRequest, MiddlewareHandler } from 'hono'
import { readActor } from '#server/auth/index.ts'
import { AppError } from '#server/lib/errors.ts'
import { countRequest } from '#server/http/rate-limit.ts'
import { addressOf, routeOf } from '#server/http/request.ts'
import { noteUser } from '#server/lib/request-context.ts'
import { actorOf, type AppBindings, requireAdmin } from '#server/http/router.ts'
import { limitOf, roleOf } from './access.ts'

/**
 * Reads the session and checks the access table before anything else of the request: refuses callers without a session,
 * callers without the admin role and calls above the rate limit. Rooms and database check ownership.
 */
export const checkAccess: MiddlewareHandler<AppBindings> = async (context, next) => {
  const actor = await readActor(context.req.raw.headers)
  context.set('actor', actor)
  if (actor) noteUser(actor.userId)
  const route = routeOf(context)
  // Unknown paths: a visitor gets 401 instead of 404.
  const role = route.endsWith(' /*') ? 'user' : roleOf(route)
  if (role !== 'visitor' && !actor) throw new AppError('no_session', noSession(context.req))
  if (role === 'admin') requireAdmin(context)
  const limit = limitOf(route)
  if (limit) await countRequest(limit, { person: actorOf(context).userId, address: addressOf(context) })
  await next()
}

/** Returns the message of a call without a session, by kind of call. */
function noSession({ method, path }: HonoRequest): string {
  if (path.startsWith('/functions/')) return 'No active session'
  if (method === 'POST' && path === '/api/documents') return 'You must be logged in to upload documents'
  return 'You are not logged in.'
}
