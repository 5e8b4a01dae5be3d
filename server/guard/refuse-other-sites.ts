import type { MiddlewareHandler } from 'hono'
import { keyIn } from '#server/keys/index.ts'
import { publicUrl } from '#server/lib/env.ts'
import { AppError } from '#server/lib/errors.ts'
import { isSharedOrigin } from './share-with-origins.ts'

/**
 * Refuses a change that a page of another site requests with the user's cookie (OWASP: verifying origin with standard headers).
 * Also refuses each request with an API key from a page of another site, unless API_ORIGINS contains the origin of the page.
 * API clients outside a browser do not send the checked headers and are not affected. The middleware `refuseOtherHosts` must
 * run before: this check accepts an origin that is equal to the Host header of the request, so that header must be one of this
 * server.
 */
export const refuseOtherSites: MiddlewareHandler = async (context, next) => {
  const { method } = context.req
  const origin = context.req.header('origin')
  const hasKey = keyIn(context.req.raw.headers) !== null
  const isChecked = hasKey ? !isSharedOrigin(origin) : !['GET', 'HEAD', 'OPTIONS'].includes(method)
  if (isChecked) {
    const site = context.req.header('sec-fetch-site')
    const own = origin === undefined || origin === publicUrl() || URL.parse(origin)?.host === context.req.header('host')
    if ((site !== undefined && !['same-origin', 'none'].includes(site)) || !own)
      throw new AppError('forbidden', 'This request came from another site.')
  }
  await next()
}
