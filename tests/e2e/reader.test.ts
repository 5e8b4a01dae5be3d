import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ChatAnswer } from '#shared/contract/chat.ts'
import { normalizeWithMap } from '#shared/passages/letters-and-digits.ts'
import { api, pages } from '#shared/contract/paths.ts'
import {
  accessibilityProblems,
  closeContexts,
  openBrowser,
  signedInPage,
  type TestPage,
} from '#tests/helpers/browser.ts'
import { type Client, signUp } from '#tests/helpers/server.ts'
import { sharedServer } from '#tests/helpers/shared-server.ts'

const PROJECT = 'Walking & sleep'
const QUESTION = 'How much did sleep efficiency rise in the walking group?'

const server = sharedServer()
let browser: Browser
let client: Client
let paper: string
let scan: string
let answer: ChatAnswer

/** Uploads a fixture and vectorizes its text. `text` replaces the extracted text. Returns the document id. */
async function prepare(project: string, name: string, text?: string): Promise<string> {
  const bytes = readFileSync(new URL(`../fixtures/${name}`, import.meta.url))
  const { id } = await client.upload(project, new File([bytes], name, { type: 'application/pdf' }))
  if (text === undefined) await run(api.documentExtract(id), { method: 'text' })
  else await client.json(api.documentText(id), { method: 'PUT', body: { extracted_text: text } })
  await run(api.documentVectorize(id), { force: false })
  return id
}

async function run(path: string, body: unknown): Promise<void> {
  const { data } = await client.json<{ data: { id: string } }>(path, { method: 'POST', body })
  const job = await client.job(data.id)
  expect(job.status, job.error ?? '').toBe('completed')
}

beforeAll(async () => {
  browser = await openBrowser()
  client = await signUp(server.url)
  const project = await client.json<{ data: { id: string } }>(api.projects(), {
    method: 'POST',
    body: { name: PROJECT },
  })
  paper = await prepare(project.data.id, 'paper.pdf')
  const stored = await client.json<{ data: { extracted_text: string } }>(api.document(paper))
  scan = await prepare(project.data.id, 'paper-scan.pdf', stored.data.extracted_text)
  answer = bestFirst(
    (await client.json<{ data: ChatAnswer }>(api.documentChat(paper), { method: 'POST', body: { question: QUESTION } }))
      .data,
  )
})

afterAll(() => closeContexts(browser))

/** Opens the chat of a document in a new context, signed in as its owner, and waits for the first page of the PDF. */
async function openChat(documentId: string): Promise<TestPage> {
  const opened = await signedInPage(browser, client)
  await opened.page.goto(pages.chat(PROJECT, documentId))
  await opened.page.locator('[data-page="1"] canvas').waitFor()
  return opened
}

/** Returns the answer with its sources in the displayed order: the most similar source first. */
const bestFirst = (given: ChatAnswer): ChatAnswer => ({
  ...given,
  sources: given.sources.toSorted((a, b) => b.similarity - a.similarity),
})

async function ask(page: Page): Promise<void> {
  await page.getByLabel('Question').fill(QUESTION)
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: 'Sources' }).waitFor()
}

const source = (page: Page, index: number) =>
  page.getByRole('region', { name: 'Sources' }).getByRole('button').nth(index)
const highlighted = (page: Page) => page.locator('[data-highlighted]').getAttribute('data-highlighted')
const letters = (text: string | null) => normalizeWithMap(text ?? '').text

/** Returns the most relevant sentence of a source of the answer. `index`: the position of the source in the list, from 0. */
function passageOf(index: number): string {
  const { content, page_offset, start, end } = answer.sources[index]!
  return content.slice(start - page_offset, end - page_offset)
}

/**
 * Measures the reader. `height`: the vertical position of the first highlight in the scroll area, 0 (top) to 1 (bottom).
 * `sheet`, `pageArea` and `canvas`: the widths of the page, the scroll area and the page image in pixels.
 */
