import { readdir, readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '#tests/helpers/server.ts'

/** This file tests the built web app as the server sends it. */

/** The folder of the built web app. `npm test` builds it before the tests. */
const BUILT = fileURLToPath(new URL('../../dist/web/', import.meta.url))
const SECRETS = {
  AUTH_SECRET: 'auth-secret-that-no-page-may-hold-0123456789',
  AI_BASE_URL: 'http://127.0.0.1:9/inside/v1',
  AI_API_KEY: 'ai-key-that-no-page-may-hold',
  METRICS_TOKEN: 'metrics-token-that-no-page-may-hold',
}

interface Raw {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Buffer
}

let server: TestServer
let script: string
let names: string[]
beforeAll(async () => {
  names = (await readdir(BUILT, { recursive: true, withFileTypes: true }))
    .filter((one) => one.isFile())
    .map((one) => `${one.parentPath}/${one.name}`.slice(BUILT.length).replace(/^\//, ''))
  server = await startServer({ env: SECRETS })
  script = /src="(\/assets\/[^"]+\.js)"/.exec(await (await fetch(server.url)).text())![1]!
})
afterAll(() => server.stop())

/**
 * Sends a request with this exact path, without the normalization of a URL parser. Returns the response with its body in bytes.
 */
function raw(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Raw> {
  return new Promise((done, fail) => {
    const { hostname, port } = new URL(server.url)
    request({ hostname, port, path, method, headers }, (response) => {
      const pieces: Buffer[] = []
      response.on('data', (piece: Buffer) => pieces.push(piece))
      response.on('end', () =>
        done({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(pieces) }),
      )
    })
      .on('error', fail)
      .end()
  })
}

describe('every answer', () => {
  it.each([
    '/',
    '/projects',
    '/favicon.svg',
    '/api/site',
    '/healthz',
    '/functions/v1/list-models',
    '/auth/v1/get-session',
    '/assets/none.js',
  ])('The answer for %s has security headers', async (path) => {
    const { headers } = await raw(path)
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'same-origin',
    })
    expect(headers).not.toHaveProperty('x-powered-by')
    const policy = new Map(
      String(headers['content-security-policy'])
        .split('; ')
        .map((one) => [one.split(' ')[0]!, one.split(' ').slice(1)]),
    )
    expect(policy.get('default-src')).toEqual(["'self'"])
    expect(policy.get('script-src')).toEqual(["'self'", "'wasm-unsafe-eval'"])
    expect([
      policy.get('object-src'),
      policy.get('base-uri'),
      policy.get('frame-ancestors'),
      policy.get('form-action'),
    ]).toEqual([["'none'"], ["'none'"], ["'none'"], ["'self'"]])
    for (const sources of policy.values())
      expect(sources.filter((one) => /^(\*|https?:|'unsafe-eval')/.test(one))).toEqual([])
  })
})

/** Returns whether a built file has a URL. The stamp file of the build and the compressed files have none. */
const isServed = (name: string) => !name.startsWith('.') && !/\.(?:br|gz)$/.test(name)

