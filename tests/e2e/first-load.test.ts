import type { Browser, Request } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { api, pages } from '#shared/contract/paths.ts'
import { closeContexts, newPage, openBrowser, signInContext } from '#tests/helpers/browser.ts'
import { importReferences } from '#tests/helpers/reference-file.ts'
import { type Client, signUp } from '#tests/helpers/server.ts'
import { sharedServer } from '#tests/helpers/shared-server.ts'

/**
 * The first visit of a screen with an empty cache: its requests and its bytes, which depend on the built files only. No
 * time is measured.
 */
const NAME = 'Walking'

const server = sharedServer()
let browser: Browser
let ada: Client
beforeAll(async () => {
  ada = await signUp(server.url)
  const { data: project } = await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: NAME } })
  const records = Array.from(
    { length: 25 },
    (_, index) => `TY  - JOUR\nTI  - A walk ${index}\nAU  - Lee, Ann\nER  - \n`,
  )
  await importReferences(ada, project.id, { 'walks.ris': records.join('\n') })
  browser = await openBrowser()
})
afterAll(() => closeContexts(browser))

it.each([
  { address: pages.auth(), visible: 'Sign in to Lectern', signedIn: false, most: 290_000 },
  { address: pages.projects(), visible: NAME, signedIn: true, most: 325_000 },
  { address: pages.documents(NAME), visible: 'A walk', signedIn: true, most: 350_000 },
])(
  'The first visit of $address loads four scripts and at most $most bytes',
  async ({ address, visible, signedIn, most }) => {
    const { page, context } = await newPage(browser, { baseURL: server.url })
    if (signedIn) await signInContext(context, ada)
    const finished: Request[] = []
    page.on('requestfinished', (request) => finished.push(request))
    await page.goto(address)
    await page.getByText(visible).first().waitFor()
    await page.evaluate(() => document.fonts.ready)
    const sizes = await Promise.all(finished.map((request) => request.sizes()))
    const bytes = sizes.reduce(
      (sum, { responseBodySize, responseHeadersSize }) => sum + responseBodySize + responseHeadersSize,
      0,
    )
    expect(bytes).toBeGreaterThan(100_000)
    expect(bytes).toBeLessThanOrEqual(most)
    const loaded = finished.filter(
      (request) => request.url().includes('/assets/') && request.resourceType() === 'script',
    )
    expect(loaded.map((request) => request.url())).toHaveLength(4)
  },
)