const geometry = (page: Page) =>
  page.evaluate(() => {
    const pageArea = document.querySelector('[aria-label=Pages]')!
    const sheet = document.querySelector('[data-marked]')!
    const stroke = sheet.querySelector('[data-slot=passage-line]')!
    const frame = pageArea.getBoundingClientRect()
    return {
      height: (stroke.getBoundingClientRect().top - frame.top) / frame.height,
      sheet: sheet.getBoundingClientRect().width,
      pageArea: pageArea.clientWidth,
      canvas: sheet.querySelector('canvas')?.width,
    }
  })

/** Returns the characters of the PDF's text layer that are under the highlights. */
const wordsUnderStrokes = (page: Page) =>
  page.evaluate(() => {
    const strokes = [...document.querySelectorAll('[data-slot=passage-line]')].map((stroke) =>
      stroke.getBoundingClientRect(),
    )
    let words = ''
    for (const piece of document.querySelectorAll('[data-marked] .textLayer > span')) {
      const text = piece.firstChild
      for (let index = 0; text && index < (text.nodeValue?.length ?? 0); index += 1) {
        const range = document.createRange()
        range.setStart(text, index)
        range.setEnd(text, index + 1)
        const { left, right, top, bottom } = range.getBoundingClientRect()
        const [x, y] = [(left + right) / 2, (top + bottom) / 2]
        const isUnder = strokes.some((box) => x >= box.left && x <= box.right && y >= box.top && y <= box.bottom)
        if (isUnder) words += text.nodeValue![index]
      }
    }
    return words
  })

