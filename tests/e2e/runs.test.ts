import { readFile } from 'node:fs/promises'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { DocumentDetail } from '#shared/contract/documents.ts'
import type { Job } from '#shared/contract/jobs.ts'
import { api, pages } from '#shared/contract/paths.ts'
import { signUpAdmin } from '#tests/helpers/admin.ts'
import { accessibilityProblems, closeContexts, openBrowser, signedInPage } from '#tests/helpers/browser.ts'
import { connectMcp, newKey } from '#tests/helpers/mcp-client.ts'
import { startOpenAiServer, type OpenAiServer } from '#tests/helpers/openai-server.ts'
import { type Client, startServer, type TestServer } from '#tests/helpers/server.ts'

const words = await readFile(new URL('../fixtures/paper.txt', import.meta.url), 'utf8')
const paper = await readFile(new URL('../fixtures/paper.pdf', import.meta.url))
const PROMPT = 'A prompt for naps'

let provider: OpenAiServer
let server: TestServer
let browser: Browser
let ada: Client
let id: string
beforeAll(async () => {
  provider = await startOpenAiServer()
  server = await startServer({ env: { AI_BASE_URL: provider.url, AI_CHAT_MODEL: 'test-chat' } })
  browser = await openBrowser()
  ada = await signUpAdmin(server)
  await ada.json(api.prompts(), { body: { name: PROMPT, prompt: 'Summarise in plain words.', model: 'default' } })
  id = (await newPaper('Naps')).id
})
afterAll(async () => {
  await closeContexts(browser)
  await server?.stop()
  await provider?.stop()
})

/** Creates a project with a paper that has a text. */
async function newPaper(name: string): Promise<{ project: string; id: string }> {
  const project = (await ada.json<{ data: { id: string } }>(api.projects(), { body: { name } })).data.id
  const { id } = await ada.upload(project, new File([new Uint8Array(paper)], 'paper.pdf', { type: 'application/pdf' }))
  await ada.json(api.documentText(id), { method: 'PUT', body: { extracted_text: `[Page 1]\n${words}` } })
  return { project, id }
}

