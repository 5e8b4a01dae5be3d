import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AuditEntry } from '#shared/contract/audit.ts'
import type { FeedArticlePage, FeedTried, OpmlResult, Subscription } from '#shared/contract/feeds.ts'
import type { JournalOption } from '#shared/contract/journals.ts'
import type { AddedPaper } from '#shared/contract/lookup.ts'
import { api, functionPath } from '#shared/contract/paths.ts'
import { signUpAdmin } from '../helpers/admin.ts'
import {
  body,
  endless,
  type FeedServer,
  gzipBomb,
  item,
  redirect,
  type Reply,
  rss,
  slow,
  startFeedServer,
  status,
} from '../helpers/feed-server.ts'
import { type Client, signUp, startServer, type TestServer } from '../helpers/server.ts'

let site: FeedServer
let slowSite: FeedServer
let server: TestServer
let admin: Client
let anna: Client
let ben: Client
let slowly: { project: string; journal: JournalOption }
let number = 0

beforeAll(async () => {
  site = await startFeedServer()
  slowSite = await startFeedServer()
  server = await startServer({ env: { GUARDED_FETCH_ALLOW: `${site.host},${slowSite.host}` } })
  admin = await signUpAdmin(server)
  anna = await signUp(server.url)
  ben = await signUp(server.url)
  // This feed reaches a time limit while the other tests run.
  slowly = await followed(slow, slowSite)
})

afterAll(async () => {
  await server.stop()
  await site.stop()
  await slowSite.stop()
})

async function newProject(client: Client): Promise<string> {
  number += 1
  const made = await client.json<{ data: { id: string } }>(api.projects(), { body: { name: `Project ${number}` } })
  return made.data.id
}

/** Adds a journal to the catalog. Its feed responds with `reply`. */
async function journalOf(reply: Reply, on = site): Promise<JournalOption> {
  number += 1
  const path = `/feed-${number}`
  const url = on.set(path, body(rss(item('First'))))
  const made = await admin.json<{ data: JournalOption }>(api.journals(), { body: { name: `Journal ${number}`, url } })
  on.set(path, reply)
  return made.data
}

const follow = (client: Client, project_id: string, journal_id: string) =>
  client.json<{ data: Subscription }>(api.subscriptions(), { body: { project_id, journal_id } })

/** Waits until the server has read the feed of a subscription or failed to read it. Returns the subscription. */
async function settled(client: Client, project_id: string, journal_id: string): Promise<Subscription> {
  const deadline = Date.now() + 150_000
  while (Date.now() < deadline) {
    const { data } = await client.json<{ data: Subscription[] }>(api.subscriptions({ project_id }))
    const found = data.find((one) => one.journal_id === journal_id)
    if (found?.last_fetched_at || found?.last_error) return found
    await new Promise((resume) => setTimeout(resume, 50))
  }
  throw new Error('The feed was neither read nor refused.')
}

/** Creates a journal whose feed responds with `reply`, and follows it in a new project. */
async function followed(reply: Reply, on = site) {
  const project = await newProject(anna)
  const journal = await journalOf(reply, on)
  await follow(anna, project, journal.id)
  return { project, journal }
}

/**
 * Follows a feed that responds with `reply` in a new project, and waits until the server has read the feed or failed to read
 * it.
 */
async function tried(reply: Reply, on = site) {
  const { project, journal } = await followed(reply, on)
  return { project, journal, subscription: await settled(anna, project, journal.id) }
}

const articles = (client: Client, params: Parameters<typeof api.feedArticles>[0]) =>
  client.json<FeedArticlePage>(api.feedArticles(params))
const titles = async (client: Client, params: Parameters<typeof api.feedArticles>[0]) =>
  (await articles(client, params)).data.map((one) => one.title)

