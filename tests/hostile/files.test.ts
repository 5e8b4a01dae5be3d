import { readFileSync } from 'node:fs'
import type { Browser } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { api, pages } from '#shared/contract/paths.ts'
import { signUpAdmin } from '#tests/helpers/admin.ts'
import { closeContexts, openBrowser, signedInPage } from '#tests/helpers/browser.ts'
import { body, type FeedServer, item, rss, startFeedServer } from '#tests/helpers/feed-server.ts'
import { onePagePdf } from '#tests/helpers/one-page-pdf.ts'
import { type Client, signUp, startServer, type TestServer } from '#tests/helpers/server.ts'
import { type HostileFile, madeByHand, mutate, mutateText, mutateBytes } from './pdf-corpus.ts'
import { type Answer, sendFile, watchMemory } from './send-file.ts'

/** This file sends thousands of broken files to every route that accepts files. */

/** Number of randomly changed PDFs. HOSTILE_FILES overrides the default. The numbers of other files are proportional to it. */
const MUTATIONS = Number(process.env['HOSTILE_FILES'] ?? 2000)
const MEMORY_LIMIT_MB = 3500
const AT_ONCE = 4

const fixture = (name: string) => readFileSync(new URL(`../fixtures/${name}`, import.meta.url))
const good = fixture('paper.pdf')
const BASES = [good, fixture('paper-scan.pdf'), fixture('paper-password.pdf'), Buffer.from(onePagePdf(['One page']))]

let site: FeedServer
let server: TestServer
let browser: Browser
let ada: Client
let admin: Client
let project: string
let pid: number
beforeAll(async () => {
  site = await startFeedServer()
  ;[server, browser] = await Promise.all([startServer({ env: { GUARDED_FETCH_ALLOW: site.host } }), openBrowser()])
  admin = await signUpAdmin(server)
  // Making an admin restarts the server.
  pid = server.pid
  ada = await signUp(server.url)
  project = (await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Hostile' } })).data.id
})
afterAll(async () => {
  await closeContexts(browser)
  await server?.stop()
  await site?.stop()
})

/** Calls `work` for every item, for at most AT_ONCE items at the same time. */
async function forAll<T>(items: Iterable<T>, work: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items]
  const lane = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await work(next)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
}

async function sendAll(files: Iterable<HostileFile>, method: 'text' | 'ocr'): Promise<Answer[]> {
  const memory = watchMemory(pid)
  const answers: Answer[] = []
  await forAll(files, async (file) => void answers.push(await sendFile(ada, project, file, method)))
  memory.stop()
  console.log(`${answers.length} files, ${method}: peak ${memory.peakMb()} MB, ${tally(answers)}`)
  expect(memory.peakMb()).toBeLessThan(MEMORY_LIMIT_MB)
  await stillWell()
  return answers
}

function tally(answers: readonly Answer[]): string {
  const counts = new Map<string, number>()
  for (const { outcome, words } of answers) {
    const key = words === '' ? outcome : `${outcome} '${words}'`
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return [...counts].map(([key, count]) => `${count} ${key}`).join(', ')
}

/** Checks that the server has not restarted, is ready, and extracts the text of a valid paper. */
async function stillWell(): Promise<void> {
  expect(server.pid).toBe(pid)
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
  expect(await sendFile(ada, project, { name: 'good', bytes: good }, 'text')).toMatchObject({ outcome: 'completed' })
}

const some = (count: number) => Array.from({ length: Math.ceil(count) }, (_, seed) => seed)

describe('PDFs', () => {
  it('The server answers invalid PDFs, by the text layer and by OCR', async () => {
    expect((await sendAll(madeByHand(good), 'text')).length).toBeGreaterThan(30)
    expect((await sendAll(madeByHand(good), 'ocr')).length).toBeGreaterThan(30)
  })

  it('The server answers PDFs with small damages', async () => {
    const files = some(MUTATIONS).map((seed) => mutate(BASES[seed % BASES.length]!, seed))
    expect((await sendAll(files, 'text')).length).toBe(MUTATIONS)
  })

  it('The server answers PDFs with small damages by OCR', async () => {
    const base = Buffer.from(onePagePdf(['Only a few words to read here.']))
    const files = some(MUTATIONS / 20).map((seed) => mutate(base, 10_000 + seed))
    expect((await sendAll(files, 'ocr')).length).toBe(files.length)
  })

  it('The reader shows or refuses PDFs with small damages, and the page survives', async () => {
    const files = [...madeByHand(good), ...some(MUTATIONS / 20).map((seed) => mutate(good, 20_000 + seed))]
    const { page, context } = await signedInPage(browser, ada)
    let shown = 0
    for (const file of files) {
      const { documentId } = await sendFile(ada, project, file, 'text')
      if (documentId === null) continue
      await page.goto(pages.chat('Hostile', documentId))
      const ended = page.getByText('Failed to').or(page.locator('canvas')).first()
      // The rendering of a page ends after a minute.
      await ended.waitFor({ state: 'attached', timeout: 120_000 })
      expect(await page.evaluate(() => 1 + 1)).toBe(2)
      shown += await page.locator('canvas').count()
    }
    await context.close()
    expect(shown).toBeGreaterThan(0)
  })
})

describe('pictures', () => {
  it('The server accepts damaged pictures and decompression bombs, or refuses them with a message', async () => {
    const plain = sharp({ create: { width: 900, height: 600, channels: 3, background: '#2a6f4e' } })
    const bases = [await plain.jpeg().toBuffer(), await plain.png().toBuffer(), await plain.webp().toBuffer()]
    const { data } = await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Pictures' } })
    const memory = watchMemory(pid)
    const bomb = await sharp({
      create: { width: 16_000, height: 16_000, channels: 3, background: '#fff' },
      limitInputPixels: false,
    })
      .png({ compressionLevel: 9 })
      .toBuffer()
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>')
    const files = [bomb, svg, ...some(MUTATIONS / 4).map((seed) => mutateBytes(bases[seed % 3]!, seed))]
    await forAll(files, async (bytes) => {
      const form = new FormData()
      form.append('file', new File([new Uint8Array(bytes)], 'picture.png', { type: 'image/png' }))
      const response = await ada.fetch(api.projectHeroImage(data.id), { method: 'POST', body: form })
      const answer = (await response.json()) as { error?: { message: string } }
      expect(response.status).toBeLessThan(500)
      expect(response.ok || Boolean(answer.error?.message)).toBe(true)
    })
    memory.stop()
    console.log(`${files.length} pictures: peak ${memory.peakMb()} MB`)
    expect(memory.peakMb()).toBeLessThan(MEMORY_LIMIT_MB)
    await stillWell()
  })
})

describe('feeds', () => {
  it('The server reads or refuses feeds with small damages with a message', async () => {
    const whole = rss(...some(20).map((at) => item(`An article ${at}`)))
    const files = some(MUTATIONS / 4).map((seed) => mutateText(whole, seed))
    await forAll(files.entries(), async ([at, bytes]) => {
      const url = site.set(`/feed-${at}`, body(new Uint8Array(bytes)))
      const response = await admin.fetch(api.journals(), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name: `Journal ${at}`, url }),
      })
      expect([200, 201, 400, 422, 502]).toContain(response.status)
      expect(await response.text()).not.toMatch(/node_modules|\bat \w+ \(/)
    })
    await stillWell()
  })
})
