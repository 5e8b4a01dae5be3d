import type { ServerResponse } from 'node:http'
import { Client as PostgresClient } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { IS_LONG_RUN } from '#tests/helpers/long-run.ts'
import type { FeedArticle, Subscription } from '#shared/contract/feeds.ts'
import { api } from '#shared/contract/paths.ts'
import { signUpAdmin } from '../helpers/admin.ts'
import { body, type FeedServer, item, type Reply, rss, startFeedServer, status } from '../helpers/feed-server.ts'
import { type Client, startServer, type TestServer } from '../helpers/server.ts'

/**
 * Whether to run the tests of this file. They change the due times of feeds over a database connection, which needs PostgreSQL.
 */
const onServer = process.env['TEST_DATABASE_URL'] !== undefined

const PATIENT = { timeout: 60_000 }

interface Feed {
  etag: string | null
  interval_minutes: number
  failures: number
  minutes: number
  article_count: number
}

describe.runIf(onServer)('a feed that is read again', () => {
  let site: FeedServer
  let otherSite: FeedServer
  let server: TestServer
  let ada: Client
  let sql: PostgresClient
  let number = 0

  beforeAll(async () => {
    site = await startFeedServer()
    otherSite = await startFeedServer()
    server = await startServer({ env: { GUARDED_FETCH_ALLOW: `${site.host},${otherSite.host}` } })
    ada = await signUpAdmin(server)
    sql = new PostgresClient({ connectionString: server.databaseUrl })
    await sql.connect()
  })
  afterAll(async () => {
    await sql.end()
    await server.stop()
    await site.stop()
    await otherSite.stop()
  })

  /**
   * Creates a project that follows one feed. `first`: the first response of the feed. Returns functions to change and read the
   * feed.
   */
  async function followed(first: Reply, on = site) {
    number += 1
    const path = `/feed-${number}`
    const name = `Journal ${number}`
    const url = on.set(path, body(rss(item('Probe'))))
    const journal = (await ada.json<{ data: { id: string } }>(api.journals(), { body: { name, url } })).data.id
    const project = (await ada.json<{ data: { id: string } }>(api.projects(), { body: { name } })).data.id
    on.set(path, first)
    const follow = () => ada.json(api.subscriptions(), { body: { project_id: project, journal_id: journal } })
    const asked = () => on.requests.filter((one) => one.path === path)
    const state = async (): Promise<Feed> => {
      const { rows } = await sql.query<Feed>(
        `select etag, interval_minutes, failures, article_count,
          round(extract(epoch from next_fetch_at - now()) / 60)::int as minutes from feeds where url = $1`,
        [url],
      )
      return rows[0]!
    }
    return {
      url,
      project,
      follow,
      asked,
      state,
      set: (reply: Reply) => void on.set(path, reply),
      subscription: async () =>
        (await ada.json<{ data: Subscription[] }>(api.subscriptions({ project_id: project }))).data[0]!,
      articles: async () => (await ada.json<{ data: FeedArticle[] }>(api.feedArticles({ project_id: project }))).data,
      /**
       * Makes the feed due, and waits until the server has read it. After that, the next read is due after more than ten
       * minutes.
       */
      read: async () => {
        const before = asked().length
        await sql.query('update feeds set next_fetch_at = now() where url = $1', [url])
        await follow()
        await expect.poll(async () => asked().length > before && (await state()).minutes > 10, PATIENT).toBe(true)
      },
    }
  }

  it('A feed is requested with its ETag and Last-Modified, and less often after an answer without changes', async () => {
    const headers = { etag: '"one"', 'last-modified': 'Wed, 16 Sep 2026 08:00:00 GMT' }
    const feed = await followed(body(rss('<title>Undated</title>'), 'application/rss+xml', headers))
    await feed.read()
    const first = await feed.state()
    expect([first.etag, first.article_count]).toEqual(['"one"', 1])
    feed.set((request, response) => {
      const same = request.headers['if-none-match'] === '"one"'
      response.writeHead(same ? 304 : 500).end()
    })
    await feed.read()
    expect(feed.asked().at(-1)!.headers).toMatchObject({
      'if-none-match': '"one"',
      'if-modified-since': headers['last-modified'],
    })
    const second = await feed.state()
    expect([second.etag, second.failures]).toEqual(['"one"', 0])
    expect(second.interval_minutes).toBe(Math.round(first.interval_minutes * 1.25))
    expect((await feed.articles()).map((one) => one.title)).toEqual(['Undated'])
  })

  it('A feed adds new articles, and updates edited ones, which keep their id and date', async () => {
    const feed = await followed(body(rss(item('Old', 50, '<guid>old</guid>'), item('Kept', 40, '<guid>kept</guid>'))))
    await feed.read()
    const before = await feed.articles()
    const edited = item('Old, corrected', 1, '<guid>old</guid>')
    feed.set(body(rss(item('New', 2, '<guid>new</guid>'), edited, item('Kept', 40, '<guid>kept</guid>'))))
    await feed.read()
    const after = await feed.articles()
    expect(after.map((one) => one.title)).toEqual(['New', 'Kept', 'Old, corrected'])
    expect(after[2]).toMatchObject({ id: before[1]!.id, pubDate: before[1]!.pubDate })
    expect((await feed.state()).article_count).toBe(3)
    // Three articles in 40 hours: the interval is half of the average time between them, 400 minutes. The test takes
    // some minutes on a slow machine.
    expect(Math.abs((await feed.state()).interval_minutes - 400)).toBeLessThan(5)
  })

  it('A failing feed is read less often and reports the error, keeps its articles, and recovers after one success', async () => {
    const feed = await followed(body(rss(item('Here'))))
    await feed.read()
    feed.set(status(500))
    const waits: number[] = []
    for (let turn = 0; turn < 4; turn += 1) {
      await feed.read()
      waits.push((await feed.state()).minutes)
    }
    expect(waits).toEqual([15, 30, 60, 120])
    expect((await feed.subscription()).last_error).toBe('The site answered with the status 500.')
    expect((await feed.articles()).map((one) => one.title)).toEqual(['Here'])
    feed.set(body(rss(item('Here'), item('And there', 2))))
    await feed.read()
    expect(await feed.subscription()).toMatchObject({ last_error: null, article_count: 2 })
    expect((await feed.state()).failures).toBe(0)
  })

  it('A feed waits only for its own site, also when many feeds of a silent site are due', async () => {
    const silent: Awaited<ReturnType<typeof followed>>[] = []
    for (let n = 0; n < 10; n++) silent.push(await followed(body(rss(item(`Silent ${n}`)))))
    const other = await followed(body(rss(item('Other'))), otherSite)
    for (const one of [...silent, other]) await one.read()
    const held: ServerResponse[] = []
    for (const one of silent) one.set((_request, response) => void held.push(response))
    // The feeds that do not answer have been due for longer.
    await sql.query("update feeds set next_fetch_at = now() - interval '1 hour' where url like $1", [`${site.url}%`])
    await sql.query('update feeds set next_fetch_at = now() where url = $1', [other.url])
    const before = other.asked().length
    await other.follow()
    // A feed that does not answer ends after 20 seconds, and the next one of its site is requested.
    await expect.poll(() => held.length, { timeout: 60_000 }).toBe(1)
    await expect.poll(() => other.asked().length, { timeout: 60_000 }).toBeGreaterThan(before)
    for (const one of silent) one.set(body(rss()))
    for (const response of held) response.writeHead(200).end(rss())
  })

  it('A site is not read again before its Retry-After has passed', async () => {
    const one = await followed(status(503, { 'retry-after': '3600' }), otherSite)
    const other = await followed(body(rss(item('Untouched'))), otherSite)
    await one.read()
    const asked = other.asked().length
    await sql.query('update feeds set next_fetch_at = now() where url = $1', [other.url])
    await other.follow()
    await expect.poll(async () => (await other.state()).minutes, PATIENT).toBeGreaterThan(50)
    expect(other.asked()).toHaveLength(asked)
    expect((await other.state()).failures).toBe(0)
  })

  it('A long list shows every article once on all pages, from both ends and in the middle (FEED-06)', async () => {
    const { project } = await followed(body(rss()))
    // Six feeds of a thousand articles. Every tenth article is in all of them; several articles have the same minute.
    await sql.query(`with journal as (
        insert into journals (name, rss_feed_url) select 'Long ' || n, 'http://192.0.2.1/' || n
        from generate_series(1, 6) n returning id, rss_feed_url as url
      ), feed as (
        insert into feeds (url, next_fetch_at, last_fetched_at, article_count)
        select url, now() + interval '1 day', now(), 1000 from journal returning id, url
      ), subscription as (
        insert into user_rss_subscription (user_id, project_id, journal_id)
        select owner_id, projects.id, journal.id from journal, projects where projects.id = '${project}'
      )
      insert into feed_articles (feed_id, item_key, merge_key, title, link, published_at, description, shared)
      select id, 'k' || k, case when k % 10 = 0 then 'doi:twin.' || k else 'doi:' || url || k end, 'Paper ' || k, '#',
        timestamptz '2026-08-01' - make_interval(mins => k / 2), '', k % 10 = 0
      from feed, generate_series(1, 1000) k`)
    const page = (number: number, more = {}) =>
      ada.json<{ data: FeedArticle[]; count: number }>(
        api.feedArticles({ project_id: project, page: number, limit: 100, ...more }),
      )
    const all: FeedArticle[] = []
    for (let number = 1; number <= 55; number += 1) {
      const { data, count } = await page(number)
      expect([number, data.length, count]).toEqual([number, 100, 5500])
      all.push(...data)
    }
    expect(new Set(all.map((one) => one.id)).size).toBe(5500)
    const dates = all.map((one) => one.pubDate)
    expect(dates).toEqual(dates.toSorted().toReversed())
    expect((await page(56)).data).toEqual([])
    for (const one of [all[0]!, all[2700]!])
      await ada.json(api.feedArticleMarks(one.id), { method: 'PUT', body: { read: true } })
    expect((await page(1, { unread: 'true' })).count).toBe(5498)
    expect((await page(1, { unread: 'false' })).data.map((one) => one.id)).toEqual([all[0]!.id, all[2700]!.id])
    expect((await page(1, { search: 'paper 500' })).count).toBe(1)
    expect((await page(3, { search: 'paper' })).count).toBe(5500)
  })

  it.runIf(IS_LONG_RUN)(
    'A feed is read after the server was killed during the reading, without duplicates',
    async () => {
      const done = await followed(body(rss(item('Before'))))
      await done.read()
      let hanging: ServerResponse | undefined
      const feed = await followed((_request, response) => void (hanging = response))
      await feed.follow()
      await expect.poll(() => hanging !== undefined, PATIENT).toBe(true)
      await server.kill('SIGKILL')
      feed.set(body(rss(item('After the crash'), item('And this', 2))))
      await server.restart()
      await expect.poll(async () => (await feed.articles()).length, PATIENT).toBe(2)
      expect((await feed.state()).article_count).toBe(2)
      expect((await done.articles()).map((one) => one.title)).toEqual(['Before'])
    },
  )
})
