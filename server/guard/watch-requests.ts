import { randomUUID } from 'node:crypto'
import type { MiddlewareHandler } from 'hono'
import { log } from '#server/lib/log.ts'
import { requestSeconds } from '#server/lib/metrics.ts'
import { addressOf, routeOf } from '#server/http/request.ts'
import { inRequest } from '#server/lib/request-context.ts'
import { withSpan } from '#server/lib/tracing.ts'

/** Routes that monitoring and every page request often. They are logged at a lower level than other requests. */
const QUIET = new Set(['GET /healthz', 'GET /readyz', 'GET /metrics', 'GET /*'])

/**
 * Gives every request an id (X-Request-Id in the response, `request` in the log), measures its duration and logs one line. The
 * line contains the route and never the URL, because URLs contain project names and search words. The client address is logged
 * only for account calls and refused requests.
 */
export const watchRequests: MiddlewareHandler = (context, next) => {
  const request = randomUUID()
  return inRequest({ request }, async () => {
    const started = performance.now()
    const { status, route } = await withSpan(spanOf(context.req.method, request), async (change) => {
      await next()
      const { status, headers } = context.res
      headers.set('x-request-id', request)
      const route = routeOf(context)
      const attributes = { 'http.route': route.replace(/^\S+ /, ''), 'http.response.status_code': status }
      change({ name: route, attributes, ...(status < 500 ? {} : { error: String(status) }) })
      return { status, route }
    })
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

const spanOf = (method: string, request: string) => ({
  name: method,
  kind: 'server' as const,
  attributes: { 'http.request.method': method, 'lectern.request.id': request },
})
