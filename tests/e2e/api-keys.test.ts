import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { api } from '#shared/contract/paths.ts'
import { accessibilityProblems, bytesOf, closeContexts, openBrowser, signedInPage } from '#tests/helpers/browser.ts'
import { signUp, type Client } from '#tests/helpers/server.ts'
import { sharedServer } from '#tests/helpers/shared-server.ts'

const server = sharedServer()
let browser: Browser
let page: Page
let ada: Client

beforeAll(async () => {
  ada = await signUp(server.url)
  for (const name of ['Sleep', 'Memory']) await ada.json(api.projects(), { body: { name } })
  browser = await openBrowser()
  page = (await signedInPage(browser, ada)).page
})
afterAll(() => closeContexts(browser))

const button = (name: string) => page.getByRole('button', { name, exact: true })

it('A key is created and shown once, connects an assistant, is listed with its calls, and is revoked (KEY-01, MCP-05)', async () => {
  await page.goto('/settings')
  await page.getByRole('tab', { name: 'API keys' }).click()
  await page.getByRole('heading', { name: 'No keys yet.' }).waitFor()
  expect(new URL(page.url()).search).toBe('?tab=keys')
  await button('New key').click()
  const dialog = page.getByRole('dialog', { name: 'New key' })
  await dialog.getByRole('button', { name: 'Create key' }).click()
  await dialog.getByText('Enter a name.').waitFor()
  await dialog.getByLabel('Name').fill('Desk assistant')
  expect(await dialog.getByText('Enter a name.').count()).toBe(0)
  expect(await dialog.getByRole('checkbox', { name: /^read/ }).isDisabled()).toBe(true)
  await dialog.getByRole('checkbox', { name: /^ask/ }).click()
  await dialog.getByRole('radio', { name: 'Chosen' }).click()
  await dialog.getByRole('checkbox', { name: 'Sleep' }).click()
  expect(await accessibilityProblems(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Create key' }).click()

  const once = page.getByRole('dialog', { name: 'Your new key' })
  await once.getByText('You will not see it again.').waitFor()
  const key = await once.getByLabel('Key', { exact: true }).innerText()
  expect(key).toMatch(/^lct_[0-9A-Za-z]{8}_/)
  await page.keyboard.press('Escape')
  expect(await once.isVisible()).toBe(true)
  expect(await accessibilityProblems(page)).toEqual([])
  await once.getByRole('button', { name: 'Connect an assistant' }).click()

  await page.getByText(`--header "Authorization: Bearer ${key}"`).waitFor()
  for (const name of ['Claude Desktop', 'Cursor', 'VS Code', 'Others']) {
    await page.getByRole('tab', { name }).click()
    expect(await page.getByRole('tabpanel', { name }).innerText()).toContain(key)
  }
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Save mcp.mjs' }).click()
  const bridge = new URL('../../bin/mcp.mjs', import.meta.url)
  expect((await bytesOf(await download)).equals(await readFile(bridge))).toBe(true)
  await button('Test').click()
  await page.getByText(/Works: \d+ tools in \d+ ms/).waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await button('Back to API keys').click()

  const row = page.getByRole('row', { name: 'Desk assistant', exact: true })
  expect(await row.innerText()).toMatch(/read, ask\s+Sleep/)
  expect(await page.content()).not.toContain(key)
  const calls = page.getByRole('region', { name: 'Last 100 calls' })
  await calls.getByText('POST /mcp tools/list').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await button('Revoke Desk assistant').click()
  const sure = page.getByRole('alertdialog', { name: 'Revoke the key "Desk assistant"?' })
  await sure.getByText('Programs that use it stop working at once.').waitFor()
  await sure.getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('heading', { name: 'No keys yet.' }).waitFor()
  const answer = await fetch(server.url + api.projects(), { headers: { authorization: `Bearer ${key}` } })
  expect(answer.status).toBe(401)
})

it('The choice of projects for a key reports that they are loading, and that they could not be loaded', async () => {
  let answer = () => {}
  const held = new Promise<void>((resume) => {
    answer = resume
  })
  const path = `**${api.projects()}`
  // A response 4xx is not repeated.
  const error = { code: 'too_many', message: 'Too many requests. Please try again later.' }
  await page.route(path, async (route) => {
    await held
    await route.fulfill({ status: 429, json: { error } })
  })
  await page.goto('/settings?tab=keys')
  await button('New key').click()
  const dialog = page.getByRole('dialog', { name: 'New key' })
  await dialog.getByRole('radio', { name: 'Chosen' }).click()
  await dialog.getByText('Loading the projects').waitFor()
  answer()
  await expect.poll(() => dialog.getByRole('alert').textContent()).toContain(error.message)
  await page.unroute(path)
})
