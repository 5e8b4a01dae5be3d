import type { MiddlewareHandler } from 'hono'
import { secureHeaders } from 'hono/secure-headers'
import { publicUrl } from '#server/lib/env.ts'

/**
 * The value of the header Content-Security-Policy. Allows only scripts from files of this server, and no inline scripts.
 * WebAssembly is allowed because pdf.js decodes images with it. No text is turned into script or markup: the single Trusted
 * Types policy (web/lib/trusted-types.ts) allows little more than the start of this server's workers. Inline styles are allowed
 * because the PDF reader sets the position of every word of a page by its style.
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

/** Device features that no page uses. The header Permissions-Policy disables them. */
const NOTHING = ['camera', 'microphone', 'geolocation', 'payment', 'usb', 'serial', 'midi'] as const

/** Sets the security headers of every response. With an https PUBLIC_URL, browsers then use https only. */
export const securityHeaders: MiddlewareHandler = secureHeaders({
  strictTransportSecurity: publicUrl().startsWith('https://') ? 'max-age=31536000; includeSubDomains' : false,
  crossOriginEmbedderPolicy: false,
  referrerPolicy: 'same-origin',
  xFrameOptions: 'DENY',
  permissionsPolicy: Object.fromEntries(NOTHING.map((name) => [name, []])),
})

/** Matches paths whose responses have user data. They are not cached, unless the route sets its own cache-control. */
const PERSONAL = /^\/(?:(?:api|auth|functions)\/|mcp$)/

/** Sets the content security policy, and `cache-control: no-store` for user data, unless the route has set these headers. */
export const defaultPolicies: MiddlewareHandler = async (context, next) => {
  await next()
  const { headers } = context.res
  if (!headers.has('content-security-policy')) headers.set('content-security-policy', CONTENT_SECURITY_POLICY)
  if (PERSONAL.test(context.req.path) && !headers.has('cache-control')) headers.set('cache-control', 'no-store')
}
