import { readFile } from 'node:fs/promises'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { api } from '#shared/contract/paths.ts'
import { accessibilityProblems, closeContexts, newPage, openBrowser, type TestPage } from '#tests/helpers/browser.ts'
import { signUp, startServer, type TestServer } from '#tests/helpers/server.ts'

/**
 * Every screen of a researcher with content, in light mode, in dark mode and on a narrow screen: axe finds no problem,
 * nothing scrolls horizontally, and the console is empty. Other tests check the functions of the screens.
 */
const NAME = 'Sleep & memory'
const home = `/${encodeURIComponent(NAME)}`

let server: TestServer
let browser: Browser
let documentId = ''
let account: { email: string; password: string }
beforeAll(async () => {
  server = await startServer()
  // The first account is an admin; a researcher is not.
  await signUp(server.url)
  const ada = await signUp(server.url, { email: 'ada.lovelace@example.org' })
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
afterAll(async () => {
  await closeContexts(browser)
  await server.stop()
})

/** The address of each screen, and the heading that shows that it is loaded. */
const screens = (): [string, string | RegExp][] => [
  ['/projects', 'Projects'],
  ['/projects/deleted', 'Recently deleted'],
  [`${home}/overview`, NAME],
  [`${home}/documents`, 'Documents'],
  [`${home}/documents?search=nothing+like+this`, 'Documents'],
  [`${home}/document/${documentId}`, /^Evening group walking/],
  [`${home}/document/${documentId}/edit`, /./],
  [`${home}/document/${documentId}/chat`, /./],
  [`${home}/document/none`, 'Document not found'],
  [`${home}/feed`, 'Feed'],
  [`${home}/discover`, 'Discover'],
  [`${home}/reports`, 'Reports'],
  [`${home}/people`, 'People'],
  ['/profile', 'Your Profile'],
  ['/settings', 'Settings'],
  ['/terms', 'Terms and Conditions'],
  ['/privacy', 'Privacy Policy'],
  ['/cookies', 'Cookie Notice'],
  ['/No project/overview', 'Project not found'],
  ['/no/such/page', 'Oops! Page not found'],
]

describe.each([
  ['light', { width: 1280, height: 800 }],
  ['dark', { width: 1280, height: 800, dark: true }],
  ['light at 390 px', { width: 390, height: 844 }],
] as const)('%s', (kind, options) => {
  let opened: TestPage
  beforeAll(async () => {
    opened = await newPage(browser, { baseURL: server.url, ...options })
  })
  afterAll(() => opened.context.close())

  it('The sign-in screen is accessible, as wide as the window and without errors', async () => {
    await opened.page.goto('/auth')
    await opened.page.getByRole('tab', { name: 'Sign Up' }).click()
    await faultless('/auth')
    await opened.page.getByRole('tab', { name: 'Sign In' }).click()
    await faultless('/auth')
    await opened.page.getByLabel('Email').fill(account.email)
    await opened.page.getByLabel('Password', { exact: true }).fill(account.password)
    await opened.page.getByRole('button', { name: 'Sign In', exact: true }).click()
    await opened.page.waitForURL('**/projects')
  })

  it('Every other screen is accessible, as wide as the window and without errors', async () => {
    const found: string[] = []
    for (const [path, heading] of screens()) {
      await opened.page.goto(path)
      await opened.page.getByRole('heading', { name: heading }).first().waitFor()
      await opened.page.getByRole('button', { name: 'User menu' }).waitFor()
      await opened.page.locator('[data-slot=spinner]').first().waitFor({ state: 'detached' })
      found.push(...(await faults(path)))
    }
    expect(found).toEqual([])
  })

  const faultless = async (path: string) => expect(await faults(path)).toEqual([])

  async function faults(path: string): Promise<string[]> {
    const { page, problems } = opened
    const folder = process.env['SCREENSHOTS']
    if (folder) await page.screenshot({ path: `${folder}/${`${kind} ${path}`.replaceAll(/\W+/g, '-')}.png` })
    const overhang = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    const wide = await overhang()
    let wideAt360 = 0
    if (options.width < 768) {
      await page.setViewportSize({ ...options, width: 360 })
      wideAt360 = await overhang()
      await page.setViewportSize(options)
    }
    return [
      ...(wide > 0 ? [`scrolls sideways by ${wide} px`] : []),
      ...(wideAt360 > 0 ? [`scrolls sideways by ${wideAt360} px at 360 px`] : []),
      ...(await accessibilityProblems(page, { colours: kind === 'dark' })),
      // The API answers 404 for a missing document, which every browser logs.
      ...problems.splice(0).filter((line) => !(path.endsWith('/none') && line.includes('404'))),
    ].map((fault) => `${path}: ${fault}`)
  }
})
