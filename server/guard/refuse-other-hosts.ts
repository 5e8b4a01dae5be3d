import type { MiddlewareHandler } from 'hono'
import { publicUrl } from '#server/lib/env.ts'
import { AppError } from '#server/lib/errors.ts'
import { isOwnHost } from './own-host.ts'

/** Machines ask for these by whatever address they have; they show nothing of a person. */
const WATCHED = new Set(['/healthz', '/readyz', '/metrics'])

/**
 * Refuses requests for another host name (421, RFC 9110 15.5.20). A page of another site could point its own name at this
 * server (DNS rebinding), and would be its own site to the browser and to `refuseOtherSites`.
 */
export const refuseOtherHosts: MiddlewareHandler = async (context, next) => {
  const { hostname } = new URL(context.req.url)
  if (!WATCHED.has(context.req.path) && !isOwnHost(hostname)) {
    const message = `This server does not answer to the name ${hostname}. Open ${publicUrl()}, or set PUBLIC_URL to the address that people use.`
    // An address that a person has typed is answered by a sentence.
    if (context.req.header('accept')?.includes('text/html')) return context.text(message, 421)
    throw new AppError('misdirected', message)
  }
  await next()
}
