import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FeedArticlePage, Subscription } from '#shared/contract/feeds.ts'
import type { AddedPaper } from '#shared/contract/lookup.ts'
import { api } from '#shared/contract/paths.ts'
import {
  accessibilityProblems,
  closeContexts,
  delayUntilChange,
  openBrowser,
  signedInPage,
} from '#tests/helpers/browser.ts'
import { body, type FeedServer, item, rss, startFeedServer, status } from '#tests/helpers/feed-server.ts'
import { type Client, signUp, startServer, type TestServer } from '#tests/helpers/server.ts'

let site: FeedServer
let server: TestServer
let browser: Browser
let ada: Client
let page: Page

beforeAll(async () => {
  site = await startFeedServer()
  server = await startServer({ env: { GUARDED_FETCH_ALLOW: site.host } })
  // The first account is an administrator's.
  await signUp(server.url)
  ada = await signUp(server.url)
  browser = await openBrowser()
  ;({ page } = await signedInPage(browser, ada))
})
afterAll(async () => {
  await closeContexts(browser)
  await server.stop()
  await site.stop()
})

const outline = (name: string, address: string) => `<outline text="${name}" xmlUrl="${address}"/>`
const opmlOf = (...outlines: string[]) => `<opml version="2.0"><body>${outlines.join('')}</body></opml>`
const article = (name: string) => page.getByRole('article', { name, exact: true })
const toasts = () => page.getByRole('region', { name: 'Notifications' })

/** Creates a project that follows the feeds of these OPML outlines. Returns its id. */
async function follow(name: string, ...outlines: string[]): Promise<string> {
  const project = (await ada.json<{ data: { id: string } }>(api.projects(), { body: { name } })).data.id
  if (outlines.length > 0)
    await ada.json(api.subscriptionsOpml(), { body: { project_id: project, opml: opmlOf(...outlines) } })
  return project
}

