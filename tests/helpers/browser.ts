import { existsSync, readFileSync } from 'node:fs'
import type axeCore from 'axe-core'
import {
  type Browser,
  type BrowserContext,
  chromium,
  type Download,
  type Locator,
  type Page,
  type Request,
} from 'playwright-core'
import { api } from '#shared/contract/paths.ts'
import type { Client } from './client.ts'
import { insertSession } from './stored-account.ts'

/** Debian's paths of Chromium, used if CHROMIUM is not set. `npm test` sets CHROMIUM; a run of a single test file does not. */
const PLACES = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']
const CHROMIUM = process.env['CHROMIUM'] || PLACES.find((path) => existsSync(path))!

/**
 * The source of axe, a checker of accessibility. The minified file has half as many characters to send to each page and to
 * compile there.
 */
const AXE = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

const SESSION_COOKIE = 'lectern.session_token'

/** Options of a headless browser. Chromium's sandbox needs rights that containers and root lack. */
const LAUNCH = {
  executablePath: CHROMIUM,
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-dev-shm-usage',
    '--disable-background-networking',
    '--no-first-run',
  ],
}

let browserOfWorker: Promise<Browser> | undefined

/**
 * Returns the browser of this worker process, which the test files of the process share. It ends with the process. Close the
 * contexts of a file with `closeContexts`.
 */
export function openBrowser(): Promise<Browser> {
  browserOfWorker ??= chromium.launch(LAUNCH)
  return browserOfWorker
}

/** Closes all pages and contexts of a browser. */
export async function closeContexts(browser: Browser | undefined): Promise<void> {
  await Promise.all((browser?.contexts() ?? []).map((context) => context.close()))
}

/** Options of a page. The default is a light screen of 1280 by 800 CSS pixels. */
export interface PageOptions {
  baseURL?: string
  dark?: boolean
  width?: number
  height?: number
  /** Time zone of the browser, for example 'America/New_York'. The default is UTC. */
  timezone?: string
}

/**
 * A page and its problems: uncaught errors, console errors (including violations of the content security policy) and requests
 * to other sites.
 */
export interface TestPage {
  page: Page
  context: BrowserContext
  problems: string[]
}

