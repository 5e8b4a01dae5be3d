import { extname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { access } from '#server/http/route-access.ts'
import { createRouter } from '#server/http/router.ts'
import { staticFile } from './static-file.ts'

const ROOT = fileURLToPath(new URL('../../dist/web/', import.meta.url))

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
  '.bcmap': 'application/octet-stream',
  '.pfb': 'application/octet-stream',
  '.ttf': 'font/ttf',
  '.webmanifest': 'application/manifest+json',
}

/** Built files have a hash in their name, so they never change; copied files (character maps of fonts) can. */
const HASHED = /^\/assets\/[^/]+-[\w-]{8}\.\w+$/

/** The built web app: its files, and its single page for every other path (the app itself reports unknown paths). */
export const routes = createRouter()

routes.get('*', access({ role: 'visitor', body: 'none', limit: 'none' }), async (c) => {
  const address = decodePath(c.req.path)
  if (address === null) return c.req.header('accept')?.includes('text/html') ? await page(c.req.raw, 404) : notFound()
  const path = normalize(join(ROOT, address))
  const type = TYPES[extname(path)]
  if (type && path.startsWith(ROOT)) {
    const file = await staticFile(
      path,
      c.req.raw,
      type,
      HASHED.test(c.req.path) ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
    )
    if (file) return file
  }
  // A missing asset must not return the page: an outdated page must notice that it is outdated.
  if (c.req.path.startsWith('/assets/')) return notFound()
  return page(c.req.raw, 200)
})

const notFound = () => new Response('Not found', { status: 404 })

/** Returns the page of the web app. With status 404 the app shows its own 'Page not found'. */
async function page(request: Request, status: 200 | 404): Promise<Response> {
  const file = await staticFile(join(ROOT, 'index.html'), request, TYPES['.html']!, 'no-cache')
  if (!file) return new Response('The web app is not built. Run npm start, which builds it.', { status: 503 })
  return status === 200 || !file.ok ? file : new Response(file.body, { status, headers: file.headers })
}

/** Returns the decoded path; null for an invalid encoding or a NUL, which file systems refuse. */
function decodePath(path: string): string | null {
  try {
    const address = decodeURIComponent(path)
    return address.includes('\0') ? null : address
  } catch {
    return null
  }
}
