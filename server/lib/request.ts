import { getConnInfo } from '@hono/node-server/conninfo'
import { matchedRoutes } from 'hono/route'
import { clientAddress } from './client-address.ts'
import { env } from './env.ts'
import { log } from './log.ts'
import type { AppContext } from './router.ts'

/** The route that answers a request, as the router knows it: 'GET /api/documents/:id'. What is called by no route is 'GET /*'. */
export function routeOf(context: AppContext): string {
  const found = matchedRoutes(context).find(({ method }) => method !== 'ALL')
  return found ? `${found.method} ${found.path}` : `${context.req.method} /*`
}

let warned = false

/** The address of who asks, as far as it can be trusted. */
export function addressOf(context: AppContext): string {
  const forwarded = context.req.header('x-forwarded-for')
  if (forwarded !== undefined && env.TRUSTED_PROXIES.length === 0 && !warned) {
    warned = true
    log.warn('somebody sends X-Forwarded-For: if that is your proxy, name it in TRUSTED_PROXIES, or all count as one')
  }
  return clientAddress(getConnInfo(context).remote.address ?? '', forwarded)
}