/** Opens a page in a new context, which shares no cookies, storage or cache with other contexts. */
export async function newPage(browser: Browser, options: PageOptions = {}): Promise<TestPage> {
  const context = await browser.newContext({
    viewport: { width: options.width ?? 1280, height: options.height ?? 800 },
    colorScheme: options.dark ? 'dark' : 'light',
    locale: 'en-GB',
    timezoneId: options.timezone ?? 'UTC',
    reducedMotion: 'reduce',
    ...(options.baseURL === undefined ? {} : { baseURL: options.baseURL }),
  })
  context.setDefaultTimeout(120_000)
  const page = await context.newPage()
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(`error: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`console: ${message.text()}`)
  })
  // The console reports the requests that the content policy refused.
  context.on('request', (request) => {
    const { protocol, origin } = new URL(request.url())
    if (protocol.startsWith('http') && options.baseURL && origin !== new URL(options.baseURL).origin)
      problems.push(`request to another site: ${request.url()}`)
  })
  return { page, context, problems }
}

/** Opens an empty page of a signed-in user in a new context. Signs in without the sign-in screen, which has its own tests. */
export async function signedInPage(browser: Browser, client: Client, options: PageOptions = {}): Promise<TestPage> {
  const opened = await newPage(browser, { baseURL: client.url, ...options })
  await signInContext(opened.context, client)
  return opened
}

/** Signs a context in with a new session of a user. */
export async function signInContext(context: BrowserContext, { url, email, password, userId }: Client): Promise<void> {
  const token = await insertSession(url, userId)
  if (token !== null) {
    const value = encodeURIComponent(token)
    return context.addCookies([{ name: SESSION_COOKIE, value, url, httpOnly: true, sameSite: 'Lax' }])
  }
  const answer = await context.request.post(api.signIn(), { data: { email, password }, headers: { origin: url } })
  if (!answer.ok()) throw new Error(`The sign-in of ${email} answered ${answer.status()}.`)
}

/**
 * Delays the responses with the addresses `list` until the page sends a request with an address `change`, which is sent to the
 * server when a delayed response has arrived or the page has cancelled it. Returns a function that returns the number of
 * delayed responses.
 */
export async function delayUntilChange(page: Page, list: RegExp, change: RegExp): Promise<() => number> {
  let delayed = 0
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  const isOver = new Promise<void>((resolve) => {
    const end = (request: Request) => (list.test(request.url()) ? resolve() : undefined)
    page.on('requestfinished', end)
    page.on('requestfailed', end)
  })
  await page.route(list, async (route) => {
    const response = await route.fetch()
    delayed += 1
    await released
    // Fails if the page has cancelled the request.
    await route.fulfill({ response }).catch(() => undefined)
  })
  await page.route(change, async (route) => {
    release()
    await isOver
    await route.continue()
  })
  return () => delayed
}

/**
 * Clicks `button`, such as 'Try again', on a page on which a test makes API requests fail with `page.route`. The click ends
 * these failures: from then on, all API requests reach the server. The failing routes must still be active before the click,
 * because the page may reload by itself, succeed, and remove the button. Removes all routes at the end.
 */
export async function clickAfterFailure(page: Page, button: Locator): Promise<void> {
  await page.evaluate(() => {
    const state = Object.assign(window, { clickedAfterFailure: false })
    addEventListener('click', () => (state.clickedAfterFailure = true), { capture: true, once: true })
  })
  const clicked = () => page.evaluate(() => (window as unknown as { clickedAfterFailure: boolean }).clickedAfterFailure)
  await page.route('**/api/**', async (route) => ((await clicked()) ? route.continue() : route.fallback()))
  await button.click()
  await page.unrouteAll({ behavior: 'wait' })
}

/**
 * Ends the session of a page on the server at a defined moment: calls `act`, and signs out as soon as the page sends a request
 * that `isLast` accepts. The page notices this only because the server refuses that request. Waits for the sign-in screen. An
 * earlier sign-out could let another request of the page show the sign-in screen before `act` is complete.
 */
export async function endSessionAt(
  page: Page,
  isLast: (request: Request) => boolean,
  act: () => Promise<void>,
): Promise<void> {
  let hasEnded = false
  await page.route('**/api/**', async (route) => {
    if (!hasEnded && isLast(route.request())) {
      hasEnded = true
      const headers = { origin: new URL(page.url()).origin }
      await page.context().request.post(api.signOut(), { data: {}, headers, failOnStatusCode: true })
    }
    await route.fallback()
  })
  await act()
  await page.waitForURL('**/auth?back=*')
  await page.unrouteAll({ behavior: 'wait' })
}

/** Returns the bytes of a downloaded file. */
export async function bytesOf(download: Download): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of await download.createReadStream()) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}

/**
 * Checks the current page with axe against WCAG 2.2 A and AA. Returns one line for each violated rule, with the first elements
 * that violate it. With `colours`, axe checks only the contrast, which is enough for dark mode: it changes only colors.
 */
export async function accessibilityProblems(page: Page, { colours = false } = {}): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE)
  // Returns only the broken rules from the page: the transfer of the whole result takes half as long as the check.
  const violations = await page.evaluate(
    async (runOnly) => {
      const { axe } = window as unknown as { axe: typeof axeCore }
      return (await axe.run({ resultTypes: ['violations'], runOnly })).violations
    },
    colours
      ? { type: 'rule' as const, values: ['color-contrast'] }
      : { type: 'tag' as const, values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] },
  )
  return violations.map(({ id, help, nodes }) => {
    const places = nodes.slice(0, 3).map((node) => node.target.join(' '))
    return `${id}: ${help} (${places.join(', ')}${nodes.length > 3 ? `, and ${nodes.length - 3} more` : ''})`
  })
}
