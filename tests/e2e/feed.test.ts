import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { DocumentDetail } from '#shared/contract/documents.ts'
import type { Subscription } from '#shared/contract/feeds.ts'
import type { JournalOption } from '#shared/contract/journals.ts'
import { api } from '#shared/contract/paths.ts'
import { signUpAdmin } from '#tests/helpers/admin.ts'
import {
  accessibilityProblems,
  clickAfterFailure,
  closeContexts,
  openBrowser,
  signedInPage,
  type PageOptions,
} from '#tests/helpers/browser.ts'
import { body, type FeedServer, item, rss, startFeedServer, status } from '#tests/helpers/feed-server.ts'
import { file, type ScholarServer, startScholarServer } from '#tests/helpers/scholar-server.ts'
import { type Client, signUp, startServer, type TestServer } from '#tests/helpers/server.ts'

let site: FeedServer
let scholar: ScholarServer
let server: TestServer
let browser: Browser
let ada: Client
let adaPage: Page
let adaProblems: string[]
/** `page`: the browser page of the running test. `problems`: its errors. */
let page: Page
let problems: string[]
/** The ids of the journals, by journal name. */
const journals = new Map<string, string>()
/** The journals that an admin adds, with the path of their feed or home page. */
const JOURNALS = { 'Journal of Sleep': '/home', 'Clinical Ageing': '/ageing', 'Lost Letters': '/gone' }

beforeAll(async () => {
  site = await startFeedServer()
  scholar = await startScholarServer()
  site.set(
    '/sleep',
    body(
      rss(
        ...Array.from({ length: 130 }, (_, index) =>
          item(`Sleep paper ${index + 1}`, index + 1, '<description>What a night does.</description>'),
        ),
      ),
    ),
  )
  const doi = '<dc:identifier xmlns:dc="http://purl.org/dc/elements/1.1/">doi:10.5555/Ageing.1</dc:identifier>'
  site.set('/ageing', body(rss(item('Ageing paper', 0.5, doi))))
  const paper = new Uint8Array(await readFile(new URL('../fixtures/paper.pdf', import.meta.url)))
  scholar.setCopies('10.5555/ageing.1', [{ pdf: scholar.set('/ageing.pdf', file(paper)) }])
  for (const path of ['/gone', '/late']) site.set(path, body(rss(item('Soon gone'))))
  site.set('/home', body('<link rel="alternate" type="application/rss+xml" href="/sleep">', 'text/html'))
  const allowed = `${scholar.env['GUARDED_FETCH_ALLOW']},${site.host}`
  server = await startServer({
    env: { ...scholar.env, CONTACT_EMAIL: 'ops@example.org', GUARDED_FETCH_ALLOW: allowed },
  })
  const admin = await signUpAdmin(server)
  ada = await signUp(server.url)
  for (const [name, path] of Object.entries({ ...JOURNALS, 'Late Letters': '/late' })) {
    const added = await admin.json<{ data: JournalOption }>(api.journals(), {
      body: { name, url: `${site.url}${path}` },
    })
    journals.set(name, added.data.id)
  }
  for (const path of ['/gone', '/late']) site.set(path, status(503))
  browser = await openBrowser()
  ;({ page, problems } = await signedInPage(browser, ada))
  adaPage = page
  adaProblems = problems
})
beforeEach(async () => {
  ;[page, problems] = [adaPage, adaProblems]
  problems.length = 0
  await page.unrouteAll()
})
afterAll(async () => {
  await closeContexts(browser)
  await server.stop()
  await site.stop()
  await scholar.stop()
})

/**
 * Opens the feed of a new project that follows these journals, after the server has read their feeds. With `options`, opens a
 * new page with these options for the same user. Returns the address of the project.
 */
async function open(follows: string[], options?: PageOptions): Promise<string> {
  const name = `Naps ${randomBytes(4).toString('hex')}`
  const project = (await ada.json<{ data: { id: string } }>(api.projects(), { body: { name } })).data.id
  for (const journal of follows)
    await ada.json(api.subscriptions(), { body: { project_id: project, journal_id: journals.get(journal) } })
  await expect
    .poll(async () => {
      const { data } = await ada.json<{ data: Subscription[] }>(api.subscriptions({ project_id: project }))
      return data.filter((feed) => feed.last_fetched_at === null && feed.last_error === null)
    })
    .toEqual([])
  if (options) ({ page, problems } = await signedInPage(browser, ada, options))
  const address = `/${name.replace(' ', '%20')}`
  await page.goto(`${address}/feed`)
  return address
}
const tick = (name: string) => page.getByRole('checkbox', { name, exact: true })
const article = (name: string) => page.getByRole('article', { name, exact: true })
const notice = (words: string) =>
  page.getByRole('region', { name: 'Notifications' }).filter({ hasText: words }).waitFor()
