import { existsSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { createReadStream } from 'node:fs'
import { extname, join, normalize } from 'node:path'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { createRouter } from '#server/lib/router.ts'

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

/** The built web app: its files, and its one page for every other address (the app itself knows what is not found). */
export const routes = createRouter()

routes.get('*', async (c) => {
  const path = normalize(join(ROOT, decodeURIComponent(c.req.path)))
  const type = TYPES[extname(path)]
  if (type && path.startsWith(ROOT)) {
    for (const [coding, ending] of [['br', '.br'], ['gzip', '.gz']] as const) {
      if (!c.req.header('accept-encoding')?.includes(coding) || !existsSync(path + ending)) continue
      return sendFile(path + ending, type, { 'content-encoding': coding, vary: 'accept-encoding' })
    }
    if (existsSync(path)) return sendFile(path, type)
    // A missing asset is not a page: a stale page must see that it is stale.
    if (c.req.path.startsWith('/assets/')) return c.text('Not found', 404)
  }
  const page = await readFile(join(ROOT, 'index.html'), 'utf8').catch(() => null)
  if (page === null) return c.text('The web app is not built. Run npm start, which builds it.', 503)
  return c.html(page, 200, { 'cache-control': 'no-cache' })

  async function sendFile(file: string, contentType: string, extra: Record<string, string> = {}) {
    const { size } = await stat(file)
    // Built files carry a hash in their name, so they never change; what came as it is (maps of fonts) may.
    const hashed = /-[\w-]{8,}\.\w+$/.test(c.req.path) && c.req.path.startsWith('/assets/')
    const headers = { 'content-type': contentType, 'content-length': String(size), 'cache-control': hashed ? 'public, max-age=31536000, immutable' : 'public, max-age=3600', ...extra }
    return new Response(c.req.method === 'HEAD' ? null : (Readable.toWeb(createReadStream(file)) as ReadableStream<Uint8Array>), { headers })
  }
})
