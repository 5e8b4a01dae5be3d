import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Journal } from '#shared/contract/journals.ts'
import { api, pages } from '#shared/contract/paths.ts'
import { signUpAdmin } from '#tests/helpers/admin.ts'
import {
  accessibilityProblems,
  clickAfterFailure,
  closeContexts,
  openBrowser,
  signedInPage,
} from '#tests/helpers/browser.ts'
import { body, type FeedServer, item, rss, startFeedServer } from '#tests/helpers/feed-server.ts'
import { type Client, signUp, startServer, type TestServer } from '#tests/helpers/server.ts'
import { type SourceServer, startSourceServer } from '#tests/helpers/source-server.ts'

const COUNT = 420
let openAlex: SourceServer
let site: FeedServer
let server: TestServer
let browser: Browser
let admin: Client
let page: Page
let problems: string[]

beforeAll(async () => {
  openAlex = await startSourceServer()
  openAlex.setCatalogue(COUNT)
  site = await startFeedServer()
  server = await startServer({ env: { OPENALEX_URL: openAlex.url, GUARDED_FETCH_ALLOW: site.host } })
  admin = await signUpAdmin(server)
  browser = await openBrowser()
  ;({ page, problems } = await signedInPage(browser, admin))
})
afterAll(async () => {
  await closeContexts(browser)
  await server.stop()
  await openAlex.stop()
  await site.stop()
})

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' })
const dialog = () => page.getByRole('dialog')
const notice = () => page.getByRole('region', { name: 'Notifications' })
const says = (words: string | RegExp) => notice().getByText(words).first().waitFor()
const dismiss = () => notice().getByRole('button').click()
const rowOf = (name: string) => page.getByRole('row').filter({ hasText: name })
const counts = (n: number) => page.getByRole('heading', { level: 1 }).getByText(String(n), { exact: true }).waitFor()
const clean = async () => expect(await accessibilityProblems(page)).toEqual([])

/** Imports the catalog of journals, unless an earlier test has done this. */
const fillCatalogue = async () => {
  const { count } = await admin.json<{ count: number }>(api.adminCatalogue())
  if (count > 0) return
  await admin.json(api.adminUpdateJournals(), { method: 'POST' })
  const runs = () => admin.json<{ data: { status: string }[] }>(api.adminUpdateJournals())
  await vi.waitFor(async () => expect((await runs()).data[0]?.status).toBe('completed'), { timeout: 60_000 })
}
/** Makes all requests with this method and path fail with status 500 while `during` runs. */
async function failing(path: string, method: string, during: () => Promise<void>) {
  await page.route(path, (route) =>
    route.request().method() === method
      ? route.fulfill({ status: 500, json: { error: { code: 'internal', message: 'Broken on purpose' } } })
      : route.fallback(),
  )
  await during()
  await page.unroute(path)
}

describe('the journal update', () => {
  it('The journal update shows its progress and its result (ADMI-01, ADMI-06, MSG-81, MSG-82, MSG-83)', async () => {
    await page.goto(pages.adminIntegrations())
    await page.getByText('The journals have never been updated.').waitFor()
    await failing(`**${api.adminUpdateJournals()}`, 'POST', async () => {
      await button('Update Journals').click()
      await says('Error Updating Journals')
      await says('Failed to start journal update: Internal Server Error')
    })
    await dismiss()
    const half = openAlex.hold(200)
    await button('Update Journals').click()
    await half.asked
    await page.getByText('47%').waitFor()
    await page.getByText(/of 420 journals · page 2/).waitFor()
    await clean()
    // The user can leave the page and return during the update.
    await page.route(`**${api.adminUpdateJournalsStatus()}`, (route) => route.abort())
    await page.reload()
    await says('Lost connection to the update status stream.')
    await page.unroute(`**${api.adminUpdateJournalsStatus()}`)
    half.release()
    const words = `Processed ${COUNT} journals. Added ${COUNT} new journals and updated 0 existing journals.`
    await says(words)
    await page.getByRole('main').getByText(words).waitFor()
    await rowOf('Completed').waitFor()
    expect(await rowOf('Completed').count()).toBe(1)
    await clean()
  })

  it('The journal update can be cancelled, and shows an error of OpenAlex (ADMI-06, MSG-80)', async () => {
    await page.goto(pages.adminIntegrations())
    const half = openAlex.hold(100)
    await button('Update Journals').click()
    await half.asked
    // A confirmation is shown; 'Continue the update' changes nothing.
    await button('Cancel').click()
    await page.getByRole('alertdialog', { name: 'Cancel the journal update?' }).waitFor()
    await page.getByText('The update can be started again at any time').waitFor()
    await button('Continue the update').click()
    await button('Cancel').click()
    await button('Cancel update').click()
    half.release()
    await page.getByText(/^Cancelled after/).waitFor()
    openAlex.fail(403)
    // The update fails before the page has seen it running, and is reported.
    const runs = `**${api.adminUpdateJournals()}`
    await page.route(runs, async (route) => {
      const latest = async () =>
        (await admin.json<{ data: { status: string }[] }>(api.adminUpdateJournals())).data[0]?.status
      if (route.request().method() === 'GET') await expect.poll(latest).toBe('error')
      await route.fallback()
    })
    await button('Update Journals').click()
    await says('OpenAlex asks for a key, and none is configured here.')
    await page.unroute(runs)
    await page.getByRole('alert').getByText('Error Updating Journals.').waitFor()
    openAlex.fail(undefined)
    const { data } = await admin.json<{ data: { status: string }[] }>(api.adminUpdateJournals())
    expect(data[0]!.status).toBe('error')
    expect(data.length).toBeGreaterThanOrEqual(2)
    expect(await page.getByRole('row').count()).toBe(1 + data.length)
  })
})

