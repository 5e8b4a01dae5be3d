import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type Conversation,
  type ConversationWithMessages,
  NOTHING_TO_ANSWER_FROM,
} from '#shared/contract/conversations.ts'
import type { AddedPaper } from '#shared/contract/lookup.ts'
import { api, pages } from '#shared/contract/paths.ts'
import { accessibilityProblems, closeContexts, openBrowser, signedInPage } from '#tests/helpers/browser.ts'
import { inDatabase } from '#tests/helpers/database.ts'
import { startOpenAiServer, type OpenAiServer } from '#tests/helpers/openai-server.ts'
import { pdfOf, readTestPapers } from '#tests/helpers/papers.ts'
import { signUp, startServer, type Client, type TestServer } from '#tests/helpers/server.ts'
import { sharedServer } from '#tests/helpers/shared-server.ts'

/** This file tests the screen 'Ask', with the built-in model and with a simulated AI provider. */

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => closeContexts(browser))

async function addProject(client: Client, name: string): Promise<string> {
  return (await client.json<{ data: { id: string } }>(api.projects(), { body: { name } })).data.id
}

/** Uploads PDFs and waits until their text is extracted and vectorized. */
async function addPapers(client: Client, project: string, files: readonly URL[]): Promise<void> {
  const ids: string[] = []
  for (const url of files) {
    const file = new File([await readFile(url)], url.pathname.split('/').at(-1)!, { type: 'application/pdf' })
    ids.push((await client.upload(project, file)).id)
  }
  const body = { document_ids: ids, steps: ['extract', 'vectorize'] }
  const { data } = await client.json<{ data: { id: string } }>(api.documentsProcess(), { body })
  const { error } = await client.job(data.id, 90_000)
  if (error) throw new Error(error)
}

const field = (page: Page) => page.getByRole('textbox', { name: 'Question' })
const messages = (page: Page) => page.getByRole('region', { name: 'Messages' })
const sources = (page: Page) => page.getByRole('list', { name: 'Sources' }).last()
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** Asks a question, and waits for its answer. */
async function ask(page: Page, question: string): Promise<void> {
  await field(page).fill(question)
  await field(page).press('Enter')
  await messages(page).getByRole('heading', { level: 2, name: question }).last().waitFor()
  await button(page, 'Send').waitFor()
}