describe('reader', () => {
  it('The reader highlights exactly the words of each selected source', async () => {
    const { page, context, problems } = await openChat(paper)
    await ask(page)
    expect(answer.sources.length).toBeGreaterThan(1)
    for (const [index, { page_number }] of answer.sources.entries()) {
      await source(page, index).click()
      await page.locator(`[data-passage-page="${page_number}"]`).waitFor({ state: 'attached' })
      await expect.poll(async () => letters(await highlighted(page))).toBe(letters(passageOf(index)))
      expect(letters(await wordsUnderStrokes(page))).toBe(letters(passageOf(index)))
      expect(await source(page, index).getAttribute('aria-current')).toBe('true')
      await page.getByText(`Passage on page ${page_number}: “`).waitFor({ state: 'attached' })
      const { height } = await geometry(page)
      expect(height).toBeGreaterThan(0)
      expect(height).toBeLessThan(0.75)
    }
    expect(problems).toEqual([])
    await context.close()
  })

  it('The reader keeps the passage in its place and draws the page again when the window changes (CHAT-05)', async () => {
    const { page, context } = await openChat(paper)
    await ask(page)
    // The last source by page is far enough from the top that it can be scrolled to the reading line at every width.
    const numbers = answer.sources.map((one) => one.page_number)
    const index = numbers.indexOf(Math.max(...numbers))
    await source(page, index).click()
    await page.locator('[data-marked] canvas').waitFor()
    const before = await geometry(page)
    expect(before.sheet).toBe(before.pageArea - 32)

    await page.setViewportSize({ width: 1000, height: 800 })
    await expect.poll(async () => (await geometry(page)).canvas).toBeLessThan(before.canvas!)
    const after = await geometry(page)
    expect(after.sheet).toBe(after.pageArea - 32)
    expect(after.canvas).toBe(after.sheet)
    expect(letters(await wordsUnderStrokes(page))).toBe(letters(passageOf(index)))
    expect(Math.abs(after.height - before.height)).toBeLessThan(0.1)
    await context.close()
  })

  it('The reader turns pages by keyboard and number, draws only near pages, and highlights the passage on return', async () => {
    const { page, context } = await openChat(paper)
    await ask(page)
    await page.getByLabel('Page number').fill('4')
    await page.keyboard.press('Enter')
    await page.locator('[data-page="4"] canvas').waitFor()
    await page.locator('[data-page="1"]').waitFor({ state: 'detached' })

    await page.getByRole('region', { name: 'Pages' }).focus()
    await page.keyboard.press('Home')
    await page.locator('[data-page="1"] canvas').waitFor()
    await expect.poll(() => page.getByLabel('Page number').inputValue()).toBe('1')

    await source(page, 0).click()
    const shown = `[data-page="${answer.sources[0]!.page_number}"] [data-highlighted]`
    await page.locator(shown).waitFor({ state: 'attached' })
    await page.getByLabel('Page number').fill(answer.sources[0]!.page_number > 2 ? '1' : '4')
    await page.keyboard.press('Enter')
    await page.locator(shown).waitFor({ state: 'detached' })
    await source(page, 0).click()
    await page.locator(shown).waitFor({ state: 'attached' })
    await context.close()
  })

  it('The reader quotes the passage beside a scanned page, which has no words to highlight', async () => {
    const { page, context } = await openChat(scan)
    await ask(page)
    await source(page, 0).click()
    const note = page.getByText('This page has no text layer. The passage reads:')
    await note.waitFor()
    expect(letters(await page.getByRole('status').locator('q').textContent())).not.toBe('')
    expect(await page.locator('[data-highlighted]').count()).toBe(0)
    await page.getByRole('button', { name: 'Dismiss' }).first().click()
    await note.waitFor({ state: 'detached' })
    await context.close()
  })

  it('The reader keeps the question bar visible and the page at the height of the window after several questions', async () => {
    const { page, context } = await openChat(paper)
    for (let asked = 1; asked <= 4; asked += 1) {
      await page.getByLabel('Question').fill(QUESTION)
      await page.keyboard.press('Enter')
      await page
        .getByRole('region', { name: 'Sources' })
        .nth(asked - 1)
        .waitFor()
    }
    const measured = await page.evaluate(() => {
      const bar = document.querySelector('form:has(textarea)')!.getBoundingClientRect()
      const thread = document.querySelector('[aria-label=Conversation]')!
      return {
        page: document.documentElement.scrollHeight - innerHeight,
        barInView: bar.top >= 0 && bar.bottom <= innerHeight && bar.height > 0,
        threadScrolls: thread.scrollHeight > thread.clientHeight,
      }
    })
    expect(measured).toEqual({ page: 0, barInView: true, threadScrolls: true })
    await context.close()
  })

  it("The reader shows 'Failed to render PDF pages' without a canvas, and draws the pages on Retry (MSG-111)", async () => {
    const { page, context } = await openChat(paper)
    await page.addInitScript(() => {
      const given = HTMLCanvasElement.prototype.getContext
      HTMLCanvasElement.prototype.getContext = () => {
        throw new Error('no canvas left')
      }
      addEventListener('pointerdown', () => (HTMLCanvasElement.prototype.getContext = given), { once: true })
    })
    await page.reload()
    await page.getByText('Failed to render PDF pages').waitFor()
    await page.getByRole('button', { name: 'Retry' }).click()
    await page.locator('[data-page="1"] canvas').waitFor()
    expect(await page.getByText('Failed to render PDF pages').count()).toBe(0)
    await context.close()
  })

  it('The reader ends its workers and clears pages and messages when the user leaves the screen (CHAT-03, CHAT-10)', async () => {
    const { page, context } = await openChat(paper)
    await ask(page)
    expect(page.workers().length).toBeGreaterThan(0)
    await page.getByRole('link', { name: 'Back to document' }).click()
    await page.waitForURL(`**${pages.document(PROJECT, paper)}`)
    await expect.poll(() => page.locator('canvas').count(), { timeout: 60_000 }).toBe(0)
    await expect.poll(() => page.workers().length, { timeout: 60_000 }).toBe(0)
    await page.goBack()
    await page.getByRole('heading', { name: 'Ask about this paper' }).waitFor()
    await context.close()
  })

  it('The reader is accessible in light and in dark mode', async () => {
    const { page, context } = await openChat(paper)
    await ask(page)
    await source(page, 0).click()
    await page.locator('[data-highlighted]').waitFor({ state: 'attached' })
    expect(await accessibilityProblems(page)).toEqual([])
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.locator('html.dark').waitFor()
    expect(await accessibilityProblems(page, { colours: true })).toEqual([])
    await context.close()
  })
})
