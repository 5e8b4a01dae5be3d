import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { api } from '#shared/contract/paths.ts'
import { closeContexts, openBrowser, signedInPage } from '#tests/helpers/browser.ts'
import { signUp, type Client } from '#tests/helpers/server.ts'
import { sharedServer } from '#tests/helpers/shared-server.ts'

const server = sharedServer()
let browser: Browser
let context: BrowserContext
let first: Page
let ada: Client
beforeAll(async () => {
  ada = await signUp(server.url)
  browser = await openBrowser()
  ;({ page: first, context } = await signedInPage(browser, ada))
  await first.goto('/projects')
})
afterAll(() => closeContexts(browser))

const create = (name: string) => ada.json(api.projects(), { body: { name } })
const shows = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).first().waitFor()

// A browser opens six connections to a server. One stream for each page would block the seventh page.
describe('many pages of one user', () => {
  it('Eight tabs of one user stay up to date, also after the first one is closed', async () => {
    const tabs = [first]
    while (tabs.length < 8) {
      const tab = await context.newPage()
      await tab.goto('/projects')
      await tab.getByRole('heading', { name: 'Projects', level: 1 }).waitFor()
      tabs.push(tab)
    }
    await first.goto('/projects')
    await create('Glaciers')
    await Promise.all(tabs.map((tab) => shows(tab, 'Glaciers')))
    // One of the tabs has the stream. When it closes, another tab takes over.
    await Promise.all([tabs[0]!.close(), tabs[1]!.close()])
    await create('Moraines')
    await Promise.all(tabs.slice(2).map((tab) => shows(tab, 'Moraines')))
    expect(await tabs[2]!.getByRole('link', { name: 'Glaciers', exact: true }).count()).toBeGreaterThan(0)
  })

  it('A tab refetches its data if the event stream was interrupted for longer than the server stores events', async () => {
    const other = await signUp(server.url)
    const { page: tab, context: alone } = await signedInPage(browser, other)
    await tab.clock.install()
    // An event stream without events, which ends at once. The browser reconnects when a response has ended.
    const reconnect = Promise.withResolvers<void>()
    let requests = 0
    await tab.route(`**${api.events()}*`, async (route) => {
      requests += 1
      if (requests > 1) await reconnect.promise
      await route.fulfill({ contentType: 'text/event-stream', body: `retry: ${requests > 1 ? 3600_000 : 10}\n\n` })
    })
    await tab.goto('/projects')
    await tab.getByRole('heading', { name: 'Projects', level: 1 }).waitFor()
    await expect.poll(() => requests).toBe(2)
    await other.json(api.projects(), { body: { name: 'Fjords' } })
    await tab.clock.setSystemTime(Date.now() + 51 * 60_000)
    reconnect.resolve()
    await shows(tab, 'Fjords')
    await alone.close()
  })

  it('A tab shows a change that another tab received while this tab loaded', async () => {
    const leader = await context.newPage()
    await leader.goto('/projects')
    await create('Eskers')
    await shows(leader, 'Eskers')
    const late = await context.newPage()
    const isRead = Promise.withResolvers<void>()
    const isChanged = Promise.withResolvers<void>()
    await late.route(`**${api.projects()}`, async (route) => {
      const response = await route.fetch()
      isRead.resolve()
      await isChanged.promise
      await route.fulfill({ response })
    })
    await late.goto('/projects')
    await isRead.promise
    await create('Drumlins')
    await shows(leader, 'Drumlins')
    isChanged.resolve()
    await shows(late, 'Drumlins')
    expect(await late.getByRole('link', { name: 'Eskers', exact: true }).count()).toBeGreaterThan(0)
  })
})
