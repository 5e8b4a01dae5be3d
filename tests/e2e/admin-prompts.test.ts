import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { DocumentDetail } from '#shared/contract/documents.ts'
import type { Prompt } from '#shared/contract/prompts.ts'
import { joinPages } from '#shared/pdf-text/page-text.ts'
import { api } from '#shared/contract/paths.ts'
import { accessibilityProblems, closeContexts, openBrowser, signedInPage } from '#tests/helpers/browser.ts'
import { onePagePdf } from '#tests/helpers/one-page-pdf.ts'
import { startOpenAiServer, type OpenAiServer } from '#tests/helpers/openai-server.ts'
import { signUp, startServer, type Client, type TestServer } from '#tests/helpers/server.ts'

const TEXT =
  'Walking and sleep in adults\n\nWe asked two hundred adults to walk every day for a year. Those who walked slept forty minutes longer each night.'

let provider: OpenAiServer
let server: TestServer
let admin: Client
let browser: Browser
let page: Page
let documentId: string

beforeAll(async () => {
  provider = await startOpenAiServer()
  server = await startServer({ env: { AI_BASE_URL: provider.url, AI_CHAT_MODEL: 'test-chat' } })
  admin = await signUp(server.url)
  const project = await admin.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Walking' } })
  const file = new File([onePagePdf(['Walking'])], 'walking.pdf', { type: 'application/pdf' })
  documentId = (await admin.upload(project.data.id, file)).id
  await admin.json(api.documentText(documentId), { method: 'PUT', body: { extracted_text: joinPages([TEXT]) } })
  browser = await openBrowser()
  page = (await signedInPage(browser, admin)).page
})
beforeEach(async () => {
  await page.unrouteAll()
  await page.goto('/admin/prompts')
})
afterAll(async () => {
  await closeContexts(browser)
  await server?.stop()
  await provider?.stop()
})

