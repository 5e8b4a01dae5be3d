import type { MiddlewareHandler } from 'hono'
import { publicUrl } from '#server/lib/env.ts'
import { AppError } from '#server/lib/errors.ts'

/**
 * Refuses changes that a page of another site requests with the user's cookie (OWASP: verifying origin with standard
 * headers). API clients send no such headers and are unaffected. Needs `refuseOtherHosts` before it: the page's own
 * host is the host of the request.
 */
export const refuseOtherSites: MiddlewareHandler = async (context, next) => {
  if (!['GET', 'HEAD', 'OPTIONS'].includes(context.req.method)) {
    const site = context.req.header('sec-fetch-site')
    const origin = context.req.header('origin')
    const own = origin === undefined || origin === publicUrl() || URL.parse(origin)?.host === context.req.header('host')
    if ((site !== undefined && !['same-origin', 'none'].includes(site)) || !own)
      throw new AppError('forbidden', 'This request came from another site.')
  }
  await next()
}
