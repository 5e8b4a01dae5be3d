import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { closeContexts, newPage, openBrowser } from '#tests/helpers/browser.ts'
import { sharedServer } from '#tests/helpers/shared-server.ts'

const server = sharedServer()
let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => closeContexts(browser))

it('The API page shows every operation under its own content policy (API-03)', async () => {
  const { page, context, problems } = await newPage(browser, { baseURL: server.url })
  await page.goto('/api/docs')
  const sections = page.locator('.opblock-tag')
  await sections.first().waitFor()
  for (const name of ['Projects', 'Server functions', 'Accounts'])
    await sections.filter({ hasText: name }).getByRole('button', { name: 'Expand operation' }).click()
  const operation = page.locator('.opblock', { hasText: 'POST/api/projects' }).first()
  await operation.waitFor()
  expect(await operation.locator('.opblock-summary-method').textContent()).toBe('POST')
  await operation.locator('.opblock-summary-control').click()
  await operation.getByText('Do naps help older adults?').first().waitFor()
  expect(await page.getByText('/functions/v1/ocr-pdf').count()).toBeGreaterThan(0)
  expect(await page.getByText('/auth/v1/sign-in/email').count()).toBeGreaterThan(0)
  expect(problems).toEqual([])
  await context.close()
})

it('The API page shows an error if the description of the API cannot be loaded', async () => {
  const { page, context } = await newPage(browser, { baseURL: server.url })
  await page.route('**/api/openapi.json', (route) => route.fulfill({ status: 503, json: {} }))
  await page.goto('/api/docs')
  const error = page.getByRole('alert')
  await error.waitFor()
  expect(await error.textContent()).toContain('The description of the API could not be loaded (status 503).')
  await context.close()
})
