import { rm } from 'node:fs/promises'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { CHAT_FAILED, type ChatAnswer } from '#shared/contract/chat.ts'
import { api, pages } from '#shared/contract/paths.ts'
import {
  accessibilityProblems,
  closeContexts,
  openBrowser,
  signedInPage,
  type TestPage,
} from '#tests/helpers/browser.ts'
import { inDatabase } from '#tests/helpers/database.ts'
import { startOpenAiServer, type OpenAiServer } from '#tests/helpers/openai-server.ts'
import { signUp, startServer, type Client, type TestServer } from '#tests/helpers/server.ts'

/** This file tests the chat screen and its error messages against the specification, with a simulated AI provider. */

const PROJECT = 'Chat'
const TEXT = '[Page 1]\nWalking in the evening helped older adults to sleep. Four walkers had a minor fall.'

let provider: OpenAiServer
let server: TestServer
let browser: Browser
let client: Client
let project: string
let opened: TestPage
let page: Page
beforeAll(async () => {
  provider = await startOpenAiServer()
  const env = { AI_BASE_URL: provider.url, AI_CHAT_MODEL: 'test-chat', AI_EMBEDDING_MODEL: 'text-embedding-test' }
  ;[server, browser] = await Promise.all([startServer({ env }), openBrowser()])
  client = await signUp(server.url)
  project = (await client.json<{ data: { id: string } }>(api.projects(), { body: { name: PROJECT } })).data.id
  opened = await signedInPage(browser, client)
  page = opened.page
})
afterEach(() => provider.reset())
afterAll(async () => {
  await closeContexts(browser)
  await server.stop()
  await provider.stop()
})

/** Uploads a fixture as a document, sets its extracted text to `text`, and vectorizes it. Returns the document id. */
async function prepare(name: string, text = TEXT): Promise<string> {
  const bytes = readFileSync(new URL(`../fixtures/${name}`, import.meta.url))
  const { id } = await client.upload(project, new File([bytes], name, { type: 'application/pdf' }))
  await client.json(api.documentText(id), { method: 'PUT', body: { extracted_text: text } })
  const { data } = await client.json<{ data: { id: string } }>(api.documentVectorize(id), { body: {} })
  expect((await client.job(data.id)).status).toBe('completed')
  return id
}

const notice = (words: string) =>
  page.getByRole('region', { name: 'Notifications' }).filter({ hasText: words }).waitFor()
const field = () => page.getByRole('textbox', { name: 'Question' })
const questions = () => page.getByRole('article').getByRole('heading', { level: 2 }).allInnerTexts()
const open = async (id: string) => page.goto(pages.chat(PROJECT, id))

