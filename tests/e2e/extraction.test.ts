import { createReadStream, existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { extractText } from '#server/extraction/index.ts'
import { stopWorkerPools } from '#server/workers/worker-pool.ts'
import { closeContexts, newPage, openBrowser } from '#tests/helpers/browser.ts'
import { readPapers } from '#tests/helpers/papers.ts'
import { pdfjsAssets } from '../../vite-pdfjs-assets.ts'

const fixtures = fileURLToPath(new URL('../fixtures/', import.meta.url))
const TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.wasm': 'application/wasm',
}
const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:; connect-src 'self'"

let folder: string
let server: Server
let browser: Browser
let page: Page
let problems: string[]

// A page with the extraction function of the app, built like the app and with its content policy.
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lectern-extraction-'))
  await build({
    configFile: false,
    logLevel: 'error',
    root: fileURLToPath(new URL('extraction-page/', import.meta.url)),
    plugins: [pdfjsAssets()],
    worker: { format: 'es' },
    build: { outDir: folder, emptyOutDir: true, assetsInlineLimit: 0, target: 'es2022' },
  })
  server = createServer((request, response) => {
    const name = new URL(request.url ?? '/', 'http://localhost').pathname
    const [root, path] = name.startsWith('/fixtures/')
      ? [fixtures, name.slice(10)]
      : [folder, name === '/' ? 'index.html' : name]
    const file = join(root, path)
    if (!existsSync(file)) {
      response.writeHead(404).end()
      return
    }
    response.writeHead(200, {
      'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
      'content-security-policy': POLICY,
    })
    createReadStream(file).pipe(response)
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  browser = await openBrowser()
  const opened = await newPage(browser, { baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
  ;({ page, problems } = opened)
})

afterAll(async () => {
  await closeContexts(browser)
  server?.close()
  await stopWorkerPools()
  await rm(folder, { recursive: true, force: true })
})

const inBrowser = async (url: string, password?: string) => {
  await page.goto('/')
  return page.evaluate(([address, secret]) => window.extract(address, secret), [url, password] as const)
}

/**
 * Returns the text that the server's code extracts from a fixture, without its list of pages for OCR, which the browser does
 * not compute.
 */
async function readByServer(name: string, password?: string) {
  const { pagesForOcr: _, ...read } = await extractText(join(fixtures, name), { password })
  return read
}

describe('extraction in the browser', () => {
  it.each([
    ['paper.pdf', undefined],
    ['garbled.pdf', undefined],
    ['paper-scan.pdf', undefined],
    ['paper-password.pdf', 'open sesame'],
  ])('The browser extracts the same text as the server: %s (EXTR-08)', async (name, password) => {
    const answer = await inBrowser(`/fixtures/${name}`, password)
    expect(answer).toMatchObject({ result: await readByServer(name, password) })
    expect(problems).toEqual([])
  })

  it.each(readPapers().map(({ name }) => name))(
    'The browser extracts the same text as the server: papers/%s.pdf',
    async (name) => {
      const answer = await inBrowser(`/fixtures/papers/${name}.pdf`)
      expect(answer).toMatchObject({ result: await readByServer(`papers/${name}.pdf`) })
      expect(problems).toEqual([])
    },
  )

  it('The browser reports every page that it has read', async () => {
    expect(await inBrowser('/fixtures/paper.pdf')).toMatchObject({ progress: [1, 2, 3, 4] })
  })

  it('The browser asks for a password, and reports a wrong one', async () => {
    expect(await inBrowser('/fixtures/paper-password.pdf')).toMatchObject({ failed: 'PasswordRequired', wrong: false })
    expect(await inBrowser('/fixtures/paper-password.pdf', 'shut')).toMatchObject({
      failed: 'PasswordRequired',
      wrong: true,
    })
  })

  it.each(['truncated.pdf', 'html-named.pdf'])('The browser reports that a file is damaged: %s', async (name) => {
    const answer = await inBrowser(`/fixtures/${name}`)
    expect(answer).toMatchObject({ failed: 'BrokenPdf', message: 'This file is damaged and cannot be read as a PDF.' })
  })

  it('The browser reports a file that cannot be fetched (MSG-109)', async () => {
    expect(await inBrowser('/fixtures/none.pdf')).toMatchObject({
      failed: 'BrokenPdf',
      message: 'Failed to fetch PDF: 404',
    })
  })
})