describe('the feed of a project', () => {
  it('The feed explains how to begin when no journal has a feed', async () => {
    await follow('Empty')
    await page.goto('/Empty/feed')
    await page.getByText('No journal has a feed yet.').waitFor()
    await page.getByText('There is no feed to read yet. Import the feeds').waitFor()
    expect(await page.getByText('Select a journal').count()).toBe(0)
  })

  it('The feed groups articles without a date under the day on which they were found', async () => {
    await follow(
      'Undated',
      outline('Old letters', site.set('/undated', body(rss('<title>From 2018</title>', item('Dated', 1))))),
    )
    await page.goto('/Undated/feed')
    await article('From 2018').waitFor()
    const found = new Date().toLocaleDateString('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' })
    const group = page.locator('section', {
      has: page.getByRole('heading', { name: `No date given, found ${found}`, exact: true }),
    })
    expect(await group.getByRole('article').count()).toBe(1)
    await group.getByRole('article', { name: 'From 2018' }).waitFor()
  })

  it('The feed shows an article with a date and no time under this date in a time zone west of UTC', async () => {
    const dated = (title: string, time: string) =>
      `<title>${title}</title><pubDate>Wed, 04 Mar 2026 ${time} GMT</pubDate>`
    const address = site.set('/dated', body(rss(dated('At midnight', '00:00:00'), dated('At two', '02:00:00'))))
    await follow('Dated', outline('Dated letters', address))
    const { page: west } = await signedInPage(browser, ada, { timezone: 'America/New_York' })
    await west.goto('/Dated/feed')
    await west.getByRole('article', { name: 'At midnight' }).waitFor()
    const days = await west.locator('main section h2').allInnerTexts()
    expect(days.map((day) => day.replace(/\s+/g, ' '))).toEqual(['Mar 4, 2026 Wednesday', 'Mar 3, 2026 Tuesday'])
  })

  it('The search for articles keeps a space and the letters that are typed after a pause', async () => {
    await follow('Typed', outline('Typed letters', site.set('/typed', body(rss(item('Sleep memory'), item('Sleep'))))))
    await page.goto('/Typed/feed')
    await article('Sleep').waitFor()
    const field = page.getByLabel('Search articles')
    await field.pressSequentially('sleep ')
    await page.waitForURL(/search=sleep/)
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
    await field.pressSequentially('memory')
    await article('Sleep').waitFor({ state: 'detached' })
    await article('Sleep memory').waitFor()
    expect(await field.inputValue()).toBe('sleep memory')
  })

  it('A late response with the former list does not remove a star', async () => {
    const [starred, other] = ['starred', 'other'].map((name) =>
      outline(name, site.set(`/${name}`, body(rss(item(name))))),
    )
    const project = await follow('Starred', starred!, other!)
    await page.goto('/Starred/feed')
    for (const name of ['starred', 'other']) await article(name).waitFor()
    const delayed = await delayUntilChange(page, /articles\?/, /marks$/)
    const { data } = await ada.json<{ data: Subscription[] }>(api.subscriptions({ project_id: project }))
    const { journal_id } = data.find(({ journal_name }) => journal_name === 'other')!
    await ada.json(api.subscriptions({ project_id: project, journal_id }), { method: 'DELETE' })
    await expect.poll(delayed).toBeGreaterThan(0)
    const marked = page.waitForResponse((response) => response.request().method() === 'PUT')
    await article('starred').getByRole('button', { name: 'Star' }).click()
    await marked
    await article('starred').getByRole('button', { name: 'Remove the star' }).waitFor()
    await page.unrouteAll({ behavior: 'wait' })
  })

  it('The next page of the unread articles begins after the shown page, whose articles were read meanwhile', async () => {
    const items = Array.from({ length: 65 }, (_, index) => item(`Paper ${index + 1}`, index + 1))
    const project = await follow('Unread', outline('Many letters', site.set('/many', body(rss(...items)))))
    await page.goto('/Unread/feed?show=unread')
    await page.getByRole('button', { name: 'Page 2', exact: true }).click()
    await article('Paper 40').waitFor()
    const { data } = await ada.json<FeedArticlePage>(api.feedArticles({ project_id: project, unread: 'true', page: 2 }))
    for (const { id } of data) await ada.json(api.feedArticleMarks(id), { method: 'PUT', body: { read: true } })
    await page.getByRole('button', { name: 'Page 3', exact: true }).click()
    for (const name of ['Paper 41', 'Paper 60']) await article(name).waitFor()
    await page.getByRole('button', { name: 'Page 2', exact: true }).click()
    await article('Paper 21').waitFor()
    expect(await page.getByRole('article').count()).toBe(20)
  })

  it('Quick clicks on journals end in the state of the last click, and each line shows its own', async () => {
    const outlines = ['Clicked', 'Other'].map((name) => outline(name, site.set(`/${name}`, body(rss(item(name))))))
    const project = await follow('Clicks', ...outlines)
    const list = async () => (await ada.json<{ data: Subscription[] }>(api.subscriptions({ project_id: project }))).data
    const subscriptions = await list()
    for (const { journal_id } of subscriptions)
      await ada.json(api.subscriptions({ project_id: project, journal_id }), { method: 'DELETE' })
    const id = subscriptions.find(({ journal_name }) => journal_name === 'Clicked')!.journal_id
    await page.goto('/Clicks/feed')
    const line = (name: string, checked: boolean) => page.getByRole('checkbox', { name, exact: true, checked })
    const released = Promise.withResolvers<void>()
    await page.route('**/api/subscriptions', async (route) => {
      if (route.request().postData()?.includes(id)) await released.promise
      await route.continue()
    })
    const followed = page.waitForResponse((response) => response.request().postData()?.includes(id) ?? false)
    await line('Clicked', false).click()
    await line('Other', false).click()
    await line('Other', true).waitFor()
    await line('Clicked', true).click()
    await line('Clicked', false).waitFor()
    await expect.poll(async () => (await list()).map((one) => one.journal_name)).toEqual(['Other'])
    released.resolve()
    await followed
    await expect.poll(async () => (await list()).map((one) => one.journal_name)).toEqual(['Other'])
    await line('Clicked', false).waitFor()
    await page.unrouteAll({ behavior: 'wait' })
  })

  it('The feed marks the personal journals of the user', async () => {
    await follow('Marked', outline('Nature', site.set('/nature', body(rss(item('Look-alike'))))))
    await page.goto('/Marked/feed')
    await page.getByRole('listitem').filter({ hasText: 'Nature' }).getByText('Only you').waitFor()
    await page.getByRole('checkbox', { name: 'Nature', exact: true, checked: true }).waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
  })

  it('The feed of a project reports a feed that begins to fail once, and not again after a reload', async () => {
    const steady = site.set('/steady', body(rss(item('Steady'))))
    const project = await follow(
      'Failing',
      outline('Steady', steady),
      outline('Ceased', site.set('/ceased', body(rss(item('Once'))))),
    )
    await page.goto('/Failing/feed')
    await article('Steady').waitFor()
    site.set('/ceased', status(503))
    const { data } = await ada.json<{ data: { journal_id: string; journal_name: string }[] }>(
      api.subscriptions({ project_id: project }),
    )
    const ceased = data.find((one) => one.journal_name === 'Ceased')!.journal_id
    await ada.json(api.subscriptionTry(), { body: { project_id: project, journal_id: ceased } })
    // The change of a subscription loads all subscriptions again.
    await page.getByRole('checkbox', { name: 'Steady' }).click()
    const words = 'Ceased: Failed to fetch RSS feed. Please check the URL and try again.'
    await toasts().getByText(words).waitFor()
    await page.reload()
    await page.getByText('The site answered with the status 503.').waitFor()
    await article('Once').waitFor()
    expect(await page.getByText('RSS Feed Error').count()).toBe(0)
  })

  it('The feed imports the names of an OPML file in ISO-8859-1 and in UTF-16', async () => {
    await follow('Encodings')
    await page.goto('/Encodings/feed')
    await page.getByText('No articles yet.').waitFor()
    const files: [string, (text: string) => Buffer][] = [
      ['ISO-8859-1', (text) => Buffer.from(text, 'latin1')],
      ['UTF-16', (text) => Buffer.from(`\ufeff${text}`, 'utf16le')],
    ]
    for (const [encoding, encode] of files) {
      const name = `Zeitschrift für Ärzte ${encoding}`
      const text = `<?xml version="1.0" encoding="${encoding}"?>${opmlOf(outline(name, site.set(`/${encoding}`, body(rss(item(encoding))))))}`
      await page
        .getByLabel('OPML file')
        .setInputFiles({ name: 'feeds.opml', mimeType: 'text/x-opml', buffer: encode(text) })
      await page.getByRole('checkbox', { name, exact: true, checked: true }).waitFor()
    }
    expect(await page.getByRole('checkbox', { name: /^Zeitschrift für Ärzte (?:ISO-8859-1|UTF-16)$/ }).count()).toBe(2)
  })

  it('The feed lists the feeds of an OPML file that could not be read, with the reasons', async () => {
    await follow('Import')
    await page.goto('/Import/feed')
    const good = outline('Readable', site.set('/readable', body(rss(item('Read')))))
    const text = opmlOf(good, outline('One', `${site.url}/none-1`), outline('Two', `${site.url}/none-2`))
    await page
      .getByLabel('OPML file')
      .setInputFiles({ name: 'feeds.opml', mimeType: 'text/x-opml', buffer: Buffer.from(text) })
    const dialog = page.getByRole('dialog', { name: '2 feeds could not be read' })
    await dialog.getByText('1 journal followed.').waitFor()
    for (const name of ['none-1', 'none-2'])
      await dialog
        .getByRole('listitem')
        .filter({ hasText: `${site.url}/${name}` })
        .getByText('The site answered with the status 404.')
        .waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Close the list' }).click()
    await page.getByRole('checkbox', { name: 'Readable', exact: true, checked: true }).waitFor()
  })

  it('The list of feeds that could not be read opens on the return to the feed, if the import ended on another page', async () => {
    await follow('Left')
    await page.goto('/Left/feed')
    const released = Promise.withResolvers<void>()
    await page.route('**/api/subscriptions/opml', async (route) => {
      await released.promise
      await route.continue()
    })
    const good = outline('Read later', site.set('/later', body(rss(item('Later')))))
    const text = opmlOf(good, outline('None', `${site.url}/none`))
    await page
      .getByLabel('OPML file')
      .setInputFiles({ name: 'feeds.opml', mimeType: 'text/x-opml', buffer: Buffer.from(text) })
    await page.getByText('Reading the feeds of the file').waitFor()
    await page.getByRole('link', { name: 'Back to projects' }).click()
    await page.waitForURL('**/projects')
    released.resolve()
    await toasts().getByText('1 journal followed, 1 feed could not be read').waitFor()
    await page.goBack()
    const dialog = page.getByRole('dialog', { name: '1 feed could not be read' })
    await dialog.getByText(`${site.url}/none`).waitFor()
    expect(await dialog.getByRole('listitem').count()).toBe(1)
    await dialog.getByRole('button', { name: 'Close the list' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.unrouteAll({ behavior: 'wait' })
  })

  it("The feed marks a retracted paper as 'Retracted', and so does 'Recently deleted'", async () => {
    const doi = '<dc:identifier xmlns:dc="http://purl.org/dc/elements/1.1/">doi:10.5555/Gone.1</dc:identifier>'
    const feed = rss(item('Withdrawn paper', 1, doi), item('RETRACTED ARTICLE: Bad news', 2), item('Sound paper', 3))
    const project = await follow('Retractions', outline('Mixed', site.set('/mixed', body(feed))))
    const other = await follow('Elsewhere')
    const { data } = await ada.json<{ data: AddedPaper }>(api.papers(), {
      body: { project_id: other, title: 'Withdrawn paper', doi: '10.5555/gone.1' },
    })
    await ada.json(api.document(data.document.id), { method: 'PATCH', body: { retracted: true } })
    expect(project).not.toBe(other)
    await page.goto('/Retractions/feed')
    for (const name of ['Withdrawn paper', 'RETRACTED ARTICLE: Bad news'])
      await article(name).getByText('Retracted', { exact: true }).waitFor()
    expect(await article('Sound paper').getByText('Retracted').count()).toBe(0)
    await ada.fetch(api.document(data.document.id), { method: 'DELETE' })
    await page.goto('/projects/deleted')
    await page.getByRole('listitem').filter({ hasText: 'Withdrawn paper' }).getByText('Retracted').waitFor()
  })
})