describe('subscriptions (FEED-03, FEED-04, FEED-05, API-37)', () => {
  it('A subscription follows a journal for one project, is counted there, and ends (FEED-04, FEED-05, API-37)', async () => {
    const { project, journal, subscription } = await tried(body(rss(item('One'), item('Two', 2))))
    expect(subscription).toMatchObject({ user_id: anna.userId, journal_id: journal.id, project_id: project })
    expect(subscription.article_count).toBe(2)
    const count = async () => (await anna.json<{ data: { feed_count: number } }>(api.project(project))).data.feed_count
    expect(await count()).toBe(1)
    // A second click changes nothing.
    await follow(anna, project, journal.id)
    expect(await count()).toBe(1)
    const unsubscribed = await anna.fetch(api.subscriptions({ project_id: project, journal_id: journal.id }), {
      method: 'DELETE',
    })
    expect(unsubscribed.status).toBe(200)
    expect(await count()).toBe(0)
    expect((await articles(anna, { project_id: project })).count).toBe(0)
  })

  it('The feed of a subscription is read before its scheduled time on request, and the call reports the result', async () => {
    const { project, journal, subscription } = await tried(status(500))
    expect(subscription.last_error).toMatch(/500/)
    const key = { project_id: project, journal_id: journal.id }
    const { data } = await anna.json<{ data: FeedTried }>(api.subscriptionTry(), { body: key })
    expect(data).toMatchObject({ article_count: 0, last_error: subscription.last_error, last_fetched_at: null })
    expect(Date.parse(data.next_fetch_at!)).toBeGreaterThan(Date.parse(subscription.next_fetch_at!))
  })

  it('A subscription of another user answers 404 to every call', async () => {
    const { project, journal } = await tried(body(rss(item('Mine'))))
    for (const [path, init] of [
      [api.subscriptions({ project_id: project })],
      [api.feedArticles({ project_id: project })],
      [api.subscriptionsOpml({ project_id: project })],
      [api.subscriptions({ project_id: project, journal_id: journal.id }), { method: 'DELETE' }],
      ...[api.subscriptions(), api.subscriptionTry()].map((path) => [
        path,
        {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ project_id: project, journal_id: journal.id }),
        },
      ]),
    ] as [string, RequestInit?][])
      expect([path, (await ben.fetch(path, init)).status]).toEqual([path, 404])
  })

  it('Subscriptions are listed page by page with the total count (API-04)', async () => {
    const pageOf = (more: string) => anna.json<{ data: { id: string }[]; count: number }>(`/api/journals?${more}`)
    const all = await pageOf('has_feed=true')
    expect(all.count).toBe(all.data.length)
    expect(await pageOf('has_feed=true&limit=1&page=2')).toEqual({ data: [all.data[1]], count: all.count })
  })

  it('The checklist contains only journals with a feed address (FEED-03)', async () => {
    const journal = await journalOf(body(rss()))
    const { data } = await anna.json<{ data: JournalOption[] }>(api.journals({ has_feed: 'true', limit: 500 }))
    expect(data.map((one) => one.id)).toContain(journal.id)
    expect(data.every((one) => one.rss_feed_url !== null)).toBe(true)
  })
})