const notice = (words: string) => page.getByRole('region', { name: 'Notifications' }).getByText(words, { exact: true })
const button = (name: string) => page.getByRole('button', { name, exact: true })
const dialog = () => page.getByRole('dialog')
const choose = async (field: string, option: string) => {
  await dialog().getByRole('combobox', { name: field }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}
/** Creates a prompt by the API, with one version for each text, and opens the prompt library. */
const withPrompt = async (name: string, ...texts: string[]) => {
  const [prompt = '', ...later] = texts
  const { data } = await admin.json<{ data: { id: string } }>(api.prompts(), {
    body: { name, description: '', model: 'test-chat', prompt },
  })
  for (const text of later) await admin.json(api.prompt(data.id), { method: 'PATCH', body: { prompt: text } })
  await page.goto('/admin/prompts')
}
const names = () => page.locator('tbody b').allInnerTexts()

describe('the prompt library', () => {
  it("The prompt library has the heading 'Prompt Library', and saves a prompt with name, text and model as the first row (ADMP-01, ADMP-02, ADMP-04, ADMP-05)", async () => {
    await page.getByRole('heading', { name: 'Prompt Library' }).waitFor()
    await button('Add prompt').click()
    const save = dialog().getByRole('button', { name: 'Save prompt' })
    expect(await save.isDisabled()).toBe(true)
    await dialog().getByLabel('Name').fill('Findings')
    await choose('Model', 'test-chat')
    expect(await save.isDisabled()).toBe(true)
    await dialog().getByLabel('Prompt', { exact: true }).fill('  ')
    expect(await save.isDisabled()).toBe(true)
    await dialog().getByLabel('Prompt', { exact: true }).fill('List the findings.')
    await dialog()
      .getByRole('checkbox', { name: /^Default prompt/ })
      .click()
    expect(await accessibilityProblems(page)).toEqual([])
    await save.click()
    await notice('Prompt added').waitFor()
    expect((await names())[0]).toBe('Findings')
    // The label 'Default' is now on this prompt only.
    expect(await page.locator('tbody').getByText('Default', { exact: true }).count()).toBe(1)
    expect(await accessibilityProblems(page)).toEqual([])
  })

  it('The prompt library tries a prompt on a document before it is saved, shows the cost, and stores nothing', async () => {
    await withPrompt('Trial', 'List the findings.')
    await button('Edit Trial').click()
    await dialog().getByLabel('Prompt', { exact: true }).fill('List the findings for nurses.')
    // The document has no title: a trial stores nothing in it.
    await choose('Try it on a document', 'walking.pdf')
    await button('Try').click()
    const result = dialog().getByRole('region', { name: 'Result of the trial' })
    await result.getByText('Walking and sleep in adults', { exact: true }).waitFor()
    expect(await result.innerText()).toMatch(
      /^\$0\.\d+ · \d+ tokens sent, \d+ received · .+ · test-chat · \d+ of \d+ statements/,
    )
    // Escape closes the dialog only after a confirmation.
    await page.keyboard.press('Escape')
    await page.getByRole('alertdialog', { name: 'Discard changes?' }).getByText('Keep editing').click()
    const { data } = await admin.json<{ data: DocumentDetail }>(api.document(documentId))
    expect([data.title, data.summary, data.analyzed_at]).toEqual([null, null, null])
    await button('Save prompt').click()
    await notice('Prompt saved').waitFor()
  })

  it('The prompt dialog asks which text to save after another administrator changed it, and keeps their other fields (SHR-30)', async () => {
    await withPrompt('Shared', 'List the findings.')
    await button('Edit Shared').click()
    await dialog().getByLabel('Prompt', { exact: true }).fill('List the findings of the first.')
    const { data } = await admin.json<{ data: Prompt[] }>(api.prompts())
    const { id, version } = data.find(({ name }) => name === 'Shared')!
    const theirs = { prompt: 'List the findings of the second.', description: 'By the second.' }
    await admin.json(api.prompt(id), { method: 'PATCH', body: { ...theirs, version } })
    await button('Save prompt').click()
    const question = page.getByRole('dialog', { name: 'Changed in the meantime' })
    await question.getByRole('radio', { name: `Take theirs: ${theirs.prompt}` }).waitFor()
    // Cancel keeps the user's text in the form.
    await page.keyboard.press('Escape')
    await question.waitFor({ state: 'detached' })
    expect(await dialog().getByLabel('Prompt', { exact: true }).inputValue()).toBe('List the findings of the first.')
    await button('Save prompt').click()
    await question.getByRole('radio', { name: 'Keep mine: List the findings of the first.' }).check()
    await question.getByRole('button', { name: 'Save', exact: true }).click()
    await notice('Prompt saved').first().waitFor()
    const after = await admin.json<{ data: Prompt[] }>(api.prompts())
    expect(after.data.find((one) => one.id === id)).toMatchObject({
      prompt: 'List the findings of the first.',
      description: theirs.description,
    })
  })

  it('The prompt library stores earlier versions, shows them and restores one', async () => {
    await withPrompt('History', 'List the findings.', 'List the findings for nurses.')
    await button('Versions of History').click()
    await dialog().getByText('Version 1', { exact: true }).click()
    expect(await dialog().getByText('List the findings.', { exact: true }).isVisible()).toBe(true)
    await button('Restore version 1').click()
    await notice('Version 1 restored').waitFor()
    await dialog().getByText('Version 3', { exact: true }).waitFor()
    await dialog().getByRole('button', { name: 'Close' }).first().click()
  })

  it('A document shows the prompt version that its analysis used, with its text', async () => {
    await withPrompt('Used', 'List everything.', 'List the findings.')
    await page.goto(`/Walking/document/${documentId}`)
    await button('Analyze').click()
    await dialog().getByText('Used', { exact: true }).click()
    await button('Start Analysis').click()
    await button('Used, version 2').click()
    await dialog().getByText('List the findings.', { exact: true }).waitFor()
    expect(await dialog().getByRole('heading').innerText()).toBe('Used, version 2')
  })

  it('The prompt library reports errors of models, saving and deleting (MSG-97, MSG-98, MSG-99)', async () => {
    const fail = (path: string, method: string) =>
      page.route(path, (route) =>
        route.request().method() === method ? route.fulfill({ status: 503, body: '{}' }) : route.fallback(),
      )
    await fail('**/functions/v1/list-models', 'GET')
    await fail('**/api/prompts/*', 'PATCH')
    await fail('**/api/prompts/*', 'DELETE')
    await withPrompt('Faulty', 'List the faults.')
    await button('Edit Faulty').click()
    await notice('Error loading models').waitFor()
    await button('Save prompt').click()
    await notice('Failed to save prompt').waitFor()
    await dialog().getByRole('button', { name: 'Cancel' }).click()
    await button('Delete Faulty').click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete prompt' }).click()
    await notice('Failed to delete prompt').waitFor()
    expect(await names()).toContain('Faulty')
  })

  it("The prompt library deletes a prompt after 'Are you sure you want to delete this prompt?' (ADMP-06)", async () => {
    await withPrompt('Obsolete', 'List nothing.')
    await button('Delete Obsolete').click()
    const question = page.getByRole('alertdialog', { name: 'Are you sure you want to delete this prompt?' })
    await question.getByRole('button', { name: 'Cancel' }).click()
    expect(await names()).toContain('Obsolete')
    await button('Delete Obsolete').click()
    await question.getByRole('button', { name: 'Delete prompt' }).click()
    await notice('Prompt deleted').waitFor()
    await button('Edit Obsolete').waitFor({ state: 'detached' })
    expect(await names()).not.toContain('Obsolete')
  })
})