describe('an address whose percent encoding is broken', () => {
  it.each(['/%E0%A4%A/overview', '/%00', '/%'])('%s answers 404, with the page for a browser', async (path) => {
    const forBrowser = await raw(path, { accept: 'text/html,application/xhtml+xml' })
    expect([forBrowser.status, forBrowser.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
    expect(forBrowser.body.toString()).toContain('<div id="app"')
    const forProgram = await raw(path, { accept: 'application/json' })
    expect([forProgram.status, forProgram.body.toString()]).toEqual([404, 'Not found'])
  })
})

describe('files', () => {
  it('Files with a hash in their name are cached permanently, and no others', async () => {
    expect((await raw(script)).headers['cache-control']).toBe('public, max-age=31536000, immutable')
    for (const name of names.filter(isServed)) {
      const { status, headers, body } = await raw(`/${name}`)
      expect([name, status, body.length]).toEqual([name, 200, (await readFile(BUILT + name)).length])
      const hashed = /^assets\/[^/]+-[\w-]{8}\.\w+$/.test(name)
      expect([name, String(headers['cache-control']).includes('immutable')]).toEqual([name, hashed])
    }
    expect((await raw('/')).headers['cache-control']).toBe('no-cache')
  })

  it('Files are sent with their own type', async () => {
    const types: Record<string, RegExp> = {
      js: /^text\/javascript/,
      mjs: /^text\/javascript/,
      css: /^text\/css/,
      svg: /^image\/svg\+xml/,
      woff2: /^font\/woff2/,
      html: /^text\/html/,
      wasm: /^application\/wasm/,
    }
    for (const name of names) {
      const type = types[name.split('.').at(-1)!]
      if (type)
        expect([name, (await raw(`/${name}`, {}, 'HEAD')).headers['content-type']]).toEqual([
          name,
          expect.stringMatching(type),
        ])
    }
  })

  it('Files are compressed if the client accepts it, with the right header', async () => {
    const plain = await raw(script)
    expect(plain.headers).not.toHaveProperty('content-encoding')
    for (const [accepted, coding, unpack] of [
      ['gzip, deflate, br', 'br', brotliDecompressSync],
      ['gzip', 'gzip', gunzipSync],
      ['gzip, br;q=0', 'gzip', gunzipSync],
    ] as const) {
      const packed = await raw(script, { 'accept-encoding': accepted })
      expect([
        packed.headers['content-encoding'],
        packed.headers['vary'],
        Number(packed.headers['content-length']),
      ]).toEqual([coding, 'accept-encoding', packed.body.length])
      expect(packed.body.length).toBeLessThan(plain.body.length / 2)
      expect(unpack(packed.body).equals(plain.body)).toBe(true)
    }
    const font = names.find((name) => name.endsWith('.woff2'))!
    expect((await raw(`/${font}`, { 'accept-encoding': 'br' })).headers).not.toHaveProperty('content-encoding')
  })

  it('Files are answered with 304 if the client has the file in the same content coding', async () => {
    const { etag } = (await raw(script)).headers
    expect(etag).toMatch(/^".+"$/)
    const again = await raw(script, { 'if-none-match': String(etag) })
    expect([again.status, again.body.length, again.headers['etag']]).toEqual([304, 0, etag])
    expect((await raw(script, { 'if-none-match': '"other"' })).status).toBe(200)
    expect((await raw(script, { 'if-none-match': String(etag), 'accept-encoding': 'br' })).status).toBe(200)
  })

  it('HEAD is answered like GET, without a body', async () => {
    for (const path of ['/', script, '/favicon.svg', '/Some%20Project/overview']) {
      const [head, get] = [await raw(path, {}, 'HEAD'), await raw(path)]
      expect([path, head.status, head.body.length, head.headers['content-length'], head.headers['etag']]).toEqual([
        path,
        200,
        0,
        get.headers['content-length'],
        get.headers['etag'],
      ])
    }
  })
})

describe('the header about the session', () => {
  it.each([
    ['lectern.session_token=any', 'session'],
    ['lectern.device=any', 'visitor'],
    ['', 'visitor'],
  ])('A page that is requested with the cookie %j has the header of a %s, also as a 304', async (cookie, expected) => {
    const browser = { accept: 'text/html,application/xhtml+xml', cookie }
    const page = await raw('/projects', browser)
    const again = await raw('/projects', { ...browser, 'if-none-match': String(page.headers['etag']) })
    expect([page.status, page.headers['server-timing']]).toEqual([200, expected])
    expect([again.status, again.headers['server-timing']]).toEqual([304, expected])
    expect((await raw(script, { cookie })).headers).not.toHaveProperty('server-timing')
  })
})

describe('addresses', () => {
  it.each([
    '/projects',
    '/auth',
    '/Sleep%20%26%20naps/documents',
    '/100%25/overview',
    '/%E2%9C%93/document/x/chat',
    '/no/such/page',
    '/v1.2%20results/overview',
    '/paper.pdf/overview',
  ])('%s answers with the page of the app', async (path) => {
    const page = await raw(path)
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.body.equals(await readFile(`${BUILT}index.html`))).toBe(true)
  })

  it.each(['/assets/index-00000000.js', '/assets/none.css', '/assets/', '/assets/none', '/assets/x.php'])(
    '%s answers 404 without a page',
    async (path) => {
      const answer = await raw(path)
      expect([answer.status, String(answer.headers['content-type'])]).toEqual([
        404,
        expect.not.stringContaining('html'),
      ])
    },
  )

  it.each([
    '/%',
    '/%zz',
    '/%ed%a0%80',
    '/%ff',
    '/assets/%',
    '/assets/%c0%af',
    '/%00',
    '/assets/%00.js',
    '/favicon.svg%00',
  ])('%s is not an address of the app', async (path) => {
    expect((await raw(path)).status).toBe(404)
  })

  it.each([
    '/assets/..%2f..%2f..%2fpackage.json',
    '/..%2f..%2fpackage.json',
    '/../../package.json',
    '/assets/../../../package.json',
    '/%2e%2e/%2e%2e/package.json',
    '/assets/..%5c..%5c..%5cpackage.json',
    '/..%252f..%252fpackage.json',
    '//etc/passwd',
    '/assets/....//....//package.json',
    '/..%2f..%2fserver/main.ts',
    '/..%2fwebother/x.js',
  ])('%s redirects to no other site', async (path) => {
    const answer = await raw(path)
    expect([200, 400, 404]).toContain(answer.status)
    expect(answer.body.toString()).not.toMatch(/"dependencies"|root:x:0|import \{ start/)
    if (answer.status === 200) expect(answer.body.equals(await readFile(`${BUILT}index.html`))).toBe(true)
  })

  it('An unknown address of the API answers with the error body of the API and not with the web app', async () => {
    for (const path of ['/api/', '/api/none', '/api/documents/none/none', '/auth/v1/none', '/functions/v1/none']) {
      const answer = await raw(path)
      expect([path, answer.status >= 400, answer.headers['content-type']]).toEqual([
        path,
        true,
        expect.stringContaining('application/json'),
      ])
    }
  })
})

it('The manifest names icons that exist, and /add as the target of shared addresses (FMT-91)', async () => {
  expect((await raw('/')).body.toString()).toContain('<link rel="manifest" href="/manifest.webmanifest">')
  const { headers, body } = await raw('/manifest.webmanifest')
  const manifest = JSON.parse(body.toString()) as { name: string; icons: { src: string }[]; share_target: object }
  expect(headers['content-type']).toBe('application/manifest+json')
  expect(manifest).toMatchObject({ name: 'Lectern', display: 'standalone', share_target: { action: '/add' } })
  for (const { src } of manifest.icons) expect((await raw(src)).headers['content-type']).toBe('image/png')
})

it('The app contains no secret (SEC-10)', async () => {
  const paths = [
    ...names.map((name) => `/${name}`),
    '/',
    '/api/site',
    '/api/openapi.json',
    '/api/docs',
    '/healthz',
    '/readyz',
    '/auth/v1/get-session',
    '/api/none',
    '/metrics',
    '/.env',
  ]
  for (const path of paths) {
    const text = (await raw(path)).body.toString('latin1')
    for (const secret of Object.values(SECRETS)) expect([path, text.includes(secret)]).toEqual([path, false])
    expect([path, text.includes(server.dataDir)]).toEqual([path, false])
  }
})