describe('with the built-in model', () => {
  const server = sharedServer()
  let ada: Client
  let ben: Client
  let questions: string
  beforeAll(async () => {
    ada = await signUp(server.url)
    ben = await signUp(server.url)
    const project = (questions = await addProject(ada, 'Questions'))
    await addProject(ada, 'Empty')
    const papers = readTestPapers().filter(({ lang }) => lang === 'en')
    await addPapers(ada, project, [new URL('../fixtures/paper.pdf', import.meta.url), ...papers.slice(0, 3).map(pdfOf)])
    await inDatabase(server, `insert into project_members (project_id, user_id, role) values ($1, $2, 'viewer')`, [
      project,
      ben.userId,
    ])
  })

  it('A question that was not sent is still in its field after a visit to another page, and only in its project', async () => {
    const { page } = await signedInPage(browser, ada)
    await page.goto(pages.ask('Questions'))
    await field(page).fill('How did walking')
    await page.getByRole('navigation', { name: 'Project' }).getByRole('link', { name: 'Overview' }).click()
    await page.getByRole('heading', { level: 1, name: 'Questions' }).waitFor()
    await page.goBack()
    expect(await field(page).inputValue()).toBe('How did walking')
    await page.goto(pages.ask('Empty'))
    expect(await field(page).inputValue()).toBe('')
    await page.goto(pages.overview('Empty'))
    await page.getByRole('link', { name: 'Add papers' }).click()
    await page.waitForURL('**/Empty/documents')
  })

  it('The Ask page shows a viewer how many papers have a text, are found by meaning and are retracted (LIB-38)', async () => {
    const project = await addProject(ada, 'Titles')
    await ada.json(api.papers(), { body: { project_id: project, title: 'Only a title', authors: ['Ida Adeyo'] } })
    await inDatabase(server, `insert into project_members (project_id, user_id, role) values ($1, $2, 'viewer')`, [
      project,
      ben.userId,
    ])
    const { page } = await signedInPage(browser, ben)
    await page.goto(pages.ask('Titles'))
    const numbers = page.getByRole('complementary', { name: 'Evidence' }).getByRole('definition')
    await expect.poll(() => numbers.allInnerTexts()).toEqual(['1', '0', '0', '0'])
    await inDatabase(server, `update documents set retracted = true, abstract = 'Naps helped.' where project_id = $1`, [
      project,
    ])
    await page.reload()
    await expect.poll(() => numbers.allInnerTexts()).toEqual(['1', '1', '0', '1, left out'])
  })

  it('An author who may no longer ask questions exports and deletes the own conversation (LIB-10, LIB-15)', async () => {
    await inDatabase(
      server,
      `insert into conversations (project_id, created_by, title, visibility) values ($1, $2, 'Of a former reviewer', 'me')`,
      [questions, ben.userId],
    )
    const { page } = await signedInPage(browser, ben)
    await page.goto(pages.ask('Questions'))
    await button(page, 'Actions for Of a former reviewer').click()
    const items = page.getByRole('menuitem')
    await expect.poll(() => items.allInnerTexts()).toEqual(['Markdown', 'Word (.docx)', 'JSON', 'Delete'])
    await items.filter({ hasText: 'Delete' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Conversation deleted').waitFor()
    await button(page, 'Actions for Of a former reviewer').waitFor({ state: 'detached' })
  })

  it("'Papers with a tag' allows at most 50 tags", async () => {
    const project = await addProject(ada, 'Tags')
    await inDatabase(
      server,
      `insert into documents (created_by, project_id, filename, title, extracted_text, text_version, keywords)
       select $1, $2, 'x.pdf', 'Naps', '[Page 1]\nNaps helped.', 1, array_agg('Tag ' || n) from generate_series(1, 51) n`,
      [ada.userId, project],
    )
    const { page } = await signedInPage(browser, ada)
    await page.goto(pages.ask('Tags'))
    await page.getByRole('button', { name: /^Answer from/ }).click()
    const tags = page.getByRole('group', { name: 'Papers with a tag' })
    const boxes = tags.getByRole('checkbox')
    await expect.poll(() => boxes.count()).toBe(51)
    for (let at = 0; at < 50; at += 1) await boxes.nth(at).click()
    await tags.getByText('50 tags at most').waitFor()
    expect(await boxes.nth(50).isDisabled()).toBe(true)
    await boxes.first().click()
    await expect.poll(() => boxes.nth(50).isEnabled()).toBe(true)
  })

  it('An answer links to its places and is the same after a reload; conversations are renamed, shared and deleted (LIB-10, LIB-12, LIB-14, LIB-15)', async () => {
    const { page, problems } = await signedInPage(browser, ada)
    await page.goto(pages.overview('Questions'))
    const navigation = page.getByRole('navigation', { name: 'Project' })
    await navigation.getByRole('link', { name: 'Ask' }).click()
    await page.getByRole('heading', { name: 'Ask this project.' }).waitFor()
    expect(await accessibilityProblems(page)).toEqual([])

    const question = 'How did evening group walking change sleep efficiency?'
    await ask(page, question)
    await messages(page).getByText('These passages answer best:').waitFor()
    await messages(page)
      .getByRole('link', { name: /^run \d+$/ })
      .waitFor()
    await sources(page).getByText('Sleep efficiency rose from 74.1% to 80.6%').waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    await messages(page).getByText('American Psychological Association 7th edition', { exact: true }).waitFor()
    const shown = await messages(page).innerText()

    // The evidence of the sentence with the focus, then its place in the reader. Back closes the reader.
    const chip = messages(page).getByRole('button', { name: 'Source 1' }).first()
    await chip.focus()
    const evidence = page.getByRole('complementary', { name: 'Evidence' })
    await evidence
      .getByText(/^Found/)
      .first()
      .waitFor()
    await chip.press('Enter')
    const reader = page.getByRole('dialog', { name: 'Reader' })
    await reader.locator('[data-slot=passage-line]').first().waitFor()
    expect(new URL(page.url()).searchParams.get('evidence')).toBeTruthy()
    await page.goBack()
    await reader.waitFor({ state: 'detached' })

    await page.reload()
    await messages(page).getByText('These passages answer best:').waitFor()
    expect(await messages(page).innerText()).toBe(shown)

    // 'Run again' shows the stored answer. Without the stored answer, the built-in model writes the same words again.
    const answers = messages(page).getByRole('article')
    const words = () => answers.last().locator('[data-answer-sentence]').allInnerTexts()
    const before = await words()
    await button(page, 'Run again').click()
    await answers.nth(1).getByText('stored answer', { exact: true }).waitFor()
    expect(await words()).toEqual(before)
    await button(page, 'Run again without the stored answer').click()
    await answers
      .nth(2)
      .getByRole('link', { name: /^run \d+$/ })
      .waitFor()
    expect(await answers.nth(2).getByText('stored answer', { exact: true }).count()).toBe(0)
    expect(await words()).toEqual(before)
    // The page of the run names the paper of each quote.
    const paper = await evidence.getByRole('link').first().innerText()
    await answers
      .nth(2)
      .getByRole('link', { name: /^run \d+$/ })
      .click()
    await page.getByRole('region', { name: 'Values' }).getByText(paper, { exact: true }).first().waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    await page.goBack()

    await button(page, 'What was read').first().click()
    const read = page.getByRole('dialog', { name: 'What was read' })
    await read.getByText('quoted', { exact: true }).first().waitFor()
    await read.getByRole('button', { name: 'p. 1' }).first().click()
    await read.waitFor({ state: 'detached' })
    await reader.locator('[data-slot=passage-line]').first().waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    await page.keyboard.press('Escape')
    await reader.waitFor({ state: 'detached' })
    await button(page, 'Good answer').first().click()
    await page.getByLabel('What is good about it?').fill('Too short.')
    await button(page, 'Poor answer').first().click()
    expect(await page.getByLabel('What is wrong with it?').inputValue()).toBe('Too short.')
    await button(page, 'Save note').click()
    await page.getByText('Note saved').waitFor()
    // The feedback is still there after a visit to another conversation.
    const conversations = page.getByRole('navigation', { name: 'Conversations' })
    await button(page, 'Start fresh').first().click()
    await page.getByRole('heading', { name: 'Ask this project.' }).waitFor()
    await conversations.getByRole('link', { name: question }).click()
    await answers.first().waitFor()
    expect(await button(page, 'Poor answer').first().getAttribute('aria-pressed')).toBe('true')

    await ask(page, 'Which dose of melatonin did the walking group receive?')
    await messages(page).getByText('None of the 4 papers answers this.').waitFor()
    await messages(page).getByText('The nearest passages:').waitFor()
    await evidence.getByText('No sentence was verified.').waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    await page.getByRole('link', { name: 'Open Discover' }).waitFor()
    // A nearest passage has the number of its paper. Its title opens the reader.
    const refusal = answers.last()
    await refusal
      .getByRole('button', { name: /^Source \d+$/ })
      .first()
      .waitFor()
    await refusal
      .getByRole('listitem')
      .first()
      .getByText(/^(words|meaning|both)$/)
      .waitFor()
    const title = refusal.getByRole('heading', { level: 4 }).first().getByRole('link')
    expect(await title.getAttribute('href')).toContain('/Questions/document/')
    await title.click()
    await reader.locator('[data-slot=passage-line]').first().waitFor()
    await page.keyboard.press('Escape')
    await reader.waitFor({ state: 'detached' })

    const list = page.getByRole('navigation', { name: 'Conversations' })
    await list.getByRole('button', { name: /^Actions for/ }).click()
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Walking')
    await button(page, 'Save').click()
    await list.getByRole('link', { name: 'Walking' }).waitFor()
    await list.getByRole('button', { name: 'Actions for Walking' }).click()
    await page.getByRole('menuitem', { name: 'Project' }).click()
    await list.getByText('Project').waitFor()

    // A viewer reads the conversation and has no field.
    const other = await signedInPage(browser, ben)
    await other.page.goto(page.url())
    await messages(other.page).getByText('These passages answer best:').first().waitFor()
    await other.page.getByText('You may read the conversations of this project').waitFor()
    expect(await field(other.page).count()).toBe(0)
    await list.getByRole('button', { name: 'Actions for Walking' }).click()
    await page.getByRole('menuitem', { name: 'Only me' }).click()
    await other.page.getByRole('heading', { name: 'Conversation not found' }).waitFor()
    expect(await messages(other.page).getByText('These passages answer best:').count()).toBe(0)
    await other.context.close()

    await page.reload()
    expect(await button(page, 'Poor answer').first().getAttribute('aria-pressed')).toBe('true')
    await list.getByRole('button', { name: 'Actions for Walking' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await button(page, 'Delete').click()
    await list.getByText('None yet.').waitFor()
    await page.getByRole('heading', { name: 'Ask this project.' }).waitFor()
    expect(problems).toEqual([])
  })

  it('An open conversation shows a question from another tab and a quote that lost its place; a question is answered after the user leaves the page', async () => {
    const project = await addProject(ada, 'Tabs')
    const body = { project_id: project, title: 'Naps in nurses' }
    const { id } = (await ada.json<{ data: AddedPaper }>(api.papers(), { body })).data.document
    const setText = (text: string) =>
      ada.json(api.documentText(id), { method: 'PUT', body: { extracted_text: `[Page 1]\n${text}`, method: 'text' } })
    await setText('Short naps improved recall of word pairs in nurses. The ward was quiet.')
    const work = await ada.json<{ data: { id: string } }>(api.documentVectorize(id), { body: {} })
    await ada.job(work.data.id)
    const [first, second] = [await signedInPage(browser, ada), await signedInPage(browser, ada)]
    await first.page.goto(pages.ask('Tabs'))
    await ask(first.page, 'Do short naps improve recall?')
    await first.page.waitForURL('**/ask?conversation=*')
    await second.page.goto(first.page.url())
    await messages(second.page).getByText('These passages answer best:').waitFor()
    await ask(first.page, 'Which nurses took short naps?')
    await messages(second.page).getByRole('heading', { name: 'Which nurses took short naps?' }).waitFor()
    await messages(second.page)
      .getByRole('link', { name: /^run \d+$/ })
      .nth(1)
      .waitFor()
    await setText('Nothing is left of the former words.')
    await second.page.getByRole('link', { name: 'Lost place' }).first().waitFor()
    await setText('Short naps improved recall of word pairs in nurses. The ward was quiet.')
    await second.page.getByRole('link', { name: 'Lost place' }).first().waitFor({ state: 'detached' })

    // The user leaves the page while its conversation is created.
    await first.page.goto(pages.ask('Tabs'))
    let release = () => {}
    const held = new Promise<void>((resume) => (release = resume))
    await first.page.route('**/api/projects/*/conversations', async (route) => {
      if (route.request().method() === 'POST') await held
      await route.continue()
    })
    const creation = first.page.waitForRequest(
      (request) => request.method() === 'POST' && new URL(request.url()).pathname === api.conversations(project),
    )
    await field(first.page).fill('Was the ward quiet?')
    await field(first.page).press('Enter')
    await creation
    await first.page.getByRole('navigation', { name: 'Project' }).getByRole('link', { name: 'Overview' }).click()
    await first.page.getByRole('heading', { level: 1, name: 'Tabs' }).waitFor()
    release()
    const asked = async () => {
      const { data } = await ada.json<{ data: Conversation[] }>(api.conversations(project))
      const found = data.find(({ title }) => title === 'Was the ward quiet?')
      if (!found) return []
      return (await ada.json<{ data: ConversationWithMessages }>(api.conversation(found.id))).data.messages
    }
    await expect.poll(asked).toMatchObject([{ status: 'done', answer: { kind: 'passages' } }])
    expect(new URL(first.page.url()).pathname).toBe(pages.overview('Tabs'))
    for (const { context } of [first, second]) await context.close()
  })

  it("A question that did not reach the server is asked with 'Run again' when the connection is back", async () => {
    const { page, context } = await signedInPage(browser, ada)
    await page.goto('/Questions/ask')
    await field(page).fill('Does evening walking help older adults to sleep?')
    await context.setOffline(true)
    await field(page).press('Enter')
    await messages(page).getByText('The server cannot be reached.').waitFor()
    await context.setOffline(false)
    await button(page, 'Run again').click()
    await messages(page).getByText('These passages answer best:').waitFor()
    expect(await messages(page).getByRole('article').count()).toBe(1)
    await context.close()
  })

  it('The selected papers of the list of documents are the scope, and a project without text has no answer (LIB-11)', async () => {
    const { page, context } = await signedInPage(browser, ada, { width: 390, height: 844 })
    await page.goto(pages.documents('Questions'))
    await page.getByRole('checkbox', { name: /beetle/i }).click()
    await button(page, 'Process').click()
    await page.getByRole('menuitem', { name: 'Ask these papers' }).click()
    await page.getByRole('button', { name: 'Answer from: 1 chosen paper' }).waitFor()
    await ask(page, 'At which temperature do bark beetles sing at a lower pitch?')
    await messages(page).getByText('from 1 chosen paper').waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    await button(page, 'Conversations').click()
    await page.getByRole('dialog', { name: 'Conversations' }).getByRole('link').first().waitFor()

    await page.goto(pages.ask('Empty'))
    await field(page).waitFor()
    expect(await page.getByText('This project has no papers yet.').count()).toBe(1)
    await ask(page, 'Is there anything?')
    await messages(page).getByText(NOTHING_TO_ANSWER_FROM).waitFor()
    await context.close()
  })
})

describe('with a provider', () => {
  let provider: OpenAiServer
  let server: TestServer
  beforeAll(async () => {
    provider = await startOpenAiServer()
    const env = { AI_BASE_URL: provider.url, AI_CHAT_MODEL: 'test-chat', AI_EMBEDDING_MODEL: 'text-embedding-test' }
    server = await startServer({ env: { ...env, AI_VERIFY: 'off' } })
  })
  afterAll(async () => {
    await server.stop()
    await provider.stop()
  })

  const line = (text: string, words: string, group?: string) =>
    JSON.stringify({ text, quotes: [{ passage: 'P1', words }], ...(group ? { group } : {}) })

  it('An answer has parts for papers that disagree, doubts and sentences without evidence, and Stop keeps verified sentences (LIB-13, LIB-16, LIB-31, LIB-32)', async () => {
    const client = await signUp(server.url)
    const project = await addProject(client, 'Sides')
    const papers = readTestPapers().filter(({ name }) => name === 'beetle-song' || name === 'fever-markers')
    await addPapers(client, project, papers.map(pdfOf))
    const { page } = await signedInPage(browser, client)
    const [beetles, fever] = [
      'Females preferred chirps that had been filtered',
      'Age and sex did not matter once both were known',
    ]
    provider.next('chat', {
      kind: 'ok',
      content: [
        line('Females preferred 93 filtered chirps [a link](https://example.org).', beetles, 'report a preference'),
        line('Age and sex did not matter.', fever, 'report otherwise'),
        line('Beetles play chess.', 'beetles play chess at night in the forest', 'report otherwise'),
      ].join('\n'),
    })
    await page.goto(pages.ask('Sides'))
    await ask(page, 'What do females prefer, and does age matter?')
    await messages(page).getByRole('heading', { name: '1 paper report' }).first().waitFor()
    await messages(page).getByText('number not in the quote').waitFor()
    expect(await messages(page).getByRole('link', { name: 'a link' }).count()).toBe(0)
    expect(await messages(page).getByText('Beetles play chess.').isVisible()).toBe(false)
    await messages(page).getByText('Said without evidence (1)').click()
    await messages(page).getByText('Beetles play chess.').waitFor()
    expect(await accessibilityProblems(page)).toEqual([])

    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await button(page, 'Copy with citations').click()
    await page.getByText('Answer copied with its citations').waitFor()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied).toContain('[1] (number not in the quote)')
    expect(copied).not.toContain('chess')

    // The provider sends one sentence and does not end the reply. A reload shows the answer that is being written.
    provider.next('chat', { kind: 'hang', content: `${line('Females preferred filtered chirps.', beetles)}\n` })
    await field(page).fill('And the males?')
    await field(page).press('Enter')
    await messages(page).getByRole('article').last().getByText('Females preferred filtered').waitFor()
    await page.getByRole('log').getByText('Females preferred filtered chirps.').waitFor({ state: 'attached' })
    await page.reload()
    await messages(page).getByRole('article').last().getByText('Females preferred filtered').waitFor()
    await field(page).press('Escape')
    await messages(page).getByText('Stopped. The sentences above are verified.').waitFor()
    await button(page, 'Send').waitFor()
  })
})
