import { Client as PostgresClient } from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { AuditEntry } from '#shared/contract/audit.ts'
import type { FeedArticle, OpmlResult, PreviewArticle, Subscription } from '#shared/contract/feeds.ts'
import { JOURNALS_A_DAY } from '#shared/contract/journals.ts'
import type { Journal, JournalOption, ListedJournal } from '#shared/contract/journals.ts'
import { api } from '#shared/contract/paths.ts'
import type { FailingFeed } from '#shared/contract/system.ts'
import { signUpAdmin } from '../helpers/admin.ts'
import { body, type FeedServer, item, rss, startFeedServer, status } from '../helpers/feed-server.ts'
import { type Client, signUp, startServer, type TestServer } from '../helpers/server.ts'

const SECRET = 'token=SECRET123'

let site: FeedServer
let server: TestServer
let admin: Client
let anna: Client
let ben: Client

beforeAll(async () => {
  site = await startFeedServer()
  server = await startServer({ env: { GUARDED_FETCH_ALLOW: site.host, LOG_LEVEL: 'info' } })
  admin = await signUpAdmin(server)
  anna = await signUp(server.url)
  ben = await signUp(server.url)
})
afterAll(async () => {
  await server.stop()
  await site.stop()
})

async function newProject(client: Client, name: string): Promise<string> {
  return (await client.json<{ data: { id: string } }>(api.projects(), { body: { name } })).data.id
}

/** Follows a feed in a new project by importing an OPML file. Waits until the server has read the feed or failed to read it. */
async function bring(client: Client, name: string, address: string) {
  const project = await newProject(client, `With ${name}`)
  const opml = `<opml version="2.0"><body><outline text="${name}" xmlUrl="${address}"/></body></opml>`
  const { data } = await client.json<{ data: OpmlResult }>(api.subscriptionsOpml(), {
    body: { project_id: project, opml },
  })
  let subscription: Subscription | undefined
  await vi.waitFor(
    async () => {
      const found = await client.json<{ data: Subscription[] }>(api.subscriptions({ project_id: project }))
      subscription = found.data[0]
      expect(subscription?.last_fetched_at ?? subscription?.last_error ?? null).not.toBeNull()
    },
    { timeout: 90_000 },
  )
  return { project, result: data, subscription: subscription! }
}

const articles = async (client: Client, project_id: string) =>
  (await client.json<{ data: FeedArticle[] }>(api.feedArticles({ project_id }))).data
const offered = async (client: Client, params: Parameters<typeof api.journals>[0]) =>
  (await client.json<{ data: JournalOption[] }>(api.journals(params))).data
const send = (client: Client, path: string, content: unknown, method = 'POST') =>
  client.fetch(path, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(content) })
const adopt = (id: string, rss_feed_url: string) => send(admin, api.adminJournalAdopt(id), { rss_feed_url })
const inCatalogue = async (search: string) =>
  (await admin.json<{ data: ListedJournal[] }>(api.adminCatalogue({ search }))).data

