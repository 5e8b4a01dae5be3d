import { fileURLToPath } from 'node:url'
import { serveStatic } from '@hono/node-server/serve-static'
import { getCookie } from 'hono/cookie'
import { etag } from 'hono/etag'
import { SESSION_COOKIE } from '#server/auth/index.ts'
import { access } from '#server/http/route-access.ts'
import { type AppContext, createRouter } from '#server/http/router.ts'
import { SESSION_TIMING } from '#shared/contract/sign-in-paths.ts'
import { webManifest } from './manifest.ts'

const ROOT = fileURLToPath(new URL('../../dist/web', import.meta.url))

/**
 * Matches the paths of built files, whose names contain a hash. Such a file never changes, so browsers may cache it for a year.
 * Copied files, such as character maps of fonts, have no hash.
 */
const HASHED = /^\/assets\/[^/]+-[\w-]{8}\.\w+$/
/** Matches paths that are not served: hidden files, and the compressed versions of files. */
const HIDDEN = /\/\.|\.(?:br|gz)$/

/** Sends a file of the web app. Sends its Brotli or gzip version if the build has written one and the browser accepts it. */
const sendFile = serveStatic({ root: ROOT, precompressed: true })
const sendIndex = serveStatic({ root: ROOT, path: 'index.html', precompressed: true })

/**
 * Routes of the built web app. They send its files, and its single HTML page for every other path. The app itself shows an
 * error for an unknown path.
 */
export const routes = createRouter()

routes.get(
  '/manifest.webmanifest',
  access({ role: 'visitor', body: 'none', limit: 'none', scope: 'none' }),
  () =>
    new Response(JSON.stringify(webManifest()), {
      headers: { 'content-type': 'application/manifest+json', 'cache-control': 'public, max-age=3600' },
    }),
)

routes.get(
  '*',
  access({ role: 'visitor', body: 'none', limit: 'none', scope: 'none' }),
  reportSession,
  etag(),
  addCacheHeaders,
  async (c) => {
    if (!isAddress(c.req.path)) return c.req.header('accept')?.includes('text/html') ? page(c, 404) : notFound()
    const file = HIDDEN.test(c.req.path) ? undefined : await sendFile(c, nothing)
    if (file) return file
    // A missing asset must not return the page: an outdated page must notice that it is outdated.
    if (c.req.path.startsWith('/assets/')) return notFound()
    return page(c, 200)
  },
)

const nothing = () => Promise.resolve()
const notFound = () => new Response('Not found', { status: 404 })

/** Returns the HTML page of the web app. With status 404, the app shows its own 'Page not found'. */
async function page(c: AppContext, status: 200 | 404): Promise<Response> {
  const file = await sendIndex(c, nothing)
  if (!file) return new Response('The web app is not built. Run npm start, which builds it.', { status: 503 })
  return status === 200 ? file : new Response(file.body, { status, headers: file.headers })
}

/**
 * Reports in a header of the page whether its request has a session cookie, which scripts cannot read. The app then requests
 * the data of its first screen without waiting for the session. A 304 response also gets the header, so that the browser
 * replaces the header of the cached page.
 */
async function reportSession(c: AppContext, next: () => Promise<void>): Promise<void> {
  await next()
  if (c.req.header('accept')?.includes('text/html'))
    c.header('server-timing', getCookie(c, SESSION_COOKIE) ? SESSION_TIMING : 'visitor')
}

/**
 * Adds caching headers to the response with a file. With the ETag, the middleware `etag` answers 304 without reading the file.
 */
async function addCacheHeaders(c: AppContext, next: () => Promise<void>): Promise<void> {
  await next()
  const { headers } = c.res
  const changed = headers.get('last-modified')
  if (changed === null) return
  const size = headers.get('content-range')?.split('/')[1] ?? headers.get('content-length')
  headers.set('etag', `"${Date.parse(changed).toString(36)}-${size}-${headers.get('content-encoding') ?? 'plain'}"`)
  headers.set('vary', 'accept-encoding')
  const isPage = headers.get('content-type')?.startsWith('text/html')
  const copied = isPage ? 'no-cache' : 'public, max-age=3600'
  headers.set('cache-control', HASHED.test(c.req.path) ? 'public, max-age=31536000, immutable' : copied)
}

/** Returns whether a path is valid: it has no invalid percent-encoding and no NUL character. */
function isAddress(path: string): boolean {
  try {
    return !decodeURIComponent(path).includes('\0')
  } catch {
    return false
  }
}
