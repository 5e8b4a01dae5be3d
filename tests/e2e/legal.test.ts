import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accessibilityProblems, closeContexts, newPage, openBrowser, type TestPage } from '#tests/helpers/browser.ts'
import { startServer, type TestServer } from '#tests/helpers/server.ts'

const SETTINGS = {
  PRODUCT_NAME: 'Reading Room',
  COMPANY_NAME: 'Fenwick',
  SUPPORT_EMAIL: 'help@fenwick.example',
  PRIVACY_EMAIL: 'privacy@fenwick.example',
}
const PAGES = [
  ['/terms', 'Terms and Conditions'],
  ['/privacy', 'Privacy Policy'],
  ['/cookies', 'Cookie Notice'],
] as const

let server: TestServer
let browser: Browser
let opened: TestPage
beforeAll(async () => {
  server = await startServer({ env: SETTINGS })
  browser = await openBrowser()
  opened = await newPage(browser, { baseURL: server.url })
})
afterAll(async () => {
  await closeContexts(browser)
  await server.stop()
})

/** Opens a page and returns its text, with single spaces. */
async function wordsOf(path: string) {
  await opened.page.goto(path)
  await opened.page.getByText('Fenwick').first().waitFor()
  return (await opened.page.getByRole('main').innerText()).replaceAll(/\s+/g, ' ')
}

describe('a visitor', () => {
  it.each(PAGES)(
    'A visitor reads %s, last updated March 2025, without a session (LEGAL-01, LEGAL-02, LEGAL-03)',
    async (path, title) => {
      const words = await wordsOf(path)
      await opened.page.getByRole('heading', { name: title, level: 1 }).waitFor()
      expect(words).toContain('Last updated March 2025')
      expect(new URL(opened.page.url()).pathname).toBe(path)
      expect(await accessibilityProblems(opened.page)).toEqual([])
    },
  )
})

describe('the content of the texts', () => {
  it.each([
    ['/terms', /governed by the law of the United Kingdom/, 'UK law (LEGAL-04)'],
    [
      '/privacy',
      /UK General Data Protection Regulation and the Data Protection Act 2018/,
      'UK data protection (LEGAL-04)',
    ],
    [
      '/terms',
      /You keep all rights to the documents.*you grant us a worldwide.*licence/,
      'rights and licence (LEGAL-05)',
    ],
    ['/terms', /terminate an account without notice/, 'termination without notice (LEGAL-06)'],
    ['/terms', /children under the age of 13/, 'the age limit (LEGAL-07)'],
    ['/privacy', /children under the age of 13/, 'the age limit (LEGAL-07)'],
    ['/terms', /at least 30 days' notice of a material change/, "30 days' notice (LEGAL-08)"],
    ['/cookies', /Analytics.*Cloud-drive sign-in.*Cloud backend/, 'the third-party cookies (LEGAL-10)'],
    [
      '/cookies',
      /sets two cookies, and a third one.*earlier sign-ins.*by another provider \(cookie\).*local and session storage/,
      'everything that is kept in the browser (LEGAL-15)',
    ],
    [
      '/cookies',
      /By default no third-party cookie is set.*only if the operator of this installation enables/,
      'when they are set (LEGAL-11)',
    ],
    ['/privacy', /Do Not Track.*we do not honour it/, 'Do Not Track (LEGAL-13)'],
    ['/cookies', /Do Not Track.*is not honoured/, 'Do Not Track (LEGAL-13)'],
    ['/privacy', /Please contact us at privacy@fenwick.example to use these rights/, 'data rights (LEGAL-14)'],
  ])(
    '%s says %s: %s (LEGAL-04, LEGAL-05, LEGAL-06, LEGAL-07, LEGAL-08, LEGAL-10, LEGAL-11, LEGAL-13, LEGAL-14)',
    async (path, words) => {
      expect(await wordsOf(path)).toMatch(words)
    },
  )

  it('The legal pages contain the addresses of the operator as links (LEGAL-09, NAV-12)', async () => {
    for (const [path, address] of [
      ['/terms', SETTINGS.SUPPORT_EMAIL],
      ['/privacy', SETTINGS.PRIVACY_EMAIL],
      ['/privacy', SETTINGS.SUPPORT_EMAIL],
      ['/cookies', SETTINGS.PRIVACY_EMAIL],
    ]) {
      await wordsOf(path!)
      const link = opened.page.getByRole('link', { name: address!, exact: true }).first()
      expect(await link.getAttribute('href')).toBe(`mailto:${address}`)
    }
  })

  it('The legal pages are written for this product, in full sentences (LEGAL-15)', async () => {
    for (const [path] of PAGES) {
      await wordsOf(path)
      const texts = await opened.page.locator('main section > div > p').allInnerTexts()
      expect(texts.length).toBeGreaterThan(4)
      for (const text of texts) expect(text).toMatch(/([.:]|you will not)$/)
    }
    expect(await wordsOf('/terms')).toContain('Reading Room stores research projects and papers')
  })
})

describe('a first visit', () => {
  it('A first visit sets no third-party cookie and requests nothing from other sites (LEGAL-12)', async () => {
    const { page, context } = await newPage(browser, { baseURL: server.url })
    const others: string[] = []
    page.on('request', (request) => request.url().startsWith(server.url) || others.push(request.url()))
    for (const [path] of PAGES) await page.goto(path, { waitUntil: 'networkidle' })
    expect(await context.cookies()).toEqual([])
    expect(others).toEqual([])
    await context.close()
  })
})