describe('a feed that a person added', () => {
  let mine: Awaited<ReturnType<typeof bring>>

  beforeAll(async () => {
    const address = site.set(`/lab?${SECRET}`, body(rss(item('Private lab note'), item('An older note', 5))))
    mine = await bring(anna, 'Lab notes', address)
    site.set(`/lab?${SECRET}`, body(rss(item('Private lab note'))))
  })

  it('A personal feed is offered to its user only, and marked', async () => {
    expect(mine.result).toMatchObject({ added: 1, subscribed: 1 })
    const listed = { name: 'Lab notes', rss_feed_url: `${site.url}/lab?${SECRET}`, user_added: true, personal: true }
    for (const params of [{ has_feed: 'true', limit: 500 }, { search: 'Lab notes' }] as const) {
      expect(await offered(anna, params)).toMatchObject([listed])
      for (const other of [ben, admin]) expect(await offered(other, params)).toEqual([])
    }
    expect((await articles(anna, mine.project)).map((one) => one.title)).toEqual(['Private lab note', 'An older note'])
  })

  it('A personal feed answers 404 to other users who follow it, mark its articles, or name it in a document', async () => {
    const project_id = await newProject(ben, 'Curious')
    const { journal_id } = mine.subscription
    expect((await send(ben, api.subscriptions(), { project_id, journal_id })).status).toBe(404)
    const [note] = await articles(anna, mine.project)
    expect((await send(ben, api.feedArticleMarks(note!.id), { read: true }, 'PUT')).status).toBe(404)
    const paper = await ben.json<{ data: { document: { id: string } } }>(api.papers(), {
      body: { project_id, title: 'A paper' },
    })
    expect((await send(ben, api.document(paper.data.document.id), { journal_id }, 'PATCH')).status).toBe(422)
    expect(await articles(ben, project_id)).toEqual([])
  })

  it('A personal feed is separate for another user who adds the same address, and does not reveal the first user', async () => {
    const theirs = await bring(ben, 'Lab notes', `${site.url}/lab?${SECRET}`)
    expect(theirs.result).toMatchObject({ added: 1 })
    expect(theirs.subscription.journal_id).not.toBe(mine.subscription.journal_id)
    // Earlier articles and the time of the last read would show that another user follows the feed.
    expect((await articles(ben, theirs.project)).map((one) => one.title)).toEqual(['Private lab note'])
    expect(theirs.subscription.article_count).toBe(1)
    expect(await offered(ben, { search: 'Lab notes' })).toHaveLength(1)
    expect(await articles(anna, mine.project)).toHaveLength(2)
  })

  it('A personal feed is shown to admins without the query of its address, in every list and in the log', async () => {
    const found = await inCatalogue('Lab notes')
    expect(found).toHaveLength(2)
    const cut = { rss_feed_url: `${site.url}/lab`, rss_feed_cut: true, personal: true, user_added: true }
    for (const one of found) {
      expect(one).toMatchObject(cut)
      expect((await admin.json<{ data: Journal }>(api.adminJournal(one.id))).data).toMatchObject(cut)
      expect((await send(admin, api.adminJournal(one.id), { rss_feed_url: null }, 'PATCH')).status).toBe(422)
      // The preview shows the public page, without the secret of the address.
      site.set('/lab', body(rss(item('Public page'))))
      const preview = await admin.json<{ data: PreviewArticle[] }>(api.adminJournalArticles(one.id))
      expect(preview.data.map(({ title }) => title)).toEqual(['Public page'])
    }
    site.set(`/broken?${SECRET}`, body(rss(item('Works once'))))
    const broken = await bring(anna, 'Broken', `${site.url}/broken?${SECRET}`)
    site.set(`/broken?${SECRET}`, status(500))
    await anna.json(api.subscriptionTry(), {
      body: { project_id: broken.project, journal_id: broken.subscription.journal_id },
    })
    const failing = (await admin.json<{ data: FailingFeed[] }>(api.adminFailingFeeds())).data
    expect(failing.map(({ url, journals }) => [url, journals])).toEqual([[`${site.url}/broken`, ['Broken']]])
    expect(server.output()).not.toContain('SECRET123')
  })
})

// A hundred calls would take long, so the rows are inserted directly.
describe.runIf(process.env['TEST_DATABASE_URL'])('journals added by name', () => {
  it('Journals by name are limited for each user, with a message and Retry-After, except known names and admins', async () => {
    const spammer = await signUp(server.url)
    const project_id = await newProject(spammer, 'Names')
    const paper = async (client: Client, project: string, fields: object) =>
      (
        await client.json<{ data: { document: { id: string; journal_id: string | null; journal_name: string } } }>(
          api.papers(),
          { body: { project_id: project, title: crypto.randomUUID(), ...fields } },
        )
      ).data.document
    const { id } = await paper(spammer, project_id, {})
    const name = (journal_name: string) => send(spammer, api.document(id), { journal_name }, 'PATCH')
    const sql = new PostgresClient({ connectionString: server.databaseUrl })
    await sql.connect()
    await sql.query(
      `insert into journals (name, user_added, added_by) select 'Look-alike ' || n, true, $1 from generate_series(3, $2) n`,
      [spammer.userId, JOURNALS_A_DAY],
    )
    await sql.end()
    for (const n of [1, 2]) expect((await name(`Look-alike ${n}`)).status).toBe(200)
    const refused = await name('One too many')
    expect([refused.status, await refused.json()]).toMatchObject([
      429,
      { error: { message: expect.stringMatching(/^At most 100 new journals can be added within 24 hours\./) } },
    ])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(86_000)
    expect(await offered(spammer, { search: 'One too many' })).toEqual([])
    expect((await name('look-alike 3')).status).toBe(200)
    // A name from a metadata service is stored in the document, without an entry in the catalog.
    const found = await paper(spammer, project_id, { journal: 'Named by a service' })
    expect(found).toMatchObject({ journal_name: 'Named by a service', journal_id: null })
    const [entry] = await offered(ben, { search: 'Look-alike 99' })
    expect(entry).toMatchObject({ user_added: true, personal: false })
  })
})

