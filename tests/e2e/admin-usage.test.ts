import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { api, functionPath } from '#shared/contract/paths.ts'
import {
  accessibilityProblems,
  bytesOf,
  clickAfterFailure,
  closeContexts,
  openBrowser,
  signedInPage,
} from '#tests/helpers/browser.ts'
import { startOpenAiServer, type OpenAiServer } from '#tests/helpers/openai-server.ts'
import { signUp, startServer, type Client, type TestServer } from '#tests/helpers/server.ts'

let provider: OpenAiServer
let server: TestServer
let admin: Client
let browser: Browser
let page: Page

beforeAll(async () => {
  provider = await startOpenAiServer()
  server = await startServer({ env: { AI_BASE_URL: provider.url, AI_CHAT_MODEL: 'test-chat' } })
  admin = await signUp(server.url, { email: 'ada@example.org' })
  browser = await openBrowser()
  page = (await signedInPage(browser, admin)).page
})
beforeEach(async () => {
  await page.unrouteAll()
  await page.goto('/admin/usage')
})
afterAll(async () => {
  await closeContexts(browser)
  await server?.stop()
  await provider?.stop()
})

const analyze = (model = 'test-chat') =>
  admin.fetch(functionPath('analyze-pdf'), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text: '[Page 1]\nWalking helps people sleep.', system_prompt: 'Summarise.', model }),
  })
const tokens = async () =>
  (await admin.json<{ data: { total: { tokens: number } } }>(api.adminUsage())).data.total.tokens
const button = (name: string) => page.getByRole('button', { name, exact: true })
const notice = (words: string) => page.getByRole('region', { name: 'Notifications' }).getByText(words, { exact: true })
const section = (name: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name, exact: true }) })
/** Returns the number that the page shows for a label. */
const figure = (label: string) =>
  page
    .locator('dl > div')
    .filter({ has: page.locator('dt', { hasText: label }) })
    .locator('b')
    .innerText()