describe('the list of journals', () => {
  beforeAll(fillCatalogue)

  it('The list of journals has pages with ellipses and a search, and excludes selected journals (ADMJ-01, ADMJ-04, ADMJ-07, ADMJ-08, MSG-92)', async () => {
    await page.goto(pages.adminJournals())
    await counts(COUNT)
    await button('Page 9').click()
    await page.waitForURL(/page=9/)
    // The next page starts at the top.
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(0)
    await button('Page 5').waitFor({ state: 'hidden' })
    const numbers = await page.getByRole('navigation', { name: 'Pages' }).innerText()
    expect(numbers.split(/\s+/)).toEqual(['Previous', '1', '…', '8', '9', 'Next'])
    await clean()

    // An address with a page beyond the last one shows the last page, and not an empty catalog.
    await page.goto(`${pages.adminJournals()}?page=99`)
    await page.waitForURL(/page=9$/)
    await page
      .getByRole('checkbox', { name: /^Select .*Letters/ })
      .first()
      .waitFor()

    await page.goto(pages.adminJournals('journals'))
    await failing(`**${api.adminCatalogue()}?*`, 'GET', async () => {
      await page.getByLabel('Search journals').fill('optics')
      await says('Search Error')
      await says('Failed to search for journals. Please try again.')
    })
    await dismiss()
    await button('Exclude selected').click()
    await says('No journals selected')
    await says('Please select at least one journal to exclude')
    await dismiss()
    await page.getByLabel('Search journals').fill('optics letters 3')
    await page.getByRole('checkbox', { name: 'Select Optics Letters 303' }).click()
    await page.getByRole('checkbox', { name: 'Select Optics Letters 313' }).click()
    await failing(`**${api.adminExcludedBulk()}`, 'POST', async () => {
      await button('Exclude selected (2)').click()
      await says('Failed to exclude journal')
    })
    await button('Exclude selected (2)').click()
    await says('2 journals excluded')
    await counts(COUNT - 2)
    expect(await rowOf('Optics Letters 303').count()).toBe(0)
  })

  it('The list of exclusions adds and removes journals (ADMX-01, ADMX-02, ADMX-03, ADMX-07, MSG-84, MSG-85, MSG-86)', async () => {
    await failing(`**${api.adminExcluded()}`, 'GET', async () => {
      await page.goto(pages.adminJournals('excluded'))
      await page.getByRole('main').getByText('Failed to load excluded journals').waitFor()
      await clickAfterFailure(page, button('Retry'))
    })
    await rowOf('Optics Letters 303').waitFor()
    await button('Add Exclusion').click()
    await dialog().getByRole('button', { name: 'Exclude' }).click()
    await dialog().getByText('OpenAlex ID is required').waitFor()
    await dialog().getByLabel('OpenAlex ID').fill('https://openalex.org/S1000004')
    await dialog().getByLabel('Reason').fill('Predatory')
    await failing(`**${api.adminExcluded()}`, 'POST', async () => {
      await dialog().getByRole('button', { name: 'Exclude' }).click()
      await says('Failed to add journal to exclusion list')
    })
    await dialog().getByRole('button', { name: 'Exclude' }).click()
    await rowOf('Surgery Letters 4').getByText('Predatory').waitFor()
    await clean()
    const remove = rowOf('Surgery Letters 4').getByRole('button')
    await failing(`**${api.adminExcludedOne('*')}`.replace('%2A', '*'), 'DELETE', async () => {
      await remove.click()
      await says('Failed to remove journal from exclusion list')
    })
    await dismiss()
    await expect.poll(() => remove.isEnabled()).toBe(true)
    await remove.click()
    await says('Journal removed from exclusion list')
    await page.getByRole('tab', { name: 'Journals', exact: true }).click()
    await counts(COUNT - 2)
    expect(page.url()).toContain('tab=journals')
  })

  it('The dialog adds journals from OpenAlex or by hand, and clears its input when it closes (ADMJ-09, ADMJ-10, ADMJ-11, ADMJ-15, ADMJ-17, MSG-87, MSG-88, MSG-96)', async () => {
    await page.goto(pages.adminJournals('journals'))
    await button('Add Journal').click()
    const search = dialog().getByRole('button', { name: 'Search', exact: true })
    const words = dialog().getByLabel('Journal name or ISSN')
    await words.fill('   ')
    expect(await search.isDisabled()).toBe(true)
    await words.fill('letters 42')
    openAlex.setCatalogue(COUNT + 5)
    await failing('**/api/admin/openalex-sources*', 'GET', async () => {
      await search.click()
      await says('Failed to search for journals. Please try again.')
    })
    await search.click()
    await dialog().getByText('In the catalog').first().waitFor()
    await clean()
    await dialog().getByRole('button', { name: 'Add Sleep Letters 420' }).click()
    await says('Journal added')
    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'hidden' })
    await button('Add Journal').click()
    expect(await dialog().getByLabel('Journal name or ISSN').inputValue()).toBe('')
    await dialog().getByRole('tab', { name: 'Add manually' }).click()
    expect(await dialog().getByLabel('ISSN-L').getAttribute('placeholder')).toBe('XXXX-XXXX')
    await dialog().getByRole('button', { name: 'Add Journal' }).click()
    await says('Validation Error')
    await says('Journal name is required')
    await dialog().getByLabel('Name').fill('A journal by hand')
    await failing(`**${api.adminCatalogue()}`, 'POST', async () => {
      await dialog().getByRole('button', { name: 'Add Journal' }).click()
      await says('Failed to add journal')
    })
    await dialog().getByRole('button', { name: 'Add Journal' }).click()
    await page.getByRole('link', { name: 'A journal by hand' }).waitFor()
    expect(await dialog().count()).toBe(0)
  })
})

