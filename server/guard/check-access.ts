import type { HonoRequest, MiddlewareHandler } from 'hono'
import { readActor } from '#server/auth/index.ts'
import { AppError } from '#server/lib/errors.ts'
import { countRequest } from '#server/lib/rate-limit.ts'
import { addressOf, routeOf } from '#server/lib/request.ts'
import { noteUser } from '#server/lib/request-context.ts'
import { actorOf, type AppBindings, requireAdmin } from '#server/lib/router.ts'
import { limitOf, roleOf } from './access.ts'

/**
 * Reads the session and asks the table of access before anything of the request is looked at: who is not signed in, who
 * is no admin and who calls too often gets no further. Whose thing it is, the rooms and the database judge.
 */
export const checkAccess: MiddlewareHandler<AppBindings> = async (context, next) => {
  const actor = await readActor(context.req.raw.headers)
  context.set('actor', actor)
  if (actor) noteUser(actor.userId)
  const route = routeOf(context)
  // Where there is no route, there is nothing to tell a visitor either.
  const role = route.endsWith(' /*') ? 'user' : roleOf(route)
  if (role !== 'visitor' && !actor) throw new AppError('no_session', noSession(context.req))
  if (role === 'admin') requireAdmin(context)
  const limit = limitOf(route)
  if (limit) await countRequest(limit, { person: actorOf(context).userId, address: addressOf(context) })
  await next()
}

/** What is said to who is not signed in: each kind of call has its own words. */
function noSession({ method, path }: HonoRequest): string {
  if (path.startsWith('/functions/')) return 'No active session'
  if (method === 'POST' && path === '/api/documents') return 'You must be logged in to upload documents'
  return 'You are not logged in.'
}