describe('adopting a journal (admins)', () => {
  it('The adoption of a journal whose address was shown without its query needs a public address, and the user keeps the personal journal', async () => {
    const mine = await bring(anna, 'Tokened', site.set(`/tokened?${SECRET}`, body(rss(item('For subscribers')))))
    const [row] = await inCatalogue('Tokened')
    expect((await send(admin, api.adminJournalAdopt(row!.id), {})).status).toBe(422)
    expect((await adopt(row!.id, row!.rss_feed_url!)).status).toBe(502)
    const url = site.set('/tokened-public', body(rss(item('For everybody'))))
    const answer = await adopt(row!.id, url)
    expect([answer.status, await answer.json()]).toMatchObject([
      200,
      { data: { name: 'Tokened', rss_feed_url: url, personal: false, user_added: false, rss_feed_cut: false } },
    ])
    const [public_] = await offered(ben, { search: 'Tokened' })
    expect(public_).toMatchObject({ rss_feed_url: url, personal: false })
    expect((await offered(anna, { search: 'Tokened' })).filter((one) => one.personal)).toHaveLength(1)
    expect((await articles(anna, mine.project)).map((one) => one.title)).toEqual(['For subscribers'])
    expect((await adopt(row!.id, url)).status).toBe(409)
    expect((await adopt(public_!.id, url)).status).toBe(409)
    const log = (await admin.json<{ data: AuditEntry[] }>('/api/admin/audit?kind=journal')).data
    expect(log[0]).toMatchObject({
      action: 'journal.adopted',
      subject: 'Tokened',
      details: { rss_feed_url: { from: null, to: url } },
    })
    expect(JSON.stringify(log)).not.toContain('SECRET123')
  })

  it('An adopted journal with the same address shows its entry and articles to all users, and subscriptions and marks stay', async () => {
    const url = site.set('/open', body(rss(item('Open one'), item('Open two', 2))))
    const mine = await bring(anna, 'Open science', url)
    const [first] = await articles(anna, mine.project)
    await anna.json(api.feedArticleMarks(first!.id), { method: 'PUT', body: { starred: true } })
    const before = await articles(anna, mine.project)
    const [row] = await inCatalogue('Open science')
    expect(row).toMatchObject({ id: mine.subscription.journal_id, rss_feed_url: url, rss_feed_cut: false })
    expect((await adopt(row!.id, url)).status).toBe(200)
    expect(await articles(anna, mine.project)).toEqual(before)
    const theirs = await newProject(ben, 'Open reading')
    await ben.json(api.subscriptions(), { body: { project_id: theirs, journal_id: row!.id } })
    expect((await articles(ben, theirs)).map((one) => [one.title, one.starred])).toEqual([
      ['Open one', false],
      ['Open two', false],
    ])
  })

  it('An adopted journal gives its feed to the journal with the same name in the catalog that has none', async () => {
    const known = (await admin.json<{ data: Journal }>(api.adminCatalogue(), { body: { name: 'Annals of Naps' } })).data
    const url = site.set('/annals', body(rss(item('A nap'))))
    const mine = await bring(anna, 'annals of naps', url)
    expect((await adopt(mine.subscription.journal_id, url)).status).toBe(200)
    expect(await inCatalogue('annals of naps')).toMatchObject([{ id: known.id, rss_feed_url: url, personal: false }])
    const { data } = await anna.json<{ data: Subscription[] }>(api.subscriptions({ project_id: mine.project }))
    expect(data.map((one) => [one.journal_id, one.article_count])).toEqual([[known.id, 1]])
    expect((await articles(anna, mine.project)).map((one) => one.title)).toEqual(['A nap'])
  })

  it('An adoption is refused to other users', async () => {
    const { subscription } = await bring(anna, 'Mine', site.set('/mine', body(rss(item('Mine')))))
    const asked = { rss_feed_url: `${site.url}/mine` }
    for (const client of [anna, ben])
      expect((await send(client, api.adminJournalAdopt(subscription.journal_id), asked)).status).toBe(403)
  })
})
