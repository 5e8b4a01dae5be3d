import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { access } from '#server/http/route-access.ts'
import { createRouter } from '#server/http/router.ts'
import { notFound } from '#server/lib/errors.ts'

const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
const ASSETS: Record<string, string> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
}

const PAGE = `<!doctype html>
<html lang="en-GB"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>API</title><link rel="stylesheet" href="/api/docs/swagger-ui.css"></head>
<body><div id="page"></div><script src="/api/docs/swagger-ui-bundle.js"></script><script src="/api/docs/start.js"></script></body></html>`

/**
 * The script that starts Swagger UI. Sections start closed, because drawing all operations at once is slow. The version of the
 * document is changed to OpenAPI 3.0, because Swagger UI reads 3.1 about six times more slowly and shows both equally.
 */
const START = `window.fetch('/api/openapi.json')
  .then((response) => {
    if (!response.ok) throw new Error('status ' + response.status)
    return response.json()
  })
  .then((spec) => SwaggerUIBundle({ spec: { ...spec, openapi: '3.0.3' }, dom_id: '#page', deepLinking: true, validatorUrl: null, docExpansion: 'none' }))
  .catch((error) => {
    const page = document.getElementById('page')
    page.setAttribute('role', 'alert')
    page.textContent = 'The description of the API could not be loaded (' + error.message + '). Reload the page to try again.'
  })`

/**
 * Content security policy of the page. Swagger UI needs inline styles and `data:` images. Scripts come only from this server.
 */
const POLICY =
  "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'"

/** Routes of Swagger UI for the API. The page loads no resources from other hosts. */
export const routes = createRouter()
const open = access({ role: 'visitor', body: 'none', limit: 'none', scope: 'none' })

routes.get('/docs', open, (c) => c.html(PAGE, 200, { 'content-security-policy': POLICY }))
routes.get('/docs/start.js', open, (c) => c.body(START, 200, { 'content-type': 'text/javascript; charset=utf-8' }))
routes.get('/docs/:asset', open, async (c) => {
  const type = ASSETS[c.req.param('asset')]
  if (!type) throw notFound('Page')
  return c.body(await readFile(join(folder, c.req.param('asset'))), 200, {
    'content-type': type,
    'cache-control': 'public, max-age=86400',
  })
})
