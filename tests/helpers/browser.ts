import { existsSync } from 'node:fs'
import { AxeBuilder } from '@axe-core/playwright'
import { type Browser, type BrowserContext, chromium, type Download, type Page } from 'playwright-core'
import { api } from '#shared/contract/paths.ts'
import type { Client } from './client.ts'

/** The machine's own Chromium, as `npm test` found it; alone, a test takes Debian's places for it. */
const PLACES = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']
const CHROMIUM = process.env['CHROMIUM'] || PLACES.find((path) => existsSync(path))!

/** How a browser without a window is started. Chromium's sandbox needs rights that containers and root do not give it. */
export const LAUNCH = {
  executablePath: CHROMIUM,
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-dev-shm-usage',
    '--disable-background-networking',
    '--no-first-run',
  ],
}

/** The browser of this run (tests/helpers/one-browser.ts), or one of its own where there is none; closing it ends its contexts. */
export function openBrowser(): Promise<Browser> {
  const address = process.env['TEST_BROWSER']
  return address ? chromium.connect(address) : chromium.launch(LAUNCH)
}

/** How a page differs from the usual one: a light screen of 1280 by 800 CSS pixels. */
export interface PageOptions {
  baseURL?: string
  dark?: boolean
  width?: number
  height?: number
}

/** A page that gathers what went wrong in it: uncaught errors, console errors, and refusals of the content policy. */
export interface TestPage {
  page: Page
  context: BrowserContext
  problems: string[]
}

/** Opens a page in a context of its own: no cookies or storage are shared with any other. */
export async function newPage(browser: Browser, options: PageOptions = {}): Promise<TestPage> {
  const context = await browser.newContext({
    viewport: { width: options.width ?? 1280, height: options.height ?? 800 },
    colorScheme: options.dark ? 'dark' : 'light',
    locale: 'en-GB',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
    ...(options.baseURL === undefined ? {} : { baseURL: options.baseURL }),
  })
  context.setDefaultTimeout(60_000)
  const page = await context.newPage()
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(`error: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`console: ${message.text()}`)
  })
  // What would leave this server; that the content policy refused something, the console has said.
  context.on('request', (request) => {
    const { protocol, origin } = new URL(request.url())
    if (protocol.startsWith('http') && options.baseURL && origin !== new URL(options.baseURL).origin)
      problems.push(`request to another site: ${request.url()}`)
  })
  return { page, context, problems }
}

/**
 * A page, still empty, of somebody who has signed in. The sign-in screen has tests of its own: this goes past it.
 */
export async function signedInPage(browser: Browser, client: Client, options: PageOptions = {}): Promise<TestPage> {
  const opened = await newPage(browser, { baseURL: client.url, ...options })
  const { email, password } = client
  const answer = await opened.context.request.post(api.signIn(), {
    data: { email, password },
    headers: { origin: client.url },
  })
  if (!answer.ok()) throw new Error(`The sign-in of ${email} answered ${answer.status()}.`)
  return opened
}

/** The bytes of a file that the page gave the person to keep. */
export async function bytesOf(download: Download): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of await download.createReadStream()) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}

/**
 * What axe finds against WCAG 2.2 A and AA in the page as it stands: one line for each broken rule and its first
 * elements; empty when it finds nothing. With `colours` only contrast is judged: all that differs in the dark.
 */
export async function accessibilityProblems(page: Page, { colours = false } = {}): Promise<string[]> {
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
  // All in the page itself, which has no frames of other sites: otherwise every look opens a page of its own to sum up.
  const axe = new AxeBuilder({ page }).setLegacyMode(true).options({ resultTypes: ['violations'] })
  const { violations } = await (colours ? axe.withRules(['color-contrast']) : axe.withTags(tags)).analyze()
  return violations.map(({ id, help, nodes }) => {
    const places = nodes.slice(0, 3).map((node) => node.target.join(' '))
    return `${id}: ${help} (${places.join(', ')}${nodes.length > 3 ? `, and ${nodes.length - 3} more` : ''})`
  })
}
