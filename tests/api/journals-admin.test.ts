import { Client as PostgresClient } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CreatedKey } from '#shared/contract/api-keys.ts'
import type { AuditEntry } from '#shared/contract/audit.ts'
import type { PreviewArticle } from '#shared/contract/feeds.ts'
import {
  type ExcludedJournal,
  type FoundSource,
  type Journal,
  type JournalOption,
  JOURNALS_A_DAY,
  type ListedJournal,
} from '#shared/contract/journals.ts'
import { api } from '#shared/contract/paths.ts'
import { signUpAdmin } from '../helpers/admin.ts'
import { inDatabase } from '../helpers/database.ts'
import { body, type FeedServer, item, rss, startFeedServer } from '../helpers/feed-server.ts'
import { type Client, signUp, startServer, type TestServer } from '../helpers/server.ts'
import { sampleSource, type SourceServer, startSourceServer } from '../helpers/source-server.ts'

let openAlex: SourceServer
let site: FeedServer
let server: TestServer
let admin: Client

beforeAll(async () => {
  openAlex = await startSourceServer()
  openAlex.setCatalogue(25)
  site = await startFeedServer()
  server = await startServer({ env: { OPENALEX_URL: openAlex.url, GUARDED_FETCH_ALLOW: site.host } })
  admin = await signUpAdmin(server)
})
afterAll(async () => {
  await server.stop()
  await openAlex.stop()
  await site.stop()
})

const list = (params = {}) => admin.json<{ data: ListedJournal[]; count: number }>(api.adminCatalogue(params))
const add = async (fields: object) => (await admin.json<{ data: Journal }>(api.adminCatalogue(), { body: fields })).data
const patch = async (id: string, fields: object) =>
  (await admin.json<{ data: Journal }>(api.adminJournal(id), { method: 'PATCH', body: fields })).data
const excluded = async () => (await admin.json<{ data: ExcludedJournal[] }>(api.adminExcluded())).data
const exclude = async (entry: object) =>
  (await admin.json<{ data: ExcludedJournal }>(api.adminExcluded(), { body: entry })).data
/** Sends a call as an admin, which must fail. Returns its status and its error message. */
async function refusal(path: string, method: string, content?: unknown): Promise<[number, string]> {
  const response = await admin.fetch(path, {
    method,
    ...(content === undefined
      ? {}
      : { body: JSON.stringify(content), headers: { 'content-type': 'application/json' } }),
  })
  return [response.status, ((await response.json()) as { error: { message: string } }).error.message]
}