const button = (name: string) => page.getByRole('button', { name, exact: true })

describe('the feed of a project', () => {
  it('The feed explains what to do while no journal is followed, and an admin adds journals by their home page', async () => {
    const empty = await startServer({ env: { GUARDED_FETCH_ALLOW: site.host } })
    onTestFinished(() => empty.stop())
    const admin = await signUpAdmin(empty)
    const other = await signUp(empty.url)
    for (const client of [admin, other]) await client.json(api.projects(), { body: { name: 'Naps' } })
    ;({ page } = await signedInPage(browser, other))
    await page.goto('/Naps/feed')
    await page.getByRole('heading', { name: 'No articles yet.' }).waitFor()
    await page.getByText('No journal has a feed yet.').waitFor()
    expect(await button('Add a journal feed').count()).toBe(0)
    // Every user can import the subscriptions of another feed reader.
    const choosing = page.waitForEvent('filechooser')
    await button('Import OPML').click()
    await choosing
    ;({ page } = await signedInPage(browser, admin))
    await page.goto('/Naps/feed')
    await button('Add a journal feed').last().click()
    await button('Add journal').click()
    await page.getByText('Journal name is required').waitFor()
    await page.getByText('An address is required').waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    await page.getByLabel('Journal name').fill('Nothing there')
    await page.getByLabel('Address').fill(`${site.url}/missing`)
    await button('Add journal').click()
    await page.getByText('The site answered with the status 404.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    for (const [name, path] of Object.entries({ 'Journal of Sleep': '/home', 'Clinical Ageing': '/ageing' })) {
      await button('Add a journal feed').first().click()
      await page.getByLabel('Journal name').fill(name)
      await page.getByLabel('Address').fill(`${site.url}${path}`)
      await button('Add journal').click()
      await notice('Journal added')
      await tick(name).waitFor()
    }
    expect(await page.getByRole('checkbox', { checked: false }).count()).toBe(2)
  })

  it('The feed shows the articles of selected journals, newest first, 20 a page with an ellipsis (FEED-01, FEED-02, FEED-04, FEED-06, FEED-07, CONST-19)', async () => {
    await open([])
    await tick('Journal of Sleep').click()
    await article('Sleep paper 1').waitFor()
    expect(await page.getByRole('article').count()).toBe(20)
    await tick('Clinical Ageing').click()
    await article('Ageing paper').waitFor()
    expect(await page.getByRole('article').first().getAttribute('aria-label')).toBe('Ageing paper')
    const pages = page.getByRole('navigation', { name: 'Pages' })
    expect(await pages.innerText()).toMatch(/^1\s+2\s+…\s+7$/)
    expect(await accessibilityProblems(page)).toEqual([])
    expect(problems).toEqual([])
  })

  it('The feed scrolls to the top on a page change (FEED-08)', async () => {
    const project = await open(['Journal of Sleep', 'Clinical Ageing'])
    await button('Page 2').scrollIntoViewIfNeeded()
    expect(await page.evaluate(() => window.scrollY)).toBeGreaterThan(0)
    await button('Page 2').click()
    await article('Sleep paper 20').waitFor()
    await page.waitForFunction(() => window.scrollY === 0)
    expect(await page.getByRole('navigation', { name: 'Pages' }).innerText()).toMatch(/^1\s+2\s+3\s+…\s+7$/)
    expect(page.url()).toMatch(/page=2/)
    // An address with a page beyond the last one shows the last page.
    await page.goto(`${project}/feed?page=40`)
    await article('Sleep paper 130').waitFor()
    expect(page.url()).toMatch(/page=7/)
  })

  it('The feed is filtered by words and journal, and keeps its marks over a reload', async () => {
    const project = await open(['Journal of Sleep', 'Clinical Ageing'])
    await article('Ageing paper').getByRole('button', { name: 'Star' }).click()
    await article('Ageing paper').getByRole('button', { name: 'Mark as read' }).click()
    await article('Ageing paper').getByRole('button', { name: 'Mark as unread' }).waitFor()
    await page.getByLabel('Search articles').fill('paper 77')
    await article('Sleep paper 77').waitFor()
    await article('Ageing paper').waitFor({ state: 'detached' })
    await page.goto(`${project}/feed?show=starred`)
    await article('Ageing paper').getByRole('button', { name: 'Remove the star' }).waitFor()
    expect(await page.getByRole('article').count()).toBe(1)
    await page.goto(`${project}/feed?search=nothing`)
    await page.getByRole('heading', { name: 'No articles found.' }).waitFor()
    await page.goto(`${project}/feed`)
    await article('Ageing paper').waitFor()
    await page.getByRole('combobox', { name: 'Journal' }).click()
    await page.getByRole('option', { name: 'Journal of Sleep' }).click()
    await article('Ageing paper').waitFor({ state: 'detached' })
    await article('Sleep paper 1').waitFor()
  })

  it("The feed makes a document of an article with 'Add to project', and fetches its open-access PDF", async () => {
    const project = await open(['Clinical Ageing'])
    await article('Ageing paper').getByRole('button', { name: 'Add to project' }).click()
    await notice('Added to project')
    await notice('The server is searching for its open-access PDF.')
    await page.reload()
    await article('Ageing paper').getByRole('link', { name: 'In this project' }).click()
    await page.waitForURL(`**${project}/document/*`)
    await page.getByRole('heading', { name: 'Ageing paper' }).waitFor()
    const id = page.url().split('/').at(-1)!
    await expect
      .poll(async () => (await ada.json<{ data: DocumentDetail }>(api.document(id))).data.file_size, {
        timeout: 60_000,
      })
      .toBeGreaterThan(1000)
  })

  it('The feed reports that loading failed, and loads again with Retry', async () => {
    await page.route('**/api/feed/articles*', (route) => route.abort())
    await open(['Clinical Ageing'])
    await page.getByRole('heading', { name: 'The feed could not be loaded' }).waitFor()
    await clickAfterFailure(page, button('Retry'))
    await article('Ageing paper').waitFor()
    expect(await button('Retry').count()).toBe(0)
  })

  it('The feed shows the reason why a feed cannot be read, and the overview counts the followed journals (OVER-04, MSG-58)', async () => {
    const project = await open(['Journal of Sleep', 'Clinical Ageing'])
    await tick('Lost Letters').click()
    await notice('RSS Feed Error')
    await notice('Failed to fetch RSS feed. Please check the URL and try again.')
    await page.getByText('The site answered with the status 503.').waitFor()
    await page.goto(`${project}/overview`)
    await page
      .getByRole('link', { name: /^Feeds/ })
      .filter({ hasText: '3' })
      .click()
    await page.waitForURL(`**${project}/feed`)
    await page.getByRole('checkbox', { name: 'Lost Letters', checked: true }).waitFor()
    expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(3)
  })

  it('The feed removes the articles of a journal that is no longer selected, and reports a failed subscription or unsubscription (MSG-59, MSG-60, FEED-04)', async () => {
    await open(['Journal of Sleep', 'Clinical Ageing'])
    await page.getByRole('checkbox', { name: 'Clinical Ageing', checked: true }).waitFor()
    await page.route('**/api/subscriptions*', (route) =>
      route.request().method() === 'GET' ? route.continue() : route.abort(),
    )
    await tick('Clinical Ageing').click()
    await notice('Unsubscription Error')
    await page.getByRole('checkbox', { name: 'Clinical Ageing', checked: true }).waitFor()
    await page.unroute('**/api/subscriptions*')
    await tick('Clinical Ageing').click()
    await article('Ageing paper').waitFor({ state: 'detached' })
    expect(await page.getByRole('article').count()).toBe(20)
    await page.route('**/api/subscriptions*', (route) =>
      route.request().method() === 'GET' ? route.continue() : route.abort(),
    )
    await tick('Clinical Ageing').click()
    await notice('Subscription Error')
    await page.getByRole('checkbox', { name: 'Clinical Ageing', checked: false }).waitFor()
    await page.unroute('**/api/subscriptions*')
  })

  it('The feed is accessible in dark mode, and reads a failing feed again on request', async () => {
    await open(['Journal of Sleep', 'Late Letters'], { dark: true })
    await article('Sleep paper 1').waitFor()
    await page.getByText('The site answered with the status 503.').waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    expect(problems).toEqual([])
    // A user can read the feed before its next scheduled time.
    site.set('/late', body(rss(item('Found again', 300))))
    await button('Try now: Late Letters').click()
    await notice('The feed was read')
    await page.getByText('The site answered with the status 503.').waitFor({ state: 'detached' })
  })

  it('The feed folds the checklist on a small screen', async () => {
    await open(['Journal of Sleep'], { width: 390, height: 844 })
    await article('Sleep paper 1').waitFor()
    expect(await tick('Journal of Sleep').isVisible()).toBe(false)
    await page.getByRole('button', { name: /^Journals/ }).click()
    await tick('Journal of Sleep').waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    expect(await accessibilityProblems(page)).toEqual([])
  })
})