describe('a journal', () => {
  it('A journal is edited, refreshed, excluded and deleted, each with a notice (ADMJ-19, ADMJ-20, ADMJ-21, ADMJ-25, MSG-89, MSG-91, MSG-93, MSG-94, MSG-95)', async () => {
    const body = { name: 'A journal of its own' }
    const { data } = await admin.json<{ data: { id: string } }>(api.adminCatalogue(), { body })
    await page.goto(pages.adminJournal(data.id))
    await page.getByRole('heading', { level: 1, name: 'A journal of its own' }).waitFor()
    const path = new URL(page.url()).pathname
    const call = `**/api${path}`
    await button('Refresh from OpenAlex').click()
    await says('No OpenAlex ID available for this journal')
    await button('Edit').click()
    const form = page.getByRole('form', { name: 'Edit journal' })
    await form.getByLabel('Name').fill(' ')
    await button('Save Changes').click()
    await form.getByText('Journal name is required').waitFor()
    await form.getByLabel('Name').fill('Another name')
    await form.getByLabel('OpenAlex ID').fill('https://example.org/S1000421')
    await button('Save Changes').click()
    await form.getByText('This is not the OpenAlex ID of a journal, such as S137773608.').waitFor()
    expect(await form.getByLabel('OpenAlex ID').inputValue()).toBe('https://example.org/S1000421')
    await form.getByLabel('Home page').fill('example.org/journal')
    await form.getByLabel('OpenAlex ID').fill('S1000421')
    await form.getByLabel('Works').fill('12')
    await clean()
    await failing(call, 'PATCH', async () => {
      await button('Save Changes').click()
      await says('Failed to update journal details')
    })
    await button('Save Changes').click()
    await says('Journal updated')
    await page.getByRole('link', { name: 'https://example.org/journal' }).waitFor()
    await failing(`${call}/refresh`, 'POST', async () => {
      await button('Refresh from OpenAlex').click()
      await says('Failed to refresh journal information')
    })
    openAlex.fail(404)
    await button('Refresh from OpenAlex').click()
    await says('Failed to fetch journal data from OpenAlex')
    await says('It has no journal with this ID.')
    openAlex.fail(undefined)
    await button('Refresh from OpenAlex').click()
    // Edited fields stay; a released field is filled again.
    await says('Journal refreshed from OpenAlex')
    await page.getByRole('heading', { level: 1, name: 'Another name' }).waitFor()
    const edited = page.getByRole('region', { name: 'Edited fields' })
    await edited.getByText('Edited by administrators: home page, name, and works.').waitFor()
    await clean()
    await edited.getByRole('button', { name: 'Give name back to OpenAlex' }).click()
    await edited.getByText('Edited by administrators: home page and works.').waitFor()
    await button('Refresh from OpenAlex').click()
    await page.getByRole('heading', { level: 1, name: 'Botany Letters 421' }).waitFor()
    await button('Exclude').click()
    await page.getByText('Manually excluded. It appears in no list').waitFor()
    await button('Remove from exclusion list').click()
    await button('Exclude').waitFor()
    const question = page.getByRole('alertdialog')
    await button('Delete').click()
    await question.getByText('Are you sure you want to delete this journal? This action cannot be undone.').waitFor()
    await failing(call, 'DELETE', async () => {
      await question.getByRole('button', { name: 'Delete journal' }).click()
      await says('Failed to delete journal')
    })
    await button('Delete').click()
    await question.getByRole('button', { name: 'Delete journal' }).click()
    await page.waitForURL(/\/admin\/journals$/)
    await page.goto(path)
    await page.getByRole('heading', { name: 'Journal not found' }).waitFor()
    expect(await page.getByRole('alert').count()).toBe(1)
  })

  it('A journal shows the first articles of its feed, and the admin who added it (ADMJ-19, ADMJ-22, ADMJ-23, ADMJ-24, MSG-90)', async () => {
    const home = site.set('/home', body('<link rel="alternate" type="application/rss+xml" href="/feed">', 'text/html'))
    const long = `<description>${'A long night. '.repeat(80)}</description>`
    site.set('/feed', body(rss(...Array.from({ length: 8 }, (_, n) => item(`Article ${n}`, n + 1, long)))))
    const user = await signUp(server.url)
    const project = await user.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Naps' } })
    const paper = await user.json<{ data: { id: string } }>(api.documentsSample(), {
      body: { project_id: project.data.id },
    })
    await user.json(api.document(paper.data.id), { method: 'PATCH', body: { journal_name: 'Typed by a user' } })
    const found = await admin.json<{ data: Journal[] }>(api.adminCatalogue({ search: 'Typed by a user' }))
    const { id } = found.data[0]!
    await admin.json(api.adminJournal(id), { method: 'PATCH', body: { homepage_url: home } })
    await failing(`**${api.adminJournal(id)}`, 'GET', async () => {
      await page.goto(pages.adminJournal(id))
      await page.getByRole('main').getByText('Failed to load journal details').waitFor()
      await clickAfterFailure(page, button('Retry'))
    })
    await page.getByText('User-added').waitFor()
    await button('Find the feed').click()
    await page.getByRole('link', { name: 'Article 4' }).waitFor()
    const preview = page.getByRole('region', { name: 'Latest articles' })
    expect(await preview.getByRole('listitem').count()).toBe(5)
    const line = preview.getByText('A long night.').first()
    expect(await line.evaluate((one) => one.clientHeight / Number.parseFloat(getComputedStyle(one).lineHeight))).toBe(3)
    await clean()
    site.set('/feed', body('not a feed', 'text/plain'))
    await page.reload()
    await says('RSS Feed Error')
    await says('Failed to fetch RSS feed. Please check the URL and try again.')
    site.set('/feed', body(rss()))
    await page.reload()
    await page.getByText('No articles found in the RSS feed.').waitFor()
    // All logged refusals are expected.
    expect(problems.filter((one) => !/Failed to load resource|EventSource|ERR_FAILED/.test(one))).toEqual([])
  })
})

