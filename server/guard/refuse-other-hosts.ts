import type { MiddlewareHandler } from 'hono'
import { publicUrl } from '#server/lib/env.ts'
import { AppError } from '#server/lib/errors.ts'
import { isOwnHost } from './own-host.ts'

/** Paths that monitoring requests at any address of the server. Their responses contain no user data. */
const WATCHED = new Set(['/healthz', '/readyz', '/metrics'])

/**
 * Refuses requests with a host name of another site (421, RFC 9110 15.5.20). An attacker could point a name at this server (DNS
 * rebinding); the attacker's page would then be same-site for the browser and for `refuseOtherSites`.
 */
export const refuseOtherHosts: MiddlewareHandler = async (context, next) => {
  const { hostname } = new URL(context.req.url)
  if (!WATCHED.has(context.req.path) && !isOwnHost(hostname)) {
    const message = `This server does not answer to the name ${hostname}. Open ${publicUrl()}, or set PUBLIC_URL to the address that people use. A proxy in front of the server must pass the Host header of the request.`
    // A browser gets the message as text.
    if (context.req.header('accept')?.includes('text/html')) return context.text(message, 421)
    throw new AppError('misdirected', message)
  }
  await next()
}