describe('the merged list (FEED-02, FEED-06, FEED-07, FEED-09, FEED-10, CONST-19)', () => {
  it('The merged list is sorted by date, newest first, 20 a page (FEED-02, FEED-06, CONST-19)', async () => {
    const items = Array.from({ length: 25 }, (_, index) => item(`Paper ${index}`, index + 1))
    const { project } = await tried(body(rss(...items.toReversed())))
    const first = await articles(anna, { project_id: project })
    expect(first.count).toBe(25)
    expect(first.data.map((one) => one.title)).toEqual(Array.from({ length: 20 }, (_, index) => `Paper ${index}`))
    expect(await titles(anna, { project_id: project, page: 2 })).toEqual(
      [20, 21, 22, 23, 24].map((one) => `Paper ${one}`),
    )
    const each = await Promise.all(
      [1, 2, 3, 4, 5, 6].map((page) => titles(anna, { project_id: project, page, limit: 5 })),
    )
    expect(each.flat()).toEqual(Array.from({ length: 25 }, (_, index) => `Paper ${index}`))
  })

  it("The merged list has 'No title', '#' and the time of the first reading for missing values (FEED-09, FEED-10)", async () => {
    const before = Date.now() - 5000
    const { project, journal } = await tried(body(rss('<description>Only words</description>')))
    const [one] = (await articles(anna, { project_id: project })).data
    expect(one).toMatchObject({ title: 'No title', link: '#', description: 'Only words', journalId: journal.id })
    expect(Date.parse(one!.pubDate)).toBeGreaterThan(before)
  })

  it('The merged list has plain text and web links only, for any HTML in the feed', async () => {
    const { project } = await tried(
      body(
        rss(
          `<title>A &lt;script&gt;alert(1)&lt;/script&gt;&lt;i&gt;B&lt;/i&gt; &amp;amp; C</title><link>javascript:alert(1)</link><description><![CDATA[<p onclick="x()">Words</p><img src=x onerror=alert(1)>]]></description>`,
          `<title>Relative</title><link>/papers/7</link>`,
        ),
      ),
    )
    const { data } = await articles(anna, { project_id: project })
    expect(data[0]).toMatchObject({ title: 'A B & C', link: '#', description: 'Words' })
    expect(data[1]).toMatchObject({ title: 'Relative', link: `${site.url}/papers/7` })
  })

  it('The merged list shows an article of two feeds once, by the same title and the same DOI or link', async () => {
    const project = await newProject(anna)
    const dc = (doi: string) => `<dc:identifier xmlns:dc="http://purl.org/dc/elements/1.1/">doi:${doi}</dc:identifier>`
    const one = await journalOf(
      body(
        rss(
          item('Found by DOI', 2, dc('10.1000/ABC.1')),
          `<title>Found by link</title><link>https://x.example.org/p/1?utm_source=rss</link>`,
        ),
      ),
    )
    const two = await journalOf(
      body(
        rss(
          `<title>Found: by doi.</title><link>https://doi.org/10.1000/abc.1</link>`,
          `<title>Found by Link</title><link>http://www.x.example.org/p/1/</link>`,
          `<title>Another title</title><link>http://www.x.example.org/p/1/</link><guid>another</guid>`,
        ),
      ),
    )
    for (const { id } of [one, two]) {
      await follow(anna, project, id)
      await settled(anna, project, id)
    }
    const merged = await articles(anna, { project_id: project })
    expect([merged.count, merged.data.length]).toEqual([3, 3])
    const copies = merged.data.flatMap((shown) => shown.also_in.map((copy) => [shown.title, copy] as const))
    expect(copies.toSorted(([a], [b]) => a.localeCompare(b))).toEqual([
      ['Found by DOI', { journal_name: two.name, link: 'https://doi.org/10.1000/abc.1' }],
      ['Found by link', { journal_name: two.name, link: 'http://www.x.example.org/p/1/' }],
    ])
  })

  it('The merged list shows an article of two feeds once when only one has the DOI, in any order, and keeps its marks', async () => {
    const dc = (doi: string) => `<dc:identifier xmlns:dc="http://purl.org/dc/elements/1.1/">doi:${doi}</dc:identifier>`
    const at = (n: string, more = '') =>
      `<title>Half known ${n}</title><link>https://half.example.org/${n}?utm_source=${more.length}</link>${more}`
    const { project } = await tried(
      body(rss(at('1'), at('3'), '<description>A</description>', '<description>B</description>')),
    )
    const [before] = (await articles(anna, { project_id: project, search: 'known 1' })).data
    await anna.json(api.feedArticleMarks(before!.id), { method: 'PUT', body: { starred: true } })
    // An address with two DOIs does not decide the DOI of a third article at this address.
    const knowing = rss(
      at('1', dc('10.1000/half.1')),
      at('2', dc('10.1000/half.2')),
      at('3', dc('10.1000/x')),
      at('3', `${dc('10.1000/y')}<guid isPermaLink="false">y</guid>`),
    )
    for (const reply of [body(knowing), body(rss(at('2')))]) {
      const { id } = await journalOf(reply)
      await follow(anna, project, id)
      await settled(anna, project, id)
    }
    const { data, count } = await articles(anna, { project_id: project, limit: 50 })
    const shown = data.map((one) => [one.title, one.doi, one.starred] as const)
    expect(shown.filter(([title]) => /[12]$/.test(title)).toSorted(([a], [b]) => a.localeCompare(b))).toEqual([
      // Only the feed of an article decides its DOI.
      ['Half known 1', null, true],
      ['Half known 2', '10.1000/half.2', false],
    ])
    expect(shown.filter(([title]) => title.endsWith('3'))).toHaveLength(3)
    expect([count, shown.filter(([title]) => title === 'No title').length]).toEqual([7, 2])
  })

  it('Copies of an article share their marks if only one has the DOI, in other projects and when they are read later', async () => {
    const dc = '<dc:identifier xmlns:dc="http://purl.org/dc/elements/1.1/">doi:10.1000/marks.1</dc:identifier>'
    const at = (more = '') => `<title>Marked once</title><link>https://marks.example.org/1</link>${more}`
    const starred = async (project_id: string) => (await articles(anna, { project_id })).data.map((one) => one.starred)
    const without = await tried(body(rss(at())))
    const [first] = (await articles(anna, { project_id: without.project })).data
    await anna.json(api.feedArticleMarks(first!.id), { method: 'PUT', body: { starred: true } })
    const named = await tried(body(rss(at(dc))))
    expect(await starred(named.project)).toEqual([true])
    const [second] = (await articles(anna, { project_id: named.project })).data
    expect(second!.doi).toBe('10.1000/marks.1')
    await anna.json(api.feedArticleMarks(second!.id), { method: 'PUT', body: { starred: false } })
    expect(await starred(without.project)).toEqual([false])
    await anna.json(api.feedArticleMarks(second!.id), { method: 'PUT', body: { starred: true } })
    await anna.fetch(api.feedArticleMarks(first!.id), { method: 'DELETE' })
    expect(await starred(named.project)).toEqual([false])
  })

  it('An article keeps its marks when its feed adds the DOI', async () => {
    const dc = '<dc:identifier xmlns:dc="http://purl.org/dc/elements/1.1/">doi:10.1000/marks.2</dc:identifier>'
    let more = ''
    const reply: Reply = (request, response) =>
      body(rss(`<title>Named later</title><link>https://marks.example.org/2</link>${more}`))(request, response)
    const { project, journal } = await tried(reply)
    const [article] = (await articles(anna, { project_id: project })).data
    await anna.json(api.feedArticleMarks(article!.id), { method: 'PUT', body: { starred: true } })
    more = dc
    await anna.json(api.subscriptionTry(), { body: { project_id: project, journal_id: journal.id } })
    const { data } = await articles(anna, { project_id: project })
    expect(data.map(({ doi, starred }) => [doi, starred])).toEqual([['10.1000/marks.2', true]])
  })

  it('The merged list is filtered by journal and by words', async () => {
    const { project } = await tried(body(rss(item('Sleep and memory'), item('100% of naps', 2))))
    const other = await journalOf(body(rss(item('Sleep elsewhere', 3))))
    await follow(anna, project, other.id)
    await settled(anna, project, other.id)
    expect(await titles(anna, { project_id: project, search: 'sleep' })).toEqual([
      'Sleep and memory',
      'Sleep elsewhere',
    ])
    expect(await titles(anna, { project_id: project, search: '100%' })).toEqual(['100% of naps'])
    expect(await titles(anna, { project_id: project, journal_id: other.id })).toEqual(['Sleep elsewhere'])
  })

  it('The merged list links an article to the document that the project made of it, by DOI or by title', async () => {
    const dc = '<dc:identifier xmlns:dc="http://purl.org/dc/elements/1.1/">doi:10.5555/Added.1</dc:identifier>'
    const { project } = await tried(body(rss(item('By DOI', 1, dc), item('By Title', 2), item('Not added', 3))))
    const add = async (paper: Record<string, unknown>) =>
      (await anna.json<{ data: AddedPaper }>(api.papers(), { body: { project_id: project, ...paper } })).data.document
        .id
    const ids = [await add({ title: 'Another name', doi: '10.5555/added.1' }), await add({ title: 'by title' })]
    const shown = (await articles(anna, { project_id: project })).data
    expect(shown.map((one) => [one.title, one.document_id])).toEqual([
      ['By DOI', ids[0]],
      ['By Title', ids[1]],
      ['Not added', null],
    ])
  })

  it('An article with a short title and another address is another paper', async () => {
    const at = (n: number) => `<title>Editorial</title><link>https://short.example.org/${n}</link>`
    const { project } = await tried(body(rss(at(1), at(2))))
    const shown = async () => {
      const { data } = await articles(anna, { project_id: project })
      return new Map(data.map(({ link, document_id }) => [link.at(-1), document_id]))
    }
    const add = async (n: number) =>
      (
        await anna.json<{ data: AddedPaper }>(api.papers(), {
          body: { project_id: project, title: 'Editorial', link: `https://short.example.org/${n}` },
        })
      ).data
    const one = await add(1)
    expect(await shown()).toEqual(
      new Map([
        ['1', one.document.id],
        ['2', null],
      ]),
    )
    const two = await add(2)
    expect([two.created, (await add(2)).document.id]).toEqual([true, two.document.id])
    expect(await shown()).toEqual(
      new Map([
        ['1', one.document.id],
        ['2', two.document.id],
      ]),
    )
  })

  it('The merged list stores read and starred marks for each user', async () => {
    const { project } = await tried(body(rss(item('A'), item('B', 2))))
    const [a] = (await articles(anna, { project_id: project })).data
    await anna.json(api.feedArticleMarks(a!.id), { method: 'PUT', body: { read: true } })
    await anna.json(api.feedArticleMarks(a!.id), { method: 'PUT', body: { starred: true } })
    expect((await articles(anna, { project_id: project })).data[0]).toMatchObject({ read: true, starred: true })
    expect(await titles(anna, { project_id: project, unread: 'true' })).toEqual(['B'])
    expect(await titles(anna, { project_id: project, starred: 'true' })).toEqual(['A'])
    const journal = (await articles(anna, { project_id: project })).data[0]!.journalId
    const bens = await newProject(ben)
    await follow(ben, bens, journal)
    expect((await articles(ben, { project_id: bens })).data[0]).toMatchObject({ read: false, starred: false })
    await anna.fetch(api.feedArticleMarks(a!.id), { method: 'DELETE' })
    expect((await articles(anna, { project_id: project })).data[0]).toMatchObject({ read: false, starred: false })
  })

  it('The pages of a list of unread articles stay the same while its articles are read', async () => {
    const { project } = await tried(body(rss(...[1, 2, 3, 4, 5].map((n) => item(`Paper ${n}`, n)))))
    const list = (more: object) => articles(anna, { project_id: project, unread: 'true', limit: 2, ...more })
    const { data, unread_at } = await list({})
    for (const { id } of data) await anna.json(api.feedArticleMarks(id), { method: 'PUT', body: { read: true } })
    const pages = async (more: object) => {
      const each = await Promise.all([1, 2, 3].map((page) => list({ page, ...more })))
      return each.map((one) => [one.count, ...one.data.map(({ title }) => title)])
    }
    const whole = [
      [5, 'Paper 1', 'Paper 2'],
      [5, 'Paper 3', 'Paper 4'],
      [5, 'Paper 5'],
    ]
    expect(await pages({ unread_at })).toEqual(whole)
    expect(await pages({})).toEqual([[3, 'Paper 3', 'Paper 4'], [3, 'Paper 5'], [3]])
    expect(await pages({ unread_at, search: 'paper' })).toEqual(whole)
    await anna.fetch(api.feedArticleMarks(data[0]!.id), { method: 'DELETE' })
    expect(await pages({ unread_at })).toEqual(whole)
  })
})

