import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { api } from '#shared/contract/paths.ts'
import type { Recommendation } from '#shared/contract/recommendations.ts'
import {
  accessibilityProblems,
  clickAfterFailure,
  closeContexts,
  delayUntilChange,
  openBrowser,
  signedInPage,
  type PageOptions,
} from '#tests/helpers/browser.ts'
import { type OpenAlexServer, startOpenAlexServer } from '#tests/helpers/openalex-server.ts'
import { type Client, signUp, startServer, type TestServer } from '#tests/helpers/server.ts'

const QUESTION = 'Does sleep after learning protect declarative memory in adults?'
const SLOW_WAVES = 'Why some older sleepers keep their slow waves: a ten-year follow-up of sleep and declarative memory'
const REVIEW = 'Sleep spindles and the consolidation of declarative memory: a review of adults of every age'

let openalex: OpenAlexServer
let server: TestServer
let browser: Browser
let ada: Client
let page: Page
let problems: string[]
let project: { id: string }

beforeAll(async () => {
  openalex = await startOpenAlexServer()
  server = await startServer({ env: openalex.env })
  ada = await signUp(server.url)
  const make = async (body: object) => (await ada.json<{ data: { id: string } }>(api.projects(), { body })).data
  project = await make({ name: 'Sleep', research_question: QUESTION })
  await make({ name: 'Silent' })
  browser = await openBrowser()
  await open()
})
afterAll(async () => {
  await closeContexts(browser)
  await server.stop()
  await openalex.stop()
})

async function open(options: PageOptions = {}) {
  ;({ page, problems } = await signedInPage(browser, ada, options))
}
/** Generates recommendations by the API, unless an earlier test has done this. */
async function generated() {
  const { count } = await ada.json<{ count: number }>(api.recommendations({ project_id: project.id }))
  if (count > 0) return
  const { data } = await ada.json<{ data: { id: string } }>(api.recommendationsGenerate(), {
    body: { project_id: project.id },
  })
  await ada.job(data.id)
}
const generate = () => page.getByRole('button', { name: 'Generate Research', exact: true })
const card = (title: string) => page.getByRole('article', { name: title, exact: true })
const inside = (title: string, name: string) => card(title).getByRole('button', { name, exact: true })
const overviewPanel = () =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: 'Recommended Research' }) })
const notice = (words: string) =>
  page.getByRole('region', { name: 'Notifications' }).filter({ hasText: words }).waitFor()
const cards = () => page.getByRole('article').count()