describe('the catalog', () => {
  it('The catalog is paged by name without excluded journals, with full pages and a correct count (ADMJ-03, ADMJ-05, ADMJ-06, ADMX-06, ADMX-07, CONST-24, CONST-25, CONST-34, API-35)', async () => {
    const made: Journal[] = []
    for (let n = 0; n < 55; n += 1)
      made.push(await add({ name: `Paged ${String(n).padStart(3, '0')}`, openalex_id: `S${9000 + n}` }))
    const bulk = await admin.json<{ data: unknown }>(api.adminExcludedBulk(), {
      body: { journal_ids: made.slice(10, 14).map(({ id }) => id) },
    })
    expect(bulk.data).toEqual({ excluded: 4, without_id: [] })
    const first = await list()
    expect([first.count, first.data.length]).toEqual([51, 50])
    expect(first.data.map(({ name }) => name)).toEqual(first.data.map(({ name }) => name).toSorted())
    expect(first.data.some(({ id }) => id === made[10]!.id)).toBe(false)
    expect(new Set(first.data.map((row) => row.document_count))).toEqual(new Set([0]))
    expect((await list({ page: 2 })).data.map(({ id }) => id)).toEqual([made[54]!.id])
    // The lists of users omit them, too.
    const options = await admin.json<{ count: number }>(api.journals({ search: 'Paged', limit: 500 }))
    expect(options.count).toBe(51)

    const [entry] = await excluded()
    expect(entry).toMatchObject({ reason: 'Bulk excluded' })
    for (const { id } of await excluded())
      expect((await admin.fetch(api.adminExcludedOne(id), { method: 'DELETE' })).status).toBe(204)
    expect((await list()).count).toBe(55)
    const { data } = await admin.json<{ data: { count: number; last_updated: string } }>(api.adminCatalogueSummary())
    expect([data.count, Date.parse(data.last_updated) > 0]).toEqual([55, true])
  })

  it('The catalog is searched by name, publisher and ISSN-L, with a hundred results at most (ADMJ-02, CONST-26)', async () => {
    await add({ name: 'Zoology 100%', publisher: 'Beast Press', issn_l: '7777-1234' })
    for (const search of ['ology 100%', 'beast', '7777-12']) expect((await list({ search })).count).toBe(1)
    expect((await list({ search: '%' })).count).toBe(1)
    expect((await list({ search: 'paged', limit: 100 })).data).toHaveLength(55)
    expect(await refusal(api.adminCatalogue({ limit: 101 }), 'GET')).toMatchObject([400, expect.any(String)])
  })

  it('The catalog adds a journal by hand, edits and deletes it, and records each change (ADMJ-15, ADMJ-16, API-31, API-33)', async () => {
    expect(await refusal(api.adminCatalogue(), 'POST', { name: ' ' })).toEqual([422, 'Journal name is required'])
    const made = await add({ name: ' By hand ', publisher: '', issn_l: ' ' })
    expect(made).toMatchObject({ name: 'By hand', publisher: null, issn_l: null, user_added: false })
    const changed = await patch(made.id, {
      homepage_url: ' example.org/journal ',
      rss_feed_url: 'no address',
      openalex_id: 'S424242',
      works_count: '17',
      h_index: '',
    })
    expect(changed).toMatchObject({
      homepage_url: 'https://example.org/journal',
      rss_feed_url: null,
      openalex_id: 'https://openalex.org/S424242',
      works_count: 17,
      h_index: null,
    })
    const [status, said] = await refusal(api.adminCatalogue(), 'POST', { name: 'Twice', openalex_id: '424242' })
    expect([status, said]).toEqual([409, 'By hand is in the catalog already.'])
    expect((await admin.fetch(api.adminJournal(made.id), { method: 'DELETE' })).status).toBe(204)
    expect(await refusal(api.adminJournal(made.id), 'GET')).toEqual([404, 'Journal not found'])
    const { data } = await admin.json<{ data: AuditEntry[] }>('/api/admin/audit?kind=journal&limit=3')
    expect(data.map(({ action, subject }) => [action, subject])).toEqual([
      ['journal.deleted', 'By hand'],
      ['journal.changed', 'By hand'],
      ['journal.added', 'By hand'],
    ])
    expect(data[1]!.details).toEqual({
      homepage_url: { from: null, to: 'https://example.org/journal' },
      openalex_id: { from: null, to: 'https://openalex.org/S424242' },
      works_count: { from: null, to: 17 },
    })
  })
})

it('The catalog stores null for an invalid address of a journal (ADMJ-27)', async () => {
  const invalid = { homepage_url: 'no address', rss_feed_url: 'ftp://example.org', openalex_id: 'example.org/S424243' }
  const nulls = { homepage_url: null, rss_feed_url: null, openalex_id: null }
  const made = await add({ name: 'Without addresses', ...invalid })
  expect(made).toMatchObject(nulls)
  await patch(made.id, { openalex_id: 'S424243' })
  expect(await patch(made.id, invalid)).toMatchObject(nulls)
  await admin.fetch(api.adminJournal(made.id), { method: 'DELETE' })
})