describe('a feed that cannot be read: nothing hangs, and the reason is shown', () => {
  const minutesUntil = (time: string | null) => (Date.parse(time!) - Date.now()) / 60_000

  it.each<[string, Reply, RegExp]>([
    ['a redirect to a private address', redirect('http://169.254.169.254/latest/'), /not public/],
    [
      'a redirect without end',
      (request, response) => redirect(`http://${request.headers.host}${request.url}`)(request, response),
      /redirects too often/,
    ],
    ['503', status(503), /503/],
    ['a 304 to an unconditional request', status(304), /304/],
    ['an endless body', endless, /larger than 8 MB/],
    ['a gzip bomb', gzipBomb, /larger than 8 MB/],
    ['broken XML', body('<rss version="2.0"><channel><item><title>x'), /not a feed/],
    ['a web page', body('<!doctype html><title>Hello</title>', 'text/html'), /not a feed/],
    [
      'an entity bomb',
      body(
        `<?xml version="1.0"?><!DOCTYPE r [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>${rss(item('&b;')).slice(38)}`,
      ),
      /entities/,
    ],
    ['nothing at all', body(''), /empty/],
  ])('%s', async (_what, reply, words) => {
    const { subscription, project } = await tried(reply)
    expect(subscription.last_error).toMatch(words)
    expect((await articles(anna, { project_id: project })).count).toBe(0)
    const minutes = minutesUntil(subscription.next_fetch_at)
    expect(minutes).toBeGreaterThan(13)
    expect(minutes).toBeLessThan(16)
  })

  // The wait takes 20 seconds, so only one case is tested.
  it.runIf(process.env['TEST_DATABASE_URL'])('A feed that sends its bytes too slowly reports the reason', async () => {
    const { project, journal } = slowly
    expect((await settled(anna, project, journal.id)).last_error).toMatch(/too long/)
  })

  it('A feed with 429 and Retry-After is not read before this time', async () => {
    const { subscription } = await tried(status(429, { 'retry-after': '7200' }), slowSite)
    expect(subscription.last_error).toMatch(/429/)
    expect(minutesUntil(subscription.next_fetch_at)).toBeGreaterThan(118)
  })

  it('A feed whose connection closes reports that its address cannot be read', async () => {
    const { subscription } = await tried((request) => void request.socket.destroy())
    expect(subscription.last_error).toBe('The address could not be read.')
  })

  it('A feed whose Content-Type names a wrong charset is read in the encoding of its XML declaration', async () => {
    const text = `<?xml version="1.0" encoding="windows-1252"?><rss version="2.0"><channel><item><title>Schlaf f\u00fcr \u00c4rzte</title></item></channel></rss>`
    const { project } = await tried(body(Buffer.from(text, 'latin1'), 'application/rss+xml; charset=utf-8'))
    expect(await titles(anna, { project_id: project })).toEqual(['Schlaf für Ärzte'])
  })
})