describe('API Usage & Costs', () => {
  it('The usage page reports when usage cannot be loaded, with Retry (MSG-78, ADMC-01)', async () => {
    await page.route('**/api/admin/usage?*', (route) => route.fulfill({ status: 400, body: '{}' }))
    await page.reload()
    await notice('Failed to fetch usage data. Please try again.').waitFor()
    await clickAfterFailure(page, page.getByRole('main').getByRole('button', { name: 'Retry' }))
    await page.getByText('No model was called in this period.').waitFor()
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('API Usage & Costs')
    expect(await page.getByRole('tab').allInnerTexts()).toEqual(['AI provider', 'Hosted backend'])
  })

  it('The usage page shows tokens and their cost at the default rate, and refreshes on request (ADMC-01, ADMC-04, ADMC-02, MSG-79)', async () => {
    await button('Refresh').waitFor()
    await analyze()
    const total = await tokens()
    await button('Refresh').click()
    await section('By model').getByText('test-chat').waitFor()
    expect(await figure('Total tokens')).toBe(total.toLocaleString('en-GB'))
    expect(await figure('Estimated cost')).toBe(`$${(total * 0.0001).toFixed(2)}`)
    expect(await section('By model').innerText()).toContain('$0.0001 a token')
    await page.route('**/functions/v1/fetch-openai-usage', (route) => route.fulfill({ status: 400, body: '{}' }))
    await button('Refresh').click()
    await notice('Failed to refresh OpenAI usage data. Please try again.').waitFor()
  })

  it('The usage page draws the tokens of each day, and shows the same figures as a table', async () => {
    await analyze()
    await page.reload()
    const drawing = page.getByRole('img', { name: /^Tokens a day, .+ highest on/ })
    await drawing.locator('.recharts-bar-rectangle path').first().waitFor()
    await page.getByText('Show as a table').click()
    const table = page.getByRole('region', { name: 'Tokens a day as a table' })
    expect(await table.getByRole('row').count()).toBe(31)
    expect((await table.getByRole('row').last().innerText()).split(/\s+/).at(-1)).toBe(await figure('Total tokens'))
    expect(await accessibilityProblems(page)).toEqual([])
  })

  it('The usage page accepts a price, also for earlier calls, and exports the figures', async () => {
    await analyze()
    await page.reload()
    await button('Prices').click()
    const dialog = page.getByRole('dialog', { name: 'Prices' })
    await dialog.getByRole('button', { name: 'Change the price of test-chat' }).click()
    await dialog.getByLabel('Sent').fill('1000')
    await dialog.getByLabel('Received').fill('1000')
    await dialog.getByText('Also apply this price to earlier calls').click()
    await dialog.getByRole('button', { name: 'Save price' }).click()
    await notice('Price of test-chat saved').waitFor()
    await dialog.getByRole('button', { name: 'Close' }).first().click()
    await section('By model').getByText('set here').waitFor()
    expect(await section('By model').innerText()).toContain('$1,000.00 / $1,000.00 per 1M tokens')
    expect(await figure('Estimated cost')).toBe(`$${((await tokens()) * 0.001).toFixed(2)}`)
    await button('Export CSV').click()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Daily figures', exact: true }).click(),
    ])
    expect((await bytesOf(file)).toString()).toMatch(/,ada@example\.org,ada,test-chat,analysis,\d+,0,/)
    await button('Export CSV').click()
    const [forExcel] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Daily figures for Excel' }).click(),
    ])
    expect((await bytesOf(forExcel)).toString()).toMatch(/^\uFEFFday,/)
  })

  it('The usage page accepts a budget, which stops new work with a clear message', async () => {
    await analyze()
    await admin.json(api.adminPrices(), {
      method: 'PUT',
      body: { model: 'test-chat', dollars_in: 1000, dollars_out: 1000, reprice: true },
    })
    await page.reload()
    await button('Set the budget of This installation').click()
    await page.getByRole('dialog').getByLabel('Dollars a month').fill('0.01')
    await button('Save budget').click()
    await notice('Budget saved').waitFor()
    await section('Budgets this month').getByText('of $0.01').waitFor()
    expect(await (await analyze()).text()).toContain('The monthly AI budget of this installation is used up.')
    await button('Set the budget of This installation').click()
    await page.getByRole('dialog').getByLabel('Dollars a month').fill('')
    await button('Save budget').click()
    await notice('Budget removed').waitFor()
    expect((await analyze()).status).toBe(200)
    await button('Add for a person').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('E-mail').fill('unknown@example.org')
    await dialog.getByLabel('Dollars a month').fill('1')
    await button('Save budget').click()
    await dialog.getByText('Person not found').waitFor()
    expect(await dialog.getByLabel('E-mail').getAttribute('aria-invalid')).toBe('true')
    await button('Cancel').click()
  })

  it('The usage page asks which budget and which price to save when another admin set one meanwhile (SHR-30)', async () => {
    const both = page.getByRole('dialog', { name: 'Changed in the meantime' })
    await button('Set the budget of Each person').click()
    await page.getByRole('dialog').getByLabel('Dollars a month').fill('20')
    await admin.json(api.adminBudgets(), { method: 'PUT', body: { scope: 'everyone', dollars: 30 } })
    await button('Save budget').click()
    await both.getByRole('radio', { name: 'Keep mine: $20', checked: true }).waitFor()
    await both.getByRole('radio', { name: 'Take theirs: $30' }).click()
    expect(await accessibilityProblems(page)).toEqual([])
    await both.getByRole('button', { name: 'Save' }).click()
    await notice('Budget saved').waitFor()
    await section('Budgets this month').getByText('of $30.00').waitFor()

    await button('Prices').click()
    const dialog = page.getByRole('dialog', { name: 'Prices' })
    await dialog.getByRole('textbox', { name: 'Model' }).fill('other-model')
    await dialog.getByLabel('Sent').fill('1')
    await dialog.getByLabel('Received').fill('2')
    await admin.json(api.adminPrices(), {
      method: 'PUT',
      body: { model: 'other-model', dollars_in: 3, dollars_out: 4 },
    })
    await dialog.getByRole('button', { name: 'Save price' }).click()
    await both.getByRole('radio', { name: 'Take theirs: $3 / $4' }).waitFor()
    await both.getByRole('radio', { name: 'Keep mine: $1 / $2', checked: true }).waitFor()
    await both.getByRole('button', { name: 'Save' }).click()
    await notice('Price of other-model saved').waitFor()
    const { data } = await admin.json<{ data: object[] }>(api.adminPrices())
    expect(data).toContainEqual({ model: 'other-model', dollars_in: 1, dollars_out: 2, source: 'set', is_set: true })
    await admin.json(api.adminBudgets(), { method: 'PUT', body: { scope: 'everyone', dollars: null } })
  })

  it('The usage page shows size and cost of storage and database on its second tab (ADMC-06)', async () => {
    await page.getByRole('tab', { name: 'Hosted backend' }).click()
    await page.getByText('0.125 dollars per 1000 MB').waitFor()
    expect(new URL(page.url()).search).toBe('?tab=backend')
    expect(await figure('Database size')).toMatch(/^[\d,]+\.\d MB$/)
    expect(await figure('Storage size')).toBe('0.0 MB')
    expect(await accessibilityProblems(page)).toEqual([])
  })
})