describe('OpenAlex', () => {
  it('OpenAlex is searched as specified, and each result shows its state in the catalog (ADMJ-12, CONST-27)', async () => {
    openAlex.seen.length = 0
    const { data, count } = await admin.json<{ data: FoundSource[]; count: number }>(
      api.adminSources({ search: 'letters 1' }),
    )
    expect(openAlex.seen).toEqual(['/sources?search=letters+1&page=1&per-page=10'])
    // 1 and 10 to 19.
    expect([count, data.length]).toEqual([11, 10])
    const { journal_id: _, excluded: __, type: ___, ...fields } = data[0]!
    const made = await add(fields)
    await exclude({ openalex_id: data[1]!.openalex_id })
    const again = await admin.json<{ data: FoundSource[] }>(api.adminSources({ search: 'letters 1' }))
    expect(again.data.slice(0, 3).map((one) => [one.journal_id, one.excluded])).toEqual([
      [made.id, false],
      [null, true],
      [null, false],
    ])
    expect(made).toMatchObject({ name: 'Botany Letters 1', publisher: 'Press 1', h_index: 1, works_count: 3 })
  })

  it('OpenAlex refreshes a journal, and the call reports why it cannot (ADMJ-20, MSG-93, MSG-94)', async () => {
    const made = await add({ name: 'Old name', openalex_id: 'https://openalex.org/S1000002', description: 'Kept' })
    const { data } = await admin.json<{ data: Journal }>(api.adminJournalRefresh(made.id), { method: 'POST' })
    expect(data).toMatchObject({ name: 'Ethics Letters 2', citations_count: 14, description: 'Kept' })
    openAlex.setCatalogue(25, (n) => sampleSource(n, { cited_by_count: null }))
    const still = await admin.json<{ data: Journal }>(api.adminJournalRefresh(made.id), { method: 'POST' })
    expect(still.data.citations_count).toBe(14)
    const failed = [502, 'Failed to fetch journal data from OpenAlex. It has no journal with this ID.']
    await patch(made.id, { openalex_id: 'S1' })
    expect(await refusal(api.adminJournalRefresh(made.id), 'POST')).toEqual(failed)
    await patch(made.id, { openalex_id: null })
    expect(await refusal(api.adminJournalRefresh(made.id), 'POST')).toEqual([
      422,
      'No OpenAlex ID available for this journal',
    ])
    const without = await refusal(api.adminExcludedBulk(), 'POST', { journal_ids: [made.id] })
    expect(without).toEqual([422, 'No OpenAlex ID available for this journal'])
  })

  // Only a server of PostgreSQL has a second connection that can lock a row.
  it.skipIf(!process.env['TEST_DATABASE_URL'])(
    'A refresh from OpenAlex preserves a name, and is refused for a former OpenAlex ID, that changes meanwhile',
    async () => {
      openAlex.setCatalogue(25)
      const { id } = await add({ name: 'Old name', openalex_id: 'S1000003' })
      const other = new PostgresClient({ connectionString: server.databaseUrl })
      await other.connect()
      /** Refreshes the journal while another transaction changes it. Returns the status. */
      const refreshDuring = async (change: string) => {
        await other.query(`begin; update journals set ${change} where id = '${id}'`)
        const answer = admin.fetch(api.adminJournalRefresh(id), { method: 'POST' })
        const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
          and query ilike '%"journals"%'`
        await expect.poll(() => inDatabase(server, waiting)).not.toEqual([])
        await other.query('commit')
        return (await answer).status
      }
      const current = async () => (await admin.json<{ data: Journal }>(api.adminJournal(id))).data
      try {
        expect(await refreshDuring(`name = 'Typed', edited_fields = '{name}'`)).toBe(200)
        expect(await current()).toMatchObject({ name: 'Typed', publisher: 'Press 3' })
        expect(await refreshDuring(`openalex_id = 'https://openalex.org/S1000004'`)).toBe(409)
        expect(await current()).toMatchObject({ openalex_id: 'https://openalex.org/S1000004' })
      } finally {
        await other.end()
      }
    },
  )
})

it('An exclusion is added by id or address, with a known or found name (ADMX-01, ADMX-02, ADMX-03, ADMX-04, ADMX-05, ADMJ-14, ADMJ-18, CONST-35, API-34)', async () => {
  expect(await refusal(api.adminExcluded(), 'POST', { openalex_id: ' ' })).toEqual([422, 'OpenAlex ID is required'])
  const made = [
    await exclude({ openalex_id: 'https://openalex.org/s1000020', reason: 'Not peer reviewed' }),
    await exclude({ openalex_id: 'S9001' }),
    await exclude({ openalex_id: '77' }),
  ]
  expect(openAlex.seen.slice(-2)).toEqual(['/sources/S1000020', '/sources/S77'])
  expect(made.map(({ openalex_id, journal_name, reason }) => [openalex_id, journal_name, reason])).toEqual([
    ['S1000020', 'Sleep Letters 20', 'Not peer reviewed'],
    ['S9001', 'Paged 001', 'Manually excluded'],
    ['S77', 'Unknown Journal', 'Manually excluded'],
  ])
  expect((await excluded()).slice(0, 3).map(({ id }) => id)).toEqual(made.map(({ id }) => id).toReversed())
  const { data, count } = await admin.json<{ data: ExcludedJournal[]; count: number }>(
    `${api.adminExcluded()}?page=2&limit=1`,
  )
  expect([data.map(({ id }) => id), count]).toEqual([[made[1]!.id], (await excluded()).length])
  expect(await refusal(api.adminExcluded(), 'POST', { openalex_id: 'S77' })).toEqual([
    409,
    'This journal is excluded already.',
  ])
  const [status] = await refusal(api.adminCatalogue(), 'POST', { name: 'Hidden at once', openalex_id: 'S77' })
  expect(status).toBe(409)
})

it('A feed preview has the first five articles, and finds the feed on the home page (ADMJ-22, CONST-20)', async () => {
  const items = Array.from({ length: 7 }, (_, n) => item(`Article ${n}`))
  const feed = site.set('/feed.xml', body(rss(...items)))
  const head = '<link rel="alternate" type="application/rss+xml" href="/feed.xml">'
  const home = site.set('/home', body(`<html><head>${head}</head></html>`, 'text/html'))
  const made = await add({ name: 'With a feed', homepage_url: home })
  const articles = async () =>
    (await admin.json<{ data: PreviewArticle[] }>(api.adminJournalArticles(made.id))).data.map(({ title }) => title)
  expect(await articles()).toEqual([])
  const { data } = await admin.json<{ data: Journal }>(api.adminJournalFindFeed(made.id), { method: 'POST' })
  expect(data.rss_feed_url).toBe(feed)
  expect(await articles()).toEqual(['Article 0', 'Article 1', 'Article 2', 'Article 3', 'Article 4'])
  site.set('/feed.xml', body('not a feed', 'text/plain'))
  expect(await refusal(api.adminJournalArticles(made.id), 'GET')).toEqual([
    502,
    'Failed to fetch RSS feed. Please check the URL and try again.',
  ])
  const homeless = await add({ name: 'Without a home' })
  expect((await refusal(api.adminJournalFindFeed(homeless.id), 'POST'))[0]).toBe(422)
})

it('The search for a feed does not replace an address that another administrator entered meanwhile', async () => {
  const home = `${site.url}/meanwhile`
  const made = await add({ name: 'Entered meanwhile', homepage_url: home })
  const typed = 'https://example.org/typed'
  const link = '<link rel="alternate" type="application/rss+xml" href="/feed-of-home">'
  site.set('/feed-of-home', body(rss(item('Found'))))
  const page = body(`<html><head>${link}</head></html>`, 'text/html')
  site.set('/meanwhile', (...call) => void patch(made.id, { rss_feed_url: typed }).then(() => page(...call)))
  expect(await refusal(api.adminJournalFindFeed(made.id), 'POST')).toEqual([
    409,
    'This journal has another feed already.',
  ])
  site.set(
    '/meanwhile',
    (...call) => void patch(made.id, { rss_feed_url: null, homepage_url: typed }).then(() => page(...call)),
  )
  expect((await refusal(api.adminJournalFindFeed(made.id), 'POST'))[0]).toBe(409)
  const { data } = await admin.json<{ data: Journal }>(api.adminJournal(made.id))
  expect(data).toMatchObject({ rss_feed_url: null, homepage_url: typed })
})

describe('journals that users add by name', () => {
  const post = (client: Pick<Client, 'fetch'>, content: object) =>
    client.fetch(api.journals(), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(content),
    })
  const answerOf = async (response: Response): Promise<[number, JournalOption]> => [
    response.status,
    ((await response.json()) as { data: JournalOption }).data,
  ]

  it('A user adds a journal by its name, and a known name returns the journal that is there (API-32, EDIT-05, EDIT-06, CONST-17)', async () => {
    const [ada, ben] = [await signUp(server.url), await signUp(server.url)]
    const [status, made] = await answerOf(await post(ada, { name: ' Sleep Letters ' }))
    const fields = { name: 'Sleep Letters', rss_feed_url: null, user_added: true, personal: false }
    expect([status, made]).toEqual([201, { id: expect.any(String) as string, ...fields }])
    expect(await answerOf(await post(ben, { name: 'sleep LETTERS' }))).toEqual([200, made])
    expect((await list({ search: 'Sleep Letters' })).data).toMatchObject([{ id: made.id, user_added: true }])
    // An excluded journal is found by its name, and stays hidden.
    const hidden = await add({ name: 'Hidden Letters', openalex_id: 'S515151' })
    await exclude({ openalex_id: 'S515151' })
    const [found, { id, user_added }] = await answerOf(await post(ada, { name: 'Hidden Letters' }))
    expect([found, id, user_added]).toEqual([200, hidden.id, false])
    const listed = async (search: string) => (await ada.json<{ data: JournalOption[] }>(api.journals({ search }))).data
    expect([await listed('Sleep Letters'), await listed('Hidden Letters')]).toEqual([[made], []])
    // Concurrent calls add one journal.
    const calls = Array.from({ length: 6 }, async () => answerOf(await post(ada, { name: 'Simultaneous Letters' })))
    const answers = await Promise.all(calls)
    expect(answers.filter(([one]) => one === 201)).toHaveLength(1)
    expect(new Set(answers.map(([, journal]) => journal.id)).size).toBe(1)
  })

  it('A journal is refused without a name, above the daily limit, and with a feed from a user or a key (API-32)', async () => {
    const ada = await signUp(server.url)
    const reasonOf = async (response: Response) => [
      response.status,
      ((await response.json()) as { error: { message: string } }).error.message,
    ]
    expect(await reasonOf(await post(ada, { name: ' ' }))).toEqual([422, 'Journal name is required'])
    expect((await post(ada, { name: 'x'.repeat(501) })).status).toBe(422)
    const url = site.set('/letters', body(rss(item('Letter'))))
    const onlyAdmins = [403, 'Only admins can add journals to the catalog.']
    expect(await reasonOf(await post(ada, { name: 'Fed Letters', url }))).toEqual(onlyAdmins)
    // A key of an admin has no rights of an admin.
    const { data: key } = await admin.json<{ data: CreatedKey }>(api.keys(), {
      body: { name: 'Key', scopes: ['read', 'write'], project_ids: null },
    })
    const byKey = {
      fetch: (path: string, { headers, ...init }: RequestInit = {}) =>
        fetch(server.url + path, {
          ...init,
          headers: { ...(headers as object), authorization: `Bearer ${key.key}` },
        }),
    }
    expect(await reasonOf(await post(byKey, { name: 'Fed Letters', url }))).toEqual(onlyAdmins)
    expect((await post(byKey, { name: 'Letters by Key' })).status).toBe(201)
    await inDatabase(
      server,
      `insert into journals (name, user_added, added_by) select 'Many ' || n, true, $1 from generate_series(1, $2::int) n`,
      [ada.userId, JOURNALS_A_DAY],
    )
    const refused = await post(ada, { name: 'One too many' })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(80_000)
    expect(await reasonOf(refused)).toEqual([429, expect.stringMatching(/^At most 100 new journals/) as string])
    expect((await post(ada, { name: 'many 1' })).status).toBe(200)
  })
})