describe('the catalog', () => {
  const add = (client: Client, name: string, url: string) =>
    client.fetch(api.journals(), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name, url }),
    })

  it('The catalog finds the feed of a journal from its home page, for admins', async () => {
    site.set('/found.xml', body(rss(item('Found'))))
    const home = site.set(
      '/home',
      body(
        '<html><head><link rel="stylesheet" href="/x.css"><link rel="alternate" type="application/rss+xml" href="/not-there"><link title=RSS type="application/rss+xml" rel="alternate" href="/found.xml"></head></html>',
        'text/html',
      ),
    )
    expect((await add(anna, 'Homely', home)).status).toBe(403)
    const made = await add(admin, 'Homely', home)
    expect(made.status).toBe(201)
    expect(await made.json()).toMatchObject({ data: { name: 'Homely', rss_feed_url: `${site.url}/found.xml` } })
    const { data: log } = await admin.json<{ data: AuditEntry[] }>('/api/admin/audit?kind=journal&limit=1')
    expect(log).toMatchObject([{ action: 'journal.added', subject: 'Homely' }])
    expect((await add(admin, 'Again', home)).status).toBe(409)
    expect((await add(admin, 'Nothing', site.set('/bare', body('<p>Hello</p>', 'text/html')))).status).toBe(422)
    expect((await add(admin, 'Private', 'http://10.0.0.1/feed')).status).toBe(422)
    // A page that links to thousands of feeds must not make the server send thousands of requests.
    const asked = new Set<string>()
    const links = Array.from({ length: 3000 }, (_, n) => {
      if (n < 20) site.set(`/flood-${n}`, (_request, response) => void response.end(asked.add(String(n)) && 'none'))
      return `<link rel=alternate type="application/rss+xml" href="/flood-${n}">`
    })
    expect((await add(admin, 'Flood', site.set('/flood', body(links.join(''), 'text/html')))).status).toBe(422)
    expect(asked.size).toBe(5)
  })

  it('The catalog refuses a file that is not OPML, and OPML that is made to be expensive', async () => {
    const project = await newProject(anna)
    const outline = (inside: string) => `<opml version="2.0"><body>${inside}</body></opml>`
    const send = (opml: string) =>
      anna.fetch(api.subscriptionsOpml(), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ project_id: project, opml }),
      })
    const costly = Array.from({ length: 70_000 }, (_, n) => `a${n}="b"`).join(' ')
    const files = [
      'no markup',
      `<!DOCTYPE x [<!ENTITY a "b">]>${outline('<outline text="&a;"/>')}`,
      outline('<outline>'.repeat(50_000)),
      outline(`<outline ${costly}/>`),
    ]
    for (const opml of files) {
      const response = await send(opml)
      const outcome = [response.status, await response.text()]
      expect(outcome).toEqual([422, expect.stringContaining('This file is not a valid OPML file.')])
    }
  })

  it('The catalog exports a file without entries for a project that follows nothing', async () => {
    const project_id = await newProject(anna)
    const answer = await anna.fetch(api.subscriptionsOpml({ project_id }))
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('<body></body></opml>')])
  })

  it('The catalog exports followed journals as OPML, and imports unknown ones', async () => {
    const { project, journal } = await tried(body(rss(item('Known'))))
    const exported = await (await anna.fetch(api.subscriptionsOpml({ project_id: project }))).text()
    expect(exported).toContain(`xmlUrl="${journal.rss_feed_url}"`)
    const fresh = site.set('/fresh.xml', body(rss(item('Fresh'))))
    const dead = site.set('/dead.xml', status(500))
    const opml = exported.replace(
      '</body>',
      `<outline text="Folder"><outline text="Fresh Journal" type="rss" xmlUrl="${fresh}"/><outline text="Dead" xmlUrl="${dead}"/><outline text="In" xmlUrl="http://192.168.0.1/feed"/></outline></body>`,
    )
    const second = await newProject(anna)
    const { data } = await anna.json<{ data: OpmlResult }>(api.subscriptionsOpml(), {
      body: { project_id: second, opml },
    })
    expect(data).toMatchObject({ subscribed: 2, added: 1 })
    expect(data.refused.map((one) => one.address).sort()).toEqual([dead, 'http://192.168.0.1/feed'].sort())
    const names = (await anna.json<{ data: Subscription[] }>(api.subscriptions({ project_id: second }))).data
    expect(names.map((one) => one.journal_name)).toEqual(['Fresh Journal', journal.name])
  })
})

