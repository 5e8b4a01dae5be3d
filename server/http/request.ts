import { getConnInfo } from '@hono/node-server/conninfo'
import { matchedRoutes } from 'hono/route'
import { clientAddress } from './client-address.ts'
import { env } from '#server/lib/env.ts'
import { log } from '#server/lib/log.ts'
import type { AppContext } from './router.ts'

/**
 * Returns the method and the path pattern of a request's route, such as 'GET /api/documents/:id'. For a request without a
 * matching route, returns the method and '/*'.
 */
export function routeOf(context: AppContext): string {
  const found = matchedRoutes(context).find(({ method }) => method !== 'ALL')
  return found ? `${found.method} ${found.path}` : `${context.req.method} /*`
}

let warned = false

/**
 * Returns the client address of a request (see `clientAddress`). Logs a warning once if X-Forwarded-For arrives without
 * TRUSTED_PROXIES.
 */
export function addressOf(context: AppContext): string {
  const forwarded = context.req.header('x-forwarded-for')
  if (forwarded !== undefined && env.TRUSTED_PROXIES.length === 0 && !warned) {
    warned = true
    log.warn(
      'a request has X-Forwarded-For: if your proxy sends it, name the proxy in TRUSTED_PROXIES, or all clients count as one',
    )
  }
  return clientAddress(getConnInfo(context).remote.address ?? '', forwarded)
}