describe('Discover', () => {
  it('Discover disables its button without a research question, and explains what to do (DISC-01, DISC-03)', async () => {
    await page.goto('/Silent/discover')
    await page.getByText('Set a research question in your project settings to generate research.').waitFor()
    expect(await generate().isDisabled()).toBe(true)
    expect(await accessibilityProblems(page)).toEqual([])
    await page.getByRole('button', { name: 'Set a research question' }).click()
    await page.getByRole('dialog').getByLabel('Research question').fill('Do naps help?')
    await page.getByRole('dialog').getByRole('button', { name: 'Save Changes' }).click()
    await page.locator('p').getByText('Do naps help?').waitFor()
    expect(await generate().isEnabled()).toBe(true)
  })

  it('Discover generates with progress, shows cards with reasons, dismisses a card and restores it (DISC-02, DISC-04, DISC-05, STATE-22, STATE-23)', async () => {
    await page.goto('/Sleep/discover')
    await page.getByRole('heading', { name: 'No recommendations yet.' }).waitFor()
    // The slow service leaves a busy page enough time to show the progress.
    openalex.misbehave({ slowMs: 1000 })
    await generate().click()
    await page.getByText(/^Searching OpenAlex/).waitFor()
    await page.getByRole('progressbar', { name: 'Generating research' }).waitFor()
    expect(await generate().isDisabled()).toBe(true)
    openalex.reset()
    await notice('Research generated')
    await card(SLOW_WAVES).waitFor()
    const count = await cards()
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(`Discover${count}`)
    const first = card(SLOW_WAVES)
    await first.getByText('September 30, 2016').waitFor()
    await first.getByText(/^Slow-wave activity during sleep fell with age/).waitFor()
    await first.getByText('Mentions declarative memory, adults and sleep. Cited 240 times.').waitFor()
    const doi = first.getByRole('link', { name: `DOI of ${SLOW_WAVES}` })
    expect(await doi.getAttribute('href')).toBe('https://doi.org/10.5555/slowwaves.2016')
    expect(await page.getByRole('link', { name: /^PDF of Overnight/ }).getAttribute('href')).toBe(
      'https://example.org/ripples.pdf',
    )
    /** Runs `act` and waits until the server has stored its change. The page shows the change before it is stored. */
    const storing = async (act: () => Promise<void>) => {
      const stored = page.waitForResponse((response) => response.request().method() === 'PATCH')
      await act()
      await stored
    }
    await storing(() => inside(SLOW_WAVES, 'Dismiss').click())
    // The focus moves to 'Undo', so that one key reverts the dismissal.
    await page.waitForFunction(() => document.activeElement?.textContent === 'Undo')
    await storing(() => page.keyboard.press('Enter'))
    await inside(SLOW_WAVES, 'Dismiss').waitFor()
    await storing(() => inside(SLOW_WAVES, 'Dismiss').click())
    await inside(SLOW_WAVES, 'Undo').waitFor()
    await page.reload()
    await card(REVIEW).waitFor()
    expect(await cards()).toBe(count - 1)
    expect(await card(SLOW_WAVES).count()).toBe(0)
  })

  it('A late response with the former list does not revert a dismissal', async () => {
    await generated()
    await page.goto('/Sleep/overview')
    await overviewPanel().getByRole('listitem').first().waitFor()
    onTestFinished(() => page.unrouteAll({ behavior: 'ignoreErrors' }))
    const delayed = await delayUntilChange(page, /recommendations\?/, /recommendations\/[^/?]+$/)
    // The page shows the cached list while it fetches it.
    await page.getByRole('link', { name: 'Visit Discover' }).click()
    await card(REVIEW).waitFor()
    await expect.poll(delayed).toBeGreaterThan(0)
    const stored = page.waitForResponse((response) => response.request().method() === 'PATCH')
    await inside(REVIEW, 'Dismiss').click()
    await stored
    // The page then fetches the list again, which does not contain the dismissed card.
    await expect.poll(() => card(REVIEW).count()).toBe(0)
    await page.unrouteAll({ behavior: 'wait' })
    // The next test needs the card.
    const dismissed = api.recommendations({ project_id: project.id, status: 'rejected' })
    const { data } = await ada.json<{ data: Recommendation[] }>(dismissed)
    const { id } = data.find(({ title }) => title === REVIEW)!
    await ada.json(api.recommendation(id), { method: 'PATCH', body: { status: 'pending' } })
  })

  it('Discover adds a paper to the project, and recommends neither it nor a dismissed paper later (DISC-02)', async () => {
    await generated()
    await page.goto('/Sleep/discover')
    await inside(REVIEW, 'Add to project').click()
    await card(REVIEW).getByRole('link', { name: 'Open document' }).waitFor()
    await generate().click()
    await notice('No new papers found')
    expect(await card(REVIEW).count()).toBe(0)
    await page.goto('/Sleep/documents')
    await page.getByRole('link', { name: REVIEW }).first().waitFor()
    expect(problems).toEqual([])
  })

  it('The overview names the first recommended papers and links to Discover (OVER-06)', async () => {
    await generated()
    await page.goto('/Sleep/overview')
    await overviewPanel().getByRole('listitem').first().waitFor()
    expect(await overviewPanel().getByRole('listitem').count()).toBe(4)
    await overviewPanel().getByRole('link', { name: 'Visit Discover' }).click()
    await page.waitForURL('**/Sleep/discover')
    await page.getByRole('article').first().waitFor()
  })

  it('Discover reports failures, and reverts changes that the server refuses (MSG-63, MSG-64, MSG-65, MSG-66, MSG-67)', async () => {
    await generated()
    await page.goto('/Sleep/discover')
    openalex.misbehave({ status: 403 })
    await generate().click()
    await notice('Error generating researchOpenAlex refuses this installation’s key.')
    // The toast disappears; the reason stays until the next search.
    await page.locator('main').getByText('OpenAlex refuses this installation’s key.').waitFor()
    openalex.reset()
    const refused = { error: { code: 'internal', message: 'An unknown error occurred.' } }
    await page.route('**/api/recommendations/*', (route) => route.fulfill({ status: 500, json: refused }))
    const title = (await page.getByRole('article').first().getAttribute('aria-labelledby'))!
    const name = (await page.locator(`[id="${title}"]`).textContent())!
    await inside(name, 'Dismiss').click()
    await notice('Error updating recommendation')
    await inside(name, 'Dismiss').waitFor()
    await page.unroute('**/api/recommendations/*')

    const job = (await ada.json<{ data: object[] }>(api.jobs({ project_id: project.id, kind: 'research' }))).data[0]!
    const ended = (error: string) => ({ ...job, id: crypto.randomUUID(), status: 'failed', result: null, error })
    await page.route('**/api/recommendations/generate', (route) =>
      route.fulfill({ status: 202, json: { data: ended('Error saving recommendations') } }),
    )
    await generate().click()
    await notice('Error saving recommendations')
    await page.unroute('**/api/recommendations/generate')
    await page.route('**/api/recommendations/generate', (route) =>
      route.fulfill({ status: 202, json: { data: ended('') } }),
    )
    await generate().click()
    await notice('Error generating researchFailed to generate research')
    await page.unroute('**/api/recommendations/generate')

    // Another window empties the question. With the new project, this page would disable the button.
    const { promise: seen, resolve: letRefetch } = Promise.withResolvers<void>()
    await page.route('**/api/projects?address=*', async (route) => {
      await seen
      await route.fallback()
    })
    await ada.json(api.project(project.id), { method: 'PATCH', body: { research_question: '' } })
    await generate().click()
    await notice('No research question found')
    await ada.json(api.project(project.id), { method: 'PATCH', body: { research_question: QUESTION } })
    letRefetch()
    await page.unroute('**/api/projects?address=*')

    await page.route('**/api/recommendations?**', (route) => route.fulfill({ status: 500, json: refused }))
    await page.reload()
    await notice('Error loading recommendations')
    await clickAfterFailure(page, page.getByRole('button', { name: 'Retry' }))
    await page.getByRole('article').first().waitFor()
    expect(await page.getByRole('button', { name: 'Retry' }).count()).toBe(0)
  })

  it.each([
    ['1280', { width: 1280 }],
    ['390', { width: 390, height: 844 }],
  ])('Discover keeps every label of a card on one line and inside the card at %s px', async (_, options) => {
    await generated()
    await open(options)
    await page.goto('/Sleep/discover')
    await page.getByRole('article').first().waitFor()
    const boxes = await page.getByRole('article').evaluateAll((articles) =>
      articles.map((article) => {
        const { paddingLeft, paddingRight } = getComputedStyle(article)
        const outer = article.getBoundingClientRect()
        const labels = [...article.querySelectorAll('b, time, a:not(h2 a, p a), button[data-slot=button]')].map(
          (label) => {
            const words = document.createRange()
            words.selectNodeContents(label)
            const lines = new Set([...words.getClientRects()].map(({ top }) => Math.round(top))).size
            const { left, right } = label.getBoundingClientRect()
            return { label: label.textContent, lines, left, right }
          },
        )
        const left = outer.left + parseFloat(paddingLeft)
        const right = outer.right - parseFloat(paddingRight)
        return { left, right, labels }
      }),
    )
    const labels = boxes.flatMap((card) => card.labels)
    expect(labels.map(({ label }) => label)).toContain('Why')
    expect(labels.filter(({ lines }) => lines !== 1)).toEqual([])
    for (const card of boxes) {
      for (const { left, right } of card.labels) {
        expect(left).toBeGreaterThanOrEqual(card.left - 1.5)
        expect(right).toBeLessThanOrEqual(card.right + 1.5)
      }
      const add = card.labels.find(({ label }) => label === 'Add to project')
      expect(Math.abs(add!.right - card.right)).toBeLessThan(1.5)
    }
  })

  it.each([
    ['light', {}],
    ['dark, on a phone', { dark: true, width: 390, height: 844 }],
  ])('Discover is accessible and fits the screen: %s (DISC-02)', async (_, options) => {
    await generated()
    await open(options)
    await page.goto('/Sleep/discover')
    await page.getByRole('article').first().waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
    expect(problems).toEqual([])
  })
})