describe('proxy-rss (FUNC-10, FUNC-11, FUNC-12)', () => {
  const proxy = (url?: string) =>
    anna.fetch(functionPath('proxy-rss'), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ url }),
    })

  it('The call proxy-rss returns the XML of a feed with its media type, in a sandbox (FUNC-10)', async () => {
    const text = rss(item('Proxied'))
    const answer = await proxy(site.set('/proxied', body(text, 'application/rss+xml; charset=utf-8')))
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/rss+xml; charset=utf-8')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('content-security-policy')).toMatch(/sandbox/)
    expect(await answer.text()).toBe(text)
  })

  it.each<[string, () => string | undefined]>([
    ['no address', () => undefined],
    ['a private address', () => 'http://127.0.0.1:1/feed'],
    ['another scheme', () => 'file:///etc/passwd'],
    ['a redirect to a private address', () => site.set('/inward', redirect('http://10.0.0.1/'))],
    ['an error', () => site.set('/broken', status(500))],
    ['an endless body', () => site.set('/endless', endless)],
    ['a page that is no feed', () => site.set('/page', body('<h1>Hi</h1>', 'text/html'))],
  ])('The call proxy-rss reports %s with the specified error (FUNC-11, FUNC-12)', async (_what, address) => {
    const answer = await proxy(address())
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(await answer.json()).toEqual({ error: 'Failed to fetch RSS feed. Please check the URL and try again.' })
  })
})
