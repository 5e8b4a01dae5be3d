import type { Browser, Request } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { api, pages } from '#shared/contract/paths.ts'
import { closeContexts, newPage, openBrowser, signInContext } from '#tests/helpers/browser.ts'
import { importReferences } from '#tests/helpers/reference-file.ts'
import { type Client, signUp } from '#tests/helpers/server.ts'
import { sharedServer } from '#tests/helpers/shared-server.ts'

/**
 * This file tests the first visit of a screen with an empty cache: it limits the number of requests that start before the data
 * is visible, and their bytes. No duration is measured, so the result depends only on the code and the built files. Requests
 * for minor parts of a screen start later (web/lib/first-answers.ts).
 */

const NAME = 'Walking'

const server = sharedServer()
let browser: Browser
let ada: Client
let paper: string
beforeAll(async () => {
  ada = await signUp(server.url)
  const { data: project } = await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: NAME } })
  const records = Array.from(
    { length: 25 },
    (_, index) => `TY  - JOUR\nTI  - A walk ${index}\nAU  - Lee, Ann\nER  - \n`,
  )
  await importReferences(ada, project.id, { 'walks.ris': records.join('\n') })
  const { data: rows } = await ada.json<{ data: { id: string }[] }>(api.documents({ project_id: project.id }))
  paper = rows[0]!.id
  browser = await openBrowser()
})
afterAll(() => closeContexts(browser))

it.each([
  { address: pages.auth(), visible: 'Sign in to Lectern', signedIn: false, most: { requests: 13, bytes: 271_000 } },
  { address: pages.projects(), visible: NAME, signedIn: true, most: { requests: 17, bytes: 264_000 } },
  { address: pages.documents(NAME), visible: 'A walk', signedIn: true, most: { requests: 18, bytes: 312_000 } },
  {
    address: pages.overview(NAME),
    visible: 'Recommended Research',
    signedIn: true,
    most: { requests: 21, bytes: 280_000 },
  },
  {
    address: pages.document(NAME, ':paper'),
    visible: 'A walk',
    signedIn: true,
    most: { requests: 24, bytes: 321_000 },
  },
  { address: `/${NAME}/search?q=walk`, visible: 'A walk', signedIn: true, most: { requests: 28, bytes: 343_000 } },
])(
  'The first visit of $address shows its data after at most $most.requests requests and $most.bytes bytes',
  async ({ address, visible, signedIn, most }) => {
    const { page, context } = await newPage(browser, { baseURL: server.url })
    if (signedIn) await signInContext(context, ada)
    await page.addInitScript(ignoreLongTimeouts)
    await page.addInitScript(noteTime, visible)
    const finished: Request[] = []
    page.on('requestfinished', (request) => finished.push(request))
    await page.goto(address.replace(encodeURIComponent(':paper'), paper))
    await page.getByText(visible).first().waitFor()
    await page.evaluate(() => document.fonts.ready)
    const shownAt = Number(await page.locator('html').getAttribute('data-shown-at'))
    const loaded = finished.filter((request) => request.timing().startTime <= shownAt)
    const sizes = await Promise.all(loaded.map((request) => request.sizes()))
    const bytes = sizes.reduce(
      (sum, { responseBodySize, responseHeadersSize }) => sum + responseBodySize + responseHeadersSize,
      0,
    )
    const addresses = loaded.map((request) => request.url())
    expect(addresses.length, addresses.join('\n')).toBeLessThanOrEqual(most.requests)
    expect(addresses.filter((url) => url.includes('/assets/')).length).toBeGreaterThan(4)
    expect(bytes).toBeGreaterThan(100_000)
    expect(bytes).toBeLessThanOrEqual(most.bytes)
  },
)

/**
 * Runs in the page. Timeouts of a second and longer never fire. Otherwise minor parts of the screen would send their requests
 * on a slow machine before the data is visible (`LONGEST_MS` in web/lib/first-answers.ts).
 */
function ignoreLongTimeouts() {
  const setShortTimeout = window.setTimeout.bind(window)
  window.setTimeout = ((run: TimerHandler, delay = 0, ...rest: unknown[]) =>
    delay < 1_000 ? setShortTimeout(run, delay, ...rest) : 0) as typeof window.setTimeout
}

/**
 * Runs in the page. As soon as the page contains the text, stores the time (ms since 1970) in the attribute `data-shown-at` of
 * its root element.
 */
function noteTime(text: string) {
  const observer = new MutationObserver(() => {
    if (!document.body?.textContent.includes(text)) return
    observer.disconnect()
    document.documentElement.dataset['shownAt'] = String(performance.timeOrigin + performance.now())
  })
  observer.observe(document, { subtree: true, childList: true, characterData: true })
}
