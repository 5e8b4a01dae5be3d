import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { FeedArticle, Subscription } from '#shared/contract/feeds.ts'
import { api } from '#shared/contract/paths.ts'
import { body, type FeedServer, item, rss, startFeedServer } from '../helpers/feed-server.ts'
import { type Client, signUp, startServer, type TestServer } from '../helpers/server.ts'

/**
 * This file tests a feed that contains false data about articles of other feeds: another DOI for an article's link, another
 * title for a DOI, or a wrong date. Such a feed must not change what readers of the other feeds see.
 */

let site: FeedServer
let server: TestServer

beforeAll(async () => {
  site = await startFeedServer()
  server = await startServer({ env: { GUARDED_FETCH_ALLOW: site.host } })
})
afterAll(async () => {
  await server.stop()
  await site.stop()
})

const TITLES = ['Paper one', 'Paper two', 'Paper three (critical of drug X)', 'Paper four']
const link = (n: number) => `<link>https://honest.example.org/${n}</link>`
const dc = (doi: string) => `<dc:identifier xmlns:dc="http://purl.org/dc/elements/1.1/">doi:${doi}</dc:identifier>`
const dated = (date: string) => `<pubDate>${new Date(date).toUTCString()}</pubDate>`
const honest = rss(
  ...TITLES.map((title, n) => `<title>${title}</title>${link(n)}<pubDate>${recent(n)}</pubDate>`),
  item('Known by DOI', 9, dc('10.1000/honest.5')),
)
const hostile = rss(
  // The same DOI for two links of the honest feed, one under the honest title and one under another.
  `<title>${TITLES[0]}</title>${link(0)}${dc('10.6666/evil')}${dated('1950-01-01')}<guid>a</guid>`,
  `<title>Nothing to see</title>${link(2)}${dc('10.6666/evil')}${dated('1950-01-02')}<guid>b</guid>`,
  `<title>${TITLES[1]}</title>${link(1)}${dc('10.6666/x')}${dated('1950-01-03')}<guid>c</guid>`,
  `<title>${TITLES[1]}</title>${link(1)}${dc('10.6666/y')}${dated('1950-01-04')}<guid>d</guid>`,
  // The honest feed's DOI under another title, older than the honest article.
  `<title>Something else</title>${link(99)}${dc('10.1000/honest.5')}${dated('1950-01-05')}<guid>e</guid>`,
)

function recent(n: number): string {
  return new Date(Date.now() - (n + 1) * 3_600_000).toUTCString()
}

async function newProject(client: Client): Promise<string> {
  return (await client.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Reading' } })).data.id
}

/** Follows a feed in a project by importing an OPML file, and waits until the server has read the feed. */
async function follow(client: Client, project_id: string, name: string, address: string): Promise<void> {
  const opml = `<opml version="2.0"><body><outline text="${name}" xmlUrl="${address}"/></body></opml>`
  await client.json(api.subscriptionsOpml(), { body: { project_id, opml } })
  const haveAllRead = async () => {
    const { data } = await client.json<{ data: Subscription[] }>(api.subscriptions({ project_id }))
    expect(data.filter((one) => one.last_fetched_at === null)).toEqual([])
  }
  await vi.waitFor(haveAllRead, { timeout: 90_000 })
}

const list = (client: Client, params: Parameters<typeof api.feedArticles>[0]) =>
  client.json<{ data: FeedArticle[]; count: number; unread_at: string }>(api.feedArticles(params))
/** Returns all articles that a user sees of a project's feed: the whole list and filtered lists. */
async function seen(client: Client, project_id: string) {
  // `unread_at` is the time of the request, so it differs between two equal lists.
  const shown = async (filter: Partial<Parameters<typeof api.feedArticles>[0]>) => {
    const { data, count } = await list(client, { project_id, ...filter })
    return { data, count }
  }
  return {
    all: await shown({}),
    critical: await shown({ search: 'critical' }),
    unread: await shown({ unread: 'true' }),
    starred: await shown({ starred: 'true' }),
  }
}

describe('a hostile feed', () => {
  let victim: Client
  let project: string
  let before: Awaited<ReturnType<typeof seen>>
  const evil = () => site.set('/evil', body(hostile))

  beforeAll(async () => {
    victim = await signUp(server.url)
    project = await newProject(victim)
    await follow(victim, project, 'Honest', site.set('/honest', body(honest)))
    const { data } = await list(victim, { project_id: project })
    const idOf = (title: string) => data.find((one) => one.title === title)!.id
    await victim.json(api.feedArticleMarks(idOf(TITLES[3]!)), { method: 'PUT', body: { read: true } })
    await victim.json(api.feedArticleMarks(idOf(TITLES[2]!)), { method: 'PUT', body: { starred: true } })
    before = await seen(victim, project)
  })

  it('A hostile feed changes nothing for a project that does not follow it: count, search, DOIs and marks', async () => {
    expect([before.all.count, before.critical.count, before.unread.count, before.starred.count]).toEqual([5, 1, 4, 1])
    const attacker = await signUp(server.url)
    const theirs = await newProject(attacker)
    await follow(attacker, theirs, 'Evil', evil())
    expect((await list(attacker, { project_id: theirs })).count).toBe(5)
    expect(await seen(victim, project)).toEqual(before)
    // After another read, the correct feed shows the same articles.
    const [honestOne] = (await victim.json<{ data: Subscription[] }>(api.subscriptions({ project_id: project }))).data
    await victim.json(api.subscriptionTry(), { body: { project_id: project, journal_id: honestOne!.journal_id } })
    expect(await seen(victim, project)).toEqual(before)
  })

  it('A hostile feed hides no article of another followed feed, gives it no DOI and moves no mark', async () => {
    await follow(victim, project, 'Evil', evil())
    const { data, count } = await list(victim, { project_id: project, limit: 100 })
    for (const honestOne of before.all.data) {
      const now = data.find((one) => one.id === honestOne.id)
      expect({ ...now, also_in: [] }).toEqual({ ...honestOne, also_in: [] })
    }
    // One of the five items equals an article in every field. The article names it in `also_in`.
    expect([count, data.length]).toEqual([9, 9])
    expect(data.filter((one) => one.also_in.length > 0).map((one) => [one.title, one.also_in])).toEqual([
      [TITLES[0], [{ journal_name: 'Evil', link: 'https://honest.example.org/0' }]],
    ])
    expect((await list(victim, { project_id: project, search: 'critical' })).data).toEqual(before.critical.data)
    expect((await list(victim, { project_id: project, starred: 'true' })).data).toEqual(before.starred.data)
  })
})
