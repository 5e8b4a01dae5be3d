import type { MiddlewareHandler } from 'hono'
import { secureHeaders } from 'hono/secure-headers'
import { publicUrl } from '#server/lib/env.ts'

/**
 * Scripts are files of this server only; none are inline. WebAssembly is allowed because pdf.js decodes images with it. No text
 * is turned into script or markup: the single Trusted Types policy (web/lib/trusted-types.ts) allows little more than starting
 * this server's workers. Inline styles are allowed: the reader positions every word of a page by its style.
 */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' blob: data:",
  "worker-src 'self' blob:",
  "connect-src 'self' blob:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types default',
].join('; ')

/** Device features that no page uses. */
const NOTHING = ['camera', 'microphone', 'geolocation', 'payment', 'usb', 'serial', 'midi'] as const

/** Headers of every response. With an https address, browsers are restricted to https. */
export const securityHeaders: MiddlewareHandler = secureHeaders({
  strictTransportSecurity: publicUrl().startsWith('https://') ? 'max-age=31536000; includeSubDomains' : false,
  crossOriginEmbedderPolicy: false,
  referrerPolicy: 'same-origin',
  xFrameOptions: 'DENY',
  permissionsPolicy: Object.fromEntries(NOTHING.map((name) => [name, []])),
})

/** Responses with user data are not cached, unless the route sets its own cache-control. */
const PERSONAL = /^\/(?:(?:api|auth|functions)\/|mcp$)/

/** Sets the content security policy and no-store, unless the route sets its own headers. */
export const defaultPolicies: MiddlewareHandler = async (context, next) => {
  await next()
  const { headers } = context.res
  if (!headers.has('content-security-policy')) headers.set('content-security-policy', CONTENT_SECURITY_POLICY)
  if (PERSONAL.test(context.req.path) && !headers.has('cache-control')) headers.set('cache-control', 'no-store')
}
