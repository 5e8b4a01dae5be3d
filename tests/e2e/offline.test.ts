import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { api } from '#shared/contract/paths.ts'
import {
  accessibilityProblems,
  closeContexts,
  openBrowser,
  signedInPage,
  type TestPage,
} from '#tests/helpers/browser.ts'
import { signUp, startServer, type Client, type TestServer } from '#tests/helpers/server.ts'

let server: TestServer
let browser: Browser
let ada: Client
let opened: TestPage
let page: Page
/** Number of HTML documents that the browser has requested since the beginning of the test. */
let loads: number
/**
 * Maximum number of page loads after a failed script. Some versions of Chromium do not fetch a script again after a failure, so
 * the app reloads the page once.
 */
const MOST_LOADS = 1
beforeAll(async () => {
  server = await startServer()
  ada = await signUp(server.url)
  await ada.json(api.projects(), { body: { name: 'Tides' } })
  browser = await openBrowser()
})
beforeEach(async () => {
  opened = await signedInPage(browser, ada)
  page = opened.page
  await page.goto('/Tides/overview')
  await page.getByRole('heading', { name: 'Tides', level: 1 }).waitFor()
  loads = 0
  page.on('request', (request) => {
    if (request.isNavigationRequest()) loads += 1
  })
  return () => opened.context.close()
})
afterAll(async () => {
  await closeContexts(browser)
  await server.stop()
})

const go = (name: string) => page.getByRole('link', { name, exact: true }).click()
const failed = () => page.getByRole('heading', { name: 'This page could not be loaded' })
const shown = (name: string) => page.getByRole('heading', { name, level: 1 }).waitFor()

describe('a page that is opened for the first time while offline', () => {
  it('A page that is opened for the first time while offline shows the reason inside the app, and loads when the connection is back', async () => {
    await opened.context.setOffline(true)
    await go('Feed')
    await failed().waitFor()
    await page.getByText('The server cannot be reached. Check your connection and try again.').first().waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    const refused = page.waitForEvent('requestfailed', (request) => request.url().endsWith(api.site()))
    await page.getByRole('button', { name: 'Try again' }).click()
    await refused
    await failed().waitFor()
    expect([loads, new URL(page.url()).pathname]).toEqual([0, '/Tides/feed'])
    await opened.context.setOffline(false)
    await shown('Feed')
    expect(loads).toBeLessThanOrEqual(MOST_LOADS)
  })

  it('A page that is opened for the first time while offline reloads when the server is back with a newer version', async () => {
    await opened.context.setOffline(true)
    await go('Feed')
    await failed().waitFor()
    await page.route('**/assets/**', (route) => (loads === 0 ? route.fulfill({ status: 404 }) : route.continue()))
    await opened.context.setOffline(false)
    await shown('Feed')
    expect(loads).toBe(1)
  })

  it('A page that is opened for the first time while offline leaves the other pages usable', async () => {
    await opened.context.setOffline(true)
    await go('Feed')
    await failed().waitFor()
    await page.goBack()
    await shown('Tides')
    expect(loads).toBe(0)
  })
})

it("A page that is opened for the first time while the server restarts loads with 'Try again'", async () => {
  await server.kill('SIGTERM')
  await go('Feed')
  await failed().waitFor()
  expect(loads).toBe(0)
  await server.restart()
  await page.getByRole('button', { name: 'Try again' }).click()
  await shown('Feed')
  expect(loads).toBeLessThanOrEqual(MOST_LOADS)
})

it('A part of a page that cannot be fetched while offline reports it, and its Reload does not leave the app', async () => {
  await opened.context.setOffline(true)
  await page.keyboard.press('Control+k')
  const notice = page.getByRole('region', { name: 'Notifications' })
  await notice.getByText('The server cannot be reached. Check your connection, then reload the page.').waitFor()
  await notice.getByRole('button', { name: 'Reload' }).click()
  await notice.getByText('The server cannot be reached. Check your connection, then reload the page.').waitFor()
  expect(loads).toBe(0)
})