describe('the chat screen', () => {
  let id: string
  beforeEach(async () => {
    id = await prepare('paper.pdf')
    await open(id)
    await field().waitFor()
  })

  it('The chat screen shows the pages on the left and the chat on the right (CHAT-01)', async () => {
    await page.locator('[data-page="1"] canvas').waitFor()
    const left = await page.getByRole('region', { name: 'Document', exact: true }).boundingBox()
    const right = await page.getByRole('region', { name: 'Chat', exact: true }).boundingBox()
    expect(left!.x + left!.width).toBeLessThanOrEqual(right!.x + 1)
    expect(Math.abs(left!.y - right!.y)).toBeLessThan(2)
  })

  it('The chat sends by Enter, breaks the line by Shift+Enter, and sends no empty question (CHAT-06, CHAT-07)', async () => {
    await field().press('Enter')
    await field().fill('   ')
    await field().press('Enter')
    expect(await page.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true)
    await field().fill('Who walked?')
    await field().press('Shift+Enter')
    await field().pressSequentially('And when?')
    expect(await field().inputValue()).toBe('Who walked?\nAnd when?')
    expect(await questions()).toEqual([])
    await field().press('Enter')
    await expect.poll(questions).toHaveLength(1)
    await page.getByRole('region', { name: 'Sources' }).waitFor()
  })

  it('The chat adds the question, shows its progress, accepts no other question meanwhile, then adds the answer (CHAT-12, CHAT-13)', async () => {
    provider.next('chat', { kind: 'hang', content: 'Four walkers ' })
    await field().fill('Who fell?')
    await field().press('Enter')
    await page.getByText('Writing the answer').first().waitFor()
    await field().fill('And who did not?')
    await field().press('Enter')
    expect(await questions()).toHaveLength(1)
    expect(await page.getByRole('button', { name: 'Send' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByText('Stopped.').waitFor()
    await field().press('Enter')
    await expect.poll(questions).toHaveLength(2)
    await page.getByRole('region', { name: 'Sources' }).nth(1).waitFor()
  })

  it('A new text of the paper leaves the running answer and the typed question on the screen', async () => {
    let answer = () => {}
    const after = new Promise<void>((resolve) => (answer = resolve))
    provider.next('chat', { kind: 'ok', content: 'Four walkers had a minor fall [p. 1].', after })
    await field().fill('Who fell?')
    await field().press('Enter')
    // The passages were found in the former text.
    await page
      .getByText(/^Reading \d+ passage/)
      .first()
      .waitFor()
    await field().fill('And who did not?')
    await client.json(api.documentText(id), { method: 'PUT', body: { extracted_text: `${TEXT} All of them slept.` } })
    await page.getByRole('heading', { name: 'Not vectorized yet' }).waitFor()
    expect(await questions()).toEqual(['Who fell?'])
    expect(await field().inputValue()).toBe('And who did not?')
    answer()
    await page.getByRole('region', { name: 'Sources' }).waitFor()
    await page.getByText('Four walkers had a minor fall').first().waitFor()
    await page.getByRole('link', { name: 'Go to the document' }).waitFor()
  })

  it('The chat sends no question while the paper is not vectorized, says why, and keeps the typed question', async () => {
    const send = page.getByRole('button', { name: 'Send', description: /Vectorize the document on its page/ })
    await field().fill('Who fell?')
    await client.json(api.documentText(id), { method: 'PUT', body: { extracted_text: `${TEXT} All of them slept.` } })
    await send.waitFor()
    expect(await send.isDisabled()).toBe(true)
    await page.getByRole('textbox', { name: 'Question', description: /Vectorize the document/ }).press('Enter')
    expect(await questions()).toEqual([])
    const examples = page.getByRole('region', { name: 'Conversation' }).getByRole('listitem').getByRole('button')
    expect(await examples.count()).toBeGreaterThan(0)
    for (const example of await examples.all()) expect(await example.isDisabled()).toBe(true)
    expect(await field().inputValue()).toBe('Who fell?')
    const { data } = await client.json<{ data: { id: string } }>(api.documentVectorize(id), { body: {} })
    await client.job(data.id)
    await expect.poll(() => page.getByRole('button', { name: 'Send' }).isEnabled()).toBe(true)
    await field().press('Enter')
    await page.getByRole('region', { name: 'Sources' }).waitFor()
    expect(await questions()).toEqual(['Who fell?'])
  })

  it('A question that was not sent is still in its field after a visit to another page', async () => {
    await field().fill('Who walked')
    await page.getByRole('link', { name: 'Back to document' }).click()
    await page.getByRole('heading', { level: 1, name: 'paper.pdf' }).waitFor()
    await page.goBack()
    expect(await field().inputValue()).toBe('Who walked')
    await field().press('Enter')
    await page.getByRole('region', { name: 'Sources' }).waitFor()
    await page.reload()
    expect(await field().inputValue()).toBe('')
  })

  it('An answer names the numbers that its passage does not contain', async () => {
    provider.next('chat', { kind: 'ok', content: 'Walking in the evening helped 17 older adults to sleep [p. 1].' })
    await field().fill('Whom did walking help?')
    await page.keyboard.press('Enter')
    await page.getByText('17 not in the cited passage').waitFor()
    await page.getByRole('article').getByRole('button', { name: /p\. 1/ }).first().waitFor()
  })
})

it('A viewer reads a shared conversation about a paper, and its author reads it while the paper has no vectors (LIB-15)', async () => {
  const id = await prepare('paper.pdf')
  const { data } = await client.json<{ data: ChatAnswer }>(api.documentChat(id), { body: { question: 'Who fell?' } })
  await client.json(api.conversation(data.conversation_id), { method: 'PATCH', body: { visibility: 'project' } })
  const viewer = await signUp(server.url)
  await inDatabase(server, `insert into project_members (project_id, user_id, role) values ($1, $2, 'viewer')`, [
    project,
    viewer.userId,
  ])
  const other = await signedInPage(browser, viewer)
  await other.page.goto(pages.document(PROJECT, id))
  await other.page.getByRole('button', { name: 'Actions', exact: true }).click()
  await other.page.getByRole('menuitem', { name: 'Conversations' }).click()
  await other.page.getByRole('heading', { name: 'Conversations about this paper' }).waitFor()
  await other.page.getByRole('button', { name: /^Who fell\?/ }).click()
  await other.page.getByRole('article').getByRole('heading', { name: 'Who fell?' }).waitFor()
  await other.page.getByText('You may read the conversations of this project but not ask questions.').waitFor()
  expect(await other.page.getByRole('textbox', { name: 'Question' }).count()).toBe(0)
  expect(await accessibilityProblems(other.page)).toEqual([])
  await other.page.getByRole('button', { name: 'Other conversations' }).click()
  await other.page.getByRole('button', { name: /^Who fell\?/ }).waitFor()
  expect(other.problems).toEqual([])
  await other.context.close()

  await client.json(api.documentText(id), { method: 'PUT', body: { extracted_text: `${TEXT} All of them slept.` } })
  await open(id)
  await page.getByRole('heading', { name: 'Not vectorized yet' }).waitFor()
  await page.getByRole('button', { name: /^Who fell\?/ }).click()
  await expect.poll(questions).toEqual(['Who fell?'])
})

describe('a finished answer', () => {
  const LONG = Array.from({ length: 40 }, (_, n) => `Sentence ${n + 1} of a long answer about walking.`).join('\n\n')

  it('A finished answer starts with its question at the top of the pane', async () => {
    await page.setViewportSize({ width: 1280, height: 800 })
    await open(await prepare('paper.pdf'))
    const pane = page.getByRole('region', { name: 'Conversation' })
    const top = async (question: string) => {
      const heading = (await pane.getByRole('heading', { name: question }).boundingBox())!
      return heading.y - (await pane.boundingBox())!.y
    }
    for (const question of ['What helps to sleep?', 'Who walked in the evening?']) {
      provider.next('chat', { kind: 'ok', content: LONG })
      await field().fill(question)
      await field().press('Enter')
      const turn = pane.getByRole('article').filter({ has: page.getByRole('heading', { name: question }) })
      await turn.getByRole('region', { name: 'Sources' }).waitFor()
      await expect.poll(() => top(question)).toBeLessThan(40)
      expect(await top(question)).toBeGreaterThanOrEqual(0)
    }
  })

  it('A finished answer does not move a pane that the user has scrolled', async () => {
    await open(await prepare('paper.pdf'))
    const pane = page.getByRole('region', { name: 'Conversation' })
    provider.next('chat', { kind: 'ok', content: LONG })
    await field().fill('What helps to sleep?')
    await field().press('Enter')
    await page.getByRole('region', { name: 'Sources' }).waitFor()
    provider.next('chat', { kind: 'hang', content: LONG })
    await field().fill('Who walked?')
    await field().press('Enter')
    await page.getByText('Writing the answer').first().waitFor()
    await pane.getByText('Sentence 40 of a long answer about walking.').last().waitFor()
    await pane.evaluate((box) => (box.scrollTop = 0))
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByText('Stopped.').waitFor()
    expect(await pane.evaluate((box) => box.scrollTop)).toBe(0)
  })
})

describe('a question that cannot be answered', () => {
  beforeEach(async () => {
    await open(await prepare('paper.pdf'))
    await field().waitFor()
  })

  it('A question that cannot be embedded shows Search Error, with the reason as the answer (MSG-100, MSG-103, MSG-106)', async () => {
    provider.always('embeddings', { kind: 'status', status: 401, message: 'bad key' })
    await field().fill('Who stumbled?')
    await field().press('Enter')
    await notice('Search Error')
    await page.getByRole('article').last().getByText('Failed to generate query embedding').waitFor()
    expect(await page.getByRole('article').last().getByRole('region', { name: 'Sources' }).count()).toBe(0)
  })

  it('A question without an answer of the model shows Answer Generation Error and No answer was generated (MSG-102, MSG-104)', async () => {
    provider.always('chat', { kind: 'ok', content: ' ' })
    await field().fill('Who slept?')
    await field().press('Enter')
    await notice('Answer Generation Error')
    await page.getByRole('article').last().getByText('No answer was generated').waitFor()
    expect(provider.requests.some(({ path }) => path.includes('chat'))).toBe(true)
  })

  it('A question that fails without a reason shows: Failed to get response. Please try again. (MSG-106)', async () => {
    expect(CHAT_FAILED).toBe('Failed to get response. Please try again.')
    await page.route(`**${api.documentChat('*')}`, (route) => route.fulfill({ status: 502, body: 'bad gateway' }))
    await field().fill('Who woke?')
    await field().press('Enter')
    await page.getByRole('article').last().getByText(CHAT_FAILED).waitFor()
    await page.unrouteAll()
    provider.always('chat', { kind: 'ok', content: 'Four walkers woke [p. 1].' })
    await page.getByRole('button', { name: 'Ask again' }).click()
    await page.getByRole('article').last().getByText('Four walkers woke').waitFor()
    expect(await questions()).toEqual(['Who woke?', 'Who woke?'])
  })
})

describe('pages that cannot be shown', () => {
  it('The reader shows Failed to load PDF and Retry for a damaged file (MSG-110)', async () => {
    await open(await prepare('truncated.pdf'))
    await page.getByRole('heading', { name: 'Failed to load PDF' }).waitFor()
    expect(await page.getByRole('button', { name: 'Retry' }).isEnabled()).toBe(true)
  })

  it('The reader shows Failed to fetch PDF with the status for a missing file (MSG-109)', async () => {
    const id = await prepare('paper.pdf')
    const stored = readdirSync(server.dataDir, { recursive: true, encoding: 'utf8' })
    await rm(
      join(
        server.dataDir,
        stored.find((name) => name.includes(id) && name.endsWith('.pdf'))!,
      ),
    )
    await open(id)
    await page.getByRole('heading', { name: 'Failed to fetch PDF: 404' }).waitFor()
    expect(await page.locator('canvas').count()).toBe(0)
  })

  it('The reader shows Failed to initialize PDF viewer without the program that reads the file (MSG-107)', async () => {
    const id = await prepare('paper.pdf')
    await page.route(/pdf\.worker/, (route) => route.abort())
    await open(id)
    await page.getByRole('heading', { name: 'Failed to initialize PDF viewer' }).waitFor()
    expect(await page.locator('canvas').count()).toBe(0)
    await page.unrouteAll()
  })

  it('The reader shows Document not found for a missing document (MSG-112)', async () => {
    await open('00000000-0000-4000-8000-000000000000')
    await page.getByRole('heading', { name: 'Document not found' }).waitFor()
    expect(await page.locator('canvas').count()).toBe(0)
    // A document of another project is not shown under the address of this project.
    await client.json(api.projects(), { body: { name: 'Elsewhere' } })
    const { data } = await client.json<{ data: { id: string }[] }>(api.documents({ project_id: project }))
    await page.goto(pages.chat('Elsewhere', data[0]!.id))
    await page.getByRole('heading', { name: 'Document not found' }).waitFor()
    expect(await page.getByRole('textbox', { name: 'Question' }).count()).toBe(0)
  })
})

it('The page listens for the end of a job and does not request it repeatedly (API-12)', async () => {
  const id = await prepare('paper.pdf')
  await page.goto(pages.document(PROJECT, id))
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.getByRole('button', { name: 'Vectorise' }).click()
  await page.getByRole('menuitem', { name: 'Force Re-vectorize' }).click()
  await notice('Document vectorization completed successfully')
  expect(asked).toContain(api.documentVectorize(id))
  // Lists of the first load, repeated once if the live events connect slowly. A single job is read after a lost connection
  // only.
  expect(asked.filter((path) => path === api.jobs({})).length).toBeLessThanOrEqual(4)
  expect(asked.filter((path) => path.startsWith(`${api.jobs({})}/`)).length).toBeLessThanOrEqual(1)
})
