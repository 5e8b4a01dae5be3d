import type { MiddlewareHandler } from 'hono'
import { cors } from 'hono/cors'
import { env } from '#server/lib/env.ts'

const SHARED = /^\/(?:api|functions\/v1|mcp)(?:\/|$)/

/** Returns whether API_ORIGINS contains an origin. Programs in pages of such an origin may call this server with an API key. */
export const isSharedOrigin = (origin: string | undefined): boolean =>
  origin !== undefined && env.API_ORIGINS.includes(origin)

const share = cors({
  origin: (origin) => origin,
  allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
  allowHeaders: ['authorization', 'content-type', 'mcp-protocol-version', 'mcp-session-id'],
  exposeHeaders: ['retry-after', 'www-authenticate', 'x-request-id'],
  maxAge: 600,
})

/**
 * Allows pages of the origins in API_ORIGINS to read the responses of the API (CORS). Browsers send these requests without a
 * cookie, so the requests need an API key, which `refuseOtherSites` checks.
 */
export const shareWithOrigins: MiddlewareHandler = (context, next) =>
  SHARED.test(context.req.path) && isSharedOrigin(context.req.header('origin')) ? share(context, next) : next()