describe('a journal that a person added with its feed', () => {
  it('A personal journal is shown without the query of its address, and adopted under an address for all users', async () => {
    const ann = await signUp(server.url)
    const secret = site.set('/lab?token=SECRET123', body(rss(item('For Ann'))))
    const project = await ann.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Lab' } })
    const opml = `<opml version="2.0"><body><outline text="Labnotes" xmlUrl="${secret}"/></body></opml>`
    await ann.json(api.subscriptionsOpml(), { body: { project_id: project.data.id, opml } })
    await page.goto(`${pages.adminJournals()}?search=Labnotes`)
    await rowOf('Labnotes').getByText('Personal').waitFor()
    await page.getByRole('link', { name: 'Labnotes' }).click()
    await page.getByText(`${site.url}/lab (its query is hidden)`).waitFor()
    await page.getByText('Only the person who added this feed sees its articles.').waitFor()
    expect(await page.content()).not.toContain('SECRET123')
    expect(await button('Edit').count()).toBe(0)
    await clean()
    await button('Adopt').click()
    await dialog().getByText('Enter an address that everyone may use.').waitFor()
    await clean()
    await dialog().getByRole('button', { name: 'Adopt' }).click()
    await dialog().getByText('The site answered with the status 404.').waitFor()
    await dialog()
      .getByLabel('Address of the feed')
      .fill(site.set('/lab-for-all', body(rss(item('For everyone')))))
    await dialog().getByRole('button', { name: 'Adopt' }).click()
    await says('Journal adopted')
    await page.getByRole('heading', { name: 'For everyone' }).waitFor()
    await button('Edit').waitFor()
    expect(await button('Adopt').count()).toBe(0)
  })
})
