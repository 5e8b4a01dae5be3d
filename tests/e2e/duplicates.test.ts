import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Job } from '#shared/contract/jobs.ts'
import { api, pages } from '#shared/contract/paths.ts'
import { closeContexts, openBrowser, signedInPage } from '#tests/helpers/browser.ts'
import { inDatabase } from '#tests/helpers/database.ts'
import { type Client, signUp, startServer, type TestServer } from '#tests/helpers/server.ts'

const TITLES = [
  [
    'Sleep spindles and the consolidation of paired associates',
    'Sleep spindles and consolidation of paired associates',
  ],
  [
    'Caffeine and alertness of nurses on winter night shifts',
    'Caffeine and the alertness of nurses on winter night shifts',
  ],
  [
    'Targeted memory reactivation in four sleep laboratories',
    'Targeted memory reactivations in four sleep laboratories',
  ],
] as const

let server: TestServer
let browser: Browser
let ada: Client
let ben: Client
let project: string
beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), openBrowser()])
  ada = await signUp(server.url)
  ben = await signUp(server.url)
  project = (await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Naps' } })).data.id
  const insert = `insert into project_members (project_id, user_id, role) values ($1, $2, 'viewer')`
  await inDatabase(server, insert, [project, ben.userId])
  for (const titles of TITLES) {
    for (const title of titles) {
      const body = { project_id: project, title, authors: ['Ines Marlowe'] }
      await ada.json(api.papers(), { body })
    }
  }
  await ada.job((await ada.json<{ data: Job }>(api.duplicatesSearch(), { body: { project_id: project } })).data.id)
})
afterAll(async () => {
  await closeContexts(browser)
  await server.stop()
})

it('A viewer sees groups without the answers (FMT-08)', async () => {
  const { page, context } = await signedInPage(browser, ben)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(pages.duplicates('Naps'))
  await page.getByRole('heading', { level: 1, name: /^Duplicates/ }).waitFor()
  await page.locator('article').first().waitFor()
  expect(await page.getByRole('button', { name: /Join|Not duplicates|Later|Look for duplicates/ }).count()).toBe(0)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await context.close()
})
