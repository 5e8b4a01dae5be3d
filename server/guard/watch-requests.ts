import { randomUUID } from 'node:crypto'
import type { MiddlewareHandler } from 'hono'
import { log } from '#server/lib/log.ts'
import { requestSeconds } from '#server/lib/metrics.ts'
import { addressOf, routeOf } from '#server/lib/request.ts'
import { inRequest } from '#server/lib/request-context.ts'

/** Asked for all day by machines and by every page; told apart from what people do. */
const QUIET = new Set(['GET /healthz', 'GET /readyz', 'GET /metrics', 'GET /*'])

/**
 * Gives every request an id, which the answer carries as X-Request-Id and every line of the log as `request`, measures it,
 * and writes one line about it. The line names the route and never the address that was asked for: addresses hold the
 * names of projects, and what people look for. Where from is written down of account calls and of refusals alone.
 */
export const watchRequests: MiddlewareHandler = (context, next) => {
  const request = randomUUID()
  return inRequest({ request }, async () => {
    const started = performance.now()
    await next()
    const { status, headers } = context.res
    headers.set('x-request-id', request)
    const route = routeOf(context)
    const ms = Math.round(performance.now() - started)
    requestSeconds.observe({ route, status: String(status) }, ms / 1000)
    const refused = status === 401 || status === 403 || status === 429
    const from = refused || route.includes(' /auth/') ? { from: addressOf(context) } : {}
    log[QUIET.has(route) && status < 500 ? 'debug' : refused ? 'warn' : 'info'](
      { route, status, ms, ...from },
      refused ? 'refused' : 'answered',
    )
  })
}
