import { readFile } from 'node:fs/promises'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { api } from '#shared/contract/paths.ts'
import { accessibilityProblems, closeContexts, newPage, openBrowser, type TestPage } from '#tests/helpers/browser.ts'
import { signUp } from '#tests/helpers/server.ts'
import { sharedServer } from '#tests/helpers/shared-server.ts'

/**
 * This file opens every screen of a researcher with content, in light mode, in dark mode and on a narrow screen. axe must find
 * no problem, no screen may scroll horizontally, and the console must be empty. Other tests check the functions of the screens.
 */

const NAME = 'Sleep & memory'
const home = `/${encodeURIComponent(NAME)}`

const server = sharedServer()
let browser: Browser
let documentId = ''
let account: { email: string; password: string }
beforeAll(async () => {
  const ada = await signUp(server.url)
  account = ada
  const { data: project } = await ada.json<{ data: { id: string } }>(api.projects(), {
    body: {
      name: NAME,
      description: 'What a short sleep does for what was learned before it.\n\nTrials in adults alone.',
      research_question: 'Does a nap after learning protect memory?',
      tags: ['sleep', 'memory'],
    },
  })
  const paper = await readFile(new URL('../fixtures/paper.pdf', import.meta.url))
  const { id } = await ada.upload(project.id, new File([paper], 'paper.pdf', { type: 'application/pdf' }))
  documentId = id
  for (const [path, body] of [
    [api.documentExtract(id), { method: 'text' }],
    [api.documentAnalyze(id), {}],
    [api.documentVectorize(id), {}],
  ] as const) {
    const { data } = await ada.json<{ data: { id: string } }>(path, { body })
    const { error } = await ada.job(data.id)
    if (error) throw new Error(`${path}: ${error}`)
  }
  // Long words, such as addresses, which must not widen the page.
  const endless = 'x'.repeat(150)
  const post = `https://example.org/${endless}`
  const body = {
    title: `Evening group walking ${endless}`,
    keywords: [endless, 'sleep'],
    insights: [post],
    social_post: post,
    journal_name: endless,
  }
  await ada.json(api.document(id), { method: 'PATCH', body })
  browser = await openBrowser()
})
afterAll(() => closeContexts(browser))

/** Returns the address of each screen, and the heading that is visible when the screen is loaded. */
const screens = (): [string, string | RegExp][] => [
  ['/projects', 'Projects'],
  ['/projects/deleted', 'Recently deleted'],
  [`${home}/overview`, NAME],
  [`${home}/documents`, 'Documents'],
  [`${home}/documents?search=nothing+like+this`, 'Documents'],
  [`${home}/document/${documentId}`, /^Evening group walking/],
  [`${home}/document/${documentId}/edit`, /./],
  [`${home}/document/${documentId}/reference`, /./],
  [`${home}/document/${documentId}/chat`, /./],
  [`${home}/document/none`, 'Document not found'],
  [`${home}/search?q=walking`, 'Search'],
  [`${home}/ask`, 'Ask this project.'],
  [`${home}/feed`, 'Feed'],
  [`${home}/discover`, 'Discover'],
  [`${home}/reports`, 'Reports'],
  [`${home}/lost-places`, 'Lost places'],
  [`${home}/people`, 'People'],
  ['/profile', 'Your Profile'],
  ['/settings', 'Settings'],
  ['/terms', 'Terms and Conditions'],
  ['/privacy', 'Privacy Policy'],
  ['/cookies', 'Cookie Notice'],
  ['/No project/overview', 'Project not found'],
  ['/no/such/page', 'Oops! Page not found'],
]

/** The window sizes and color schemes in which each screen is checked. The app adapts to a change without a reload. */
const VIEWS = [
  { name: 'light', size: { width: 1280, height: 800 }, colorScheme: 'light' },
  { name: 'dark', size: { width: 1280, height: 800 }, colorScheme: 'dark' },
  { name: 'light at 390 px', size: { width: 390, height: 844 }, colorScheme: 'light' },
] as const

describe('in light, in dark and at 390 px', () => {
  let opened: TestPage
  beforeAll(async () => {
    opened = await newPage(browser, { baseURL: server.url })
  })

  it('The sign-in screen is accessible, as wide as the window and without errors', async () => {
    const { page } = opened
    await page.goto('/auth')
    await page.getByRole('tab', { name: 'Sign Up' }).click()
    expect(await faults('/auth')).toEqual([])
    await page.getByRole('tab', { name: 'Sign In' }).click()
    expect(await faults('/auth')).toEqual([])
    await page.getByLabel('Email').fill(account.email)
    await page.getByLabel('Password', { exact: true }).fill(account.password)
    await page.getByRole('button', { name: 'Sign In', exact: true }).click()
    await page.waitForURL('**/projects')
  })

  it('Every other screen is accessible, as wide as the window and without errors', async () => {
    const { page } = opened
    const found: string[] = []
    for (const [path, heading] of screens()) {
      await page.goto(path)
      await page.getByRole('heading', { name: heading }).first().waitFor()
      await page.getByRole('button', { name: 'User menu' }).waitFor()
      await page.locator('[data-slot=spinner]').first().waitFor({ state: 'detached' })
      found.push(...(await faults(path)))
    }
    expect(found).toEqual([])
  })

  /** Checks the loaded screen in every view of VIEWS, and returns its faults. Leaves the page in the last view. */
  async function faults(path: string): Promise<string[]> {
    const found: string[] = []
    for (const view of VIEWS) found.push(...(await faultsOf(path, view)))
    // The API answers 404 for a missing document, which every browser logs.
    const errors = opened.problems.splice(0).filter((line) => !(path.endsWith('/none') && line.includes('404')))
    return [...found, ...errors.map((line) => `${path}: ${line}`)]
  }

  async function faultsOf(path: string, { name, size, colorScheme }: (typeof VIEWS)[number]): Promise<string[]> {
    const { page } = opened
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize(size)
    await page.locator(colorScheme === 'dark' ? 'html.dark' : 'html:not(.dark)').waitFor()
    const folder = process.env['SCREENSHOTS']
    if (folder) await page.screenshot({ path: `${folder}/${`${name} ${path}`.replaceAll(/\W+/g, '-')}.png` })
    const overhang = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    const wide = await overhang()
    let wideAt360 = 0
    if (size.width < 768) {
      await page.setViewportSize({ ...size, width: 360 })
      wideAt360 = await overhang()
      await page.setViewportSize(size)
    }
    return [
      ...(wide > 0 ? [`scrolls sideways by ${wide} px`] : []),
      ...(wideAt360 > 0 ? [`scrolls sideways by ${wideAt360} px at 360 px`] : []),
      ...(await accessibilityProblems(page, { colours: colorScheme === 'dark' })),
    ].map((fault) => `${path}, ${name}: ${fault}`)
  }
})