it('A user opens the run of an analysis, analyzes again with another prompt, and compares both runs (FND-31, FND-32, FND-33, FND-34)', async () => {
  const { page, problems } = await signedInPage(browser, ada)
  await page.goto(pages.runs('Naps'))
  await page.getByText('No runs yet.').waitFor()
  await page.goto(pages.document('Naps', id))
  await page.getByRole('button', { name: 'Analyze', exact: true }).click()
  await page.getByRole('dialog').getByRole('radio').first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Start Analysis' }).click()
  await page.getByRole('link', { name: 'run 1' }).click()
  await page.getByRole('heading', { level: 1, name: 'Run 1' }).waitFor()
  await page.getByText('test-chat').waitFor()
  await page.getByText('Text of the prompt').click()
  await page.getByRole('region', { name: 'Values' }).getByRole('button', { name: 'p. 1' }).first().click()
  await page.getByRole('dialog', { name: 'Reader' }).waitFor()
  await page.keyboard.press('Escape')

  const { title } = (await ada.json<{ data: DocumentDetail }>(api.document(id))).data
  provider.next('chat', {
    kind: 'ok',
    content: JSON.stringify({
      title: { text: title, quote: 'Evening group walking improved the sleep' },
      summary: [{ text: 'Walking helped.', quote: null }],
    }),
  })
  await page.goto(pages.document('Naps', id))
  await page.getByRole('button', { name: 'Re-analyze' }).click()
  await page.getByRole('dialog').getByText(PROMPT).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Start Analysis' }).click()
  await page.getByRole('link', { name: 'run 2' }).waitFor()
  // The same input again, in a bulk run: the stored answer.
  const body = { document_ids: [id], steps: ['analyze'], force: true }
  await ada.job((await ada.json<{ data: Job }>(api.documentsProcess(), { body })).data.id)
  await page.getByText('run 3, stored answer').waitFor()

  await page.goto(pages.overview('Naps'))
  await page.getByRole('link', { name: 'Runs of models' }).click()
  await page.getByRole('heading', { level: 1, name: 'Runs 3' }).waitFor()
  expect(await page.getByRole('row').allTextContents()).toEqual([
    expect.stringContaining('When'),
    expect.stringContaining('Stored answer'),
    expect.stringContaining('Completed'),
    expect.stringContaining('Completed'),
  ])
  await page.getByRole('button', { name: 'Export' }).click()
  const list = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: /JSON/ }).click()
  expect((await list).suggestedFilename()).toBe('runs.json')
  await page.getByRole('combobox', { name: 'Person' }).click()
  await page.getByRole('option', { name: 'You' }).click()
  await page.waitForURL((url) => url.searchParams.get('person') === ada.userId)
  await page.getByRole('checkbox', { name: /Select run 1/ }).click()
  await page.getByRole('checkbox', { name: /Select run 2/ }).click()
  await page.getByRole('checkbox', { name: /Select run 3/ }).click()
  const selection = page.getByRole('region', { name: 'Selection' })
  await selection.getByRole('button', { name: 'Export' }).click()
  const selected = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: /JSON/ }).click()
  const file = JSON.parse(await readFile(await (await selected).path(), 'utf8')) as { number: number }[]
  expect(file.map(({ number }) => number)).toEqual([3, 2, 1])
  await page.getByRole('checkbox', { name: /Select run 3/ }).click()
  expect(await accessibilityProblems(page)).toEqual([])
  await page.getByRole('link', { name: 'Compare' }).click()
  await page.getByRole('heading', { level: 1, name: 'Two runs compared' }).waitFor()
  const summary = page.getByRole('region', { name: /^Summary/ })
  await summary.getByText('Walking helped.', { exact: true }).waitFor()
  await page.getByRole('button', { name: /^Only in one/ }).click()
  await page
    .getByRole('region', { name: /^Insight/ })
    .getByText('Not in run B')
    .waitFor()
  await page.getByRole('button', { name: 'Other quotes 1' }).click()
  await page
    .getByRole('region', { name: /^Title/ })
    .getByText('“Evening group walking improved the sleep”')
    .waitFor()
  await page.getByRole('button', { name: /^Equal/ }).click()
  await page.getByRole('region', { name: /^Title/ }).waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await page.getByRole('button', { name: 'Export' }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: /CSV/ }).click()
  expect((await download).suggestedFilename()).toBe('runs-1-and-2.csv')
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  expect(problems).toEqual([])
})

it('The run of an answer about one paper names the assistant and the paper, and is compared with an answer over the project (MCP-16, FND-33)', async () => {
  const { project, id } = await newPaper('Recall')
  const { data: job } = await ada.json<{ data: Job }>(api.documentVectorize(id), { body: {} })
  await ada.job(job.id)
  const { client, call } = await connectMcp(server.url, await newKey(ada))
  const question = 'Does walking improve sleep?'
  await call('ask_paper', { document_id: id, question })
  await call('ask_project', { project_id: project, question })
  await client.close()
  const { page, problems } = await signedInPage(browser, ada)
  await page.goto(pages.runs('Recall'))
  const older = page.getByRole('row').filter({ hasText: 'Answer, only you see it' }).nth(1)
  await older.getByText('Assistant with Assistant').waitFor()
  await older.getByRole('link', { name: question }).click()
  await page.getByRole('heading', { level: 2, name: question }).waitFor()
  await page.getByText(/^Answer, /).waitFor()
  await page.getByText('1 chosen paper').waitFor()
  await page.getByRole('link', { name: 'paper.pdf' }).waitFor()
  await page.getByRole('region', { name: 'Values' }).getByRole('button', { name: 'p. 1' }).waitFor()
  await page.goto(pages.runs('Recall'))
  await page.getByRole('checkbox', { name: /Select run 1/ }).click()
  await page.getByRole('checkbox', { name: /Select run 2/ }).click()
  await page.getByRole('link', { name: 'Compare' }).click()
  await page.getByRole('region', { name: 'Run A' }).getByText('1 chosen paper').waitFor()
  await page.getByRole('region', { name: 'Run B' }).getByText('all papers').waitFor()
  expect(problems).toEqual([])
})
