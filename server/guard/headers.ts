import type { MiddlewareHandler } from 'hono'
import { secureHeaders } from 'hono/secure-headers'
import { publicUrl } from '#server/lib/env.ts'

/**
 * Scripts come from this server alone, as files; none stands in a page. WebAssembly is what pdf.js decodes images with.
 * Text becomes a script or markup nowhere: the one Trusted Types policy (web/lib/trusted-types.ts) lets the workers of this
 * server start and little else. Styles may stand in elements: the reader places every word of a page by its style.
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

/** What no page of this server needs of a device. */
const NOTHING = ['camera', 'microphone', 'geolocation', 'payment', 'usb', 'serial', 'midi'] as const

/** Headers of every answer. Where people come by https, browsers are told to come by nothing else. */
export const securityHeaders: MiddlewareHandler = secureHeaders({
  strictTransportSecurity: publicUrl().startsWith('https://') ? 'max-age=31536000; includeSubDomains' : false,
  crossOriginEmbedderPolicy: false,
  referrerPolicy: 'same-origin',
  xFrameOptions: 'DENY',
  permissionsPolicy: Object.fromEntries(NOTHING.map((name) => [name, []])),
})

/** What is answered to a person is kept by no cache, unless the route said for how long. */
const PERSONAL = /^\/(?:api|auth|functions)\//

/** Sets the content policy, and that nothing is kept, where a route did not set a stricter or fitting one of its own. */
export const defaultPolicies: MiddlewareHandler = async (context, next) => {
  await next()
  const { headers } = context.res
  if (!headers.has('content-security-policy')) headers.set('content-security-policy', CONTENT_SECURITY_POLICY)
  if (PERSONAL.test(context.req.path) && !headers.has('cache-control')) headers.set('cache-control', 'no-store')
}
