import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ImportProgress, JournalImport } from '#shared/contract/journal-import.ts'
import type { ListedJournal } from '#shared/contract/journals.ts'
import { api } from '#shared/contract/paths.ts'
import { signUpAdmin } from '../helpers/admin.ts'
import { inDatabase } from '../helpers/database.ts'
import { type Client, signIn, startServer, type TestServer } from '../helpers/server.ts'
import { sampleSource, type SourceServer, startSourceServer } from '../helpers/source-server.ts'

const COUNT = 2500
let openAlex: SourceServer
let server: TestServer
let admin: Client

beforeAll(async () => {
  openAlex = await startSourceServer()
  openAlex.setCatalogue(COUNT)
  // Needs the embedded database: it requeues the jobs of a killed process at once, and a PostgreSQL server after 30
  // seconds.
  server = await startServer({ env: { OPENALEX_URL: openAlex.url, DATABASE_URL: '' } })
  admin = await signUpAdmin(server)
})
afterAll(async () => {
  await server.stop()
  await openAlex.stop()
})

const begin = () => admin.fetch(api.adminUpdateJournals(), START)
const START = {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ action: 'update' }),
}
const runs = async () => (await admin.json<{ data: JournalImport[] }>(api.adminUpdateJournals())).data
const catalogue = (search = '') =>
  admin.json<{ data: ListedJournal[]; count: number }>(api.adminCatalogue({ search, limit: 100 }))

interface Heard {
  id: string
  data: ImportProgress
}

/** Reads the status stream of the catalog import. Returns its events up to the first event that satisfies `isEnough`. */
async function listen(isEnough: (state: ImportProgress) => boolean, lastEventId?: string): Promise<Heard[]> {
  const control = new AbortController()
  const response = await admin.fetch(api.adminUpdateJournalsStatus(), {
    signal: control.signal,
    ...(lastEventId === undefined ? {} : { headers: { 'last-event-id': lastEventId } }),
  })
  expect(response.headers.get('content-type')).toContain('text/event-stream')
  const heard: Heard[] = []
  let text = ''
  for await (const part of response.body!.pipeThrough(new TextDecoderStream())) {
    text += part
    const blocks = text.split('\n\n')
    text = blocks.pop()!
    for (const block of blocks) {
      const data = /^data: (.*)$/m.exec(block)?.[1]
      if (data) heard.push({ id: /^id: (.*)$/m.exec(block)![1]!, data: JSON.parse(data) as ImportProgress })
    }
    if (heard.some(({ data: state }) => isEnough(state))) break
  }
  control.abort()
  return heard
}
const ended = ({ status }: ImportProgress) => status !== 'running'

describe('the update of the catalog from OpenAlex', () => {
  it('The update continues from its cursor after kill -9 and ends with exact counters (ADMI-02, ADMI-03, ADMI-04, ADMI-05)', async () => {
    const half = openAlex.hold(1200)
    const started = await begin()
    expect([started.status, ((await started.json()) as { data: JournalImport }).data.status]).toEqual([202, 'running'])
    await half.asked
    const before = await listen((state) => state.currentPage === 12)
    expect(before.at(-1)!.data).toMatchObject({
      status: 'running',
      progress: 48,
      totalProcessed: 1200,
      newJournals: 1200,
    })

    const again = await begin()
    expect([again.status, await again.text()]).toEqual([
      409,
      expect.stringContaining('A journal update is running already.'),
    ])

    await server.kill('SIGKILL')
    half.release()
    openAlex.seen.length = 0
    await server.restart()
    admin = await signIn(server.url, admin)
    const heard = await listen(ended, before.at(-1)!.id)
    const last = heard.at(-1)!
    expect(last.data).toMatchObject({
      status: 'completed',
      progress: 100,
      totalProcessed: COUNT,
      newJournals: COUNT,
      updatedJournals: 0,
      skippedJournals: 0,
      excludedJournals: 0,
      errors: 0,
      currentPage: 25,
      message: `Processed 2,500 journals. Added 2,500 new journals and updated 0 existing journals.`,
    })
    expect(last.data.totalTime).toBe(last.data.elapsedTime)
    // The remaining 13 pages, and the empty page that ends the list.
    expect(openAlex.seen).toHaveLength(14)
    expect(openAlex.seen[0]).toContain('per_page=100')
    expect((await catalogue()).count).toBe(COUNT)
    await expect
      .poll(() => inDatabase(server, `select reltuples from pg_class where oid = 'journals'::regclass`))
      .toEqual([{ reltuples: COUNT }])
  })

  it('The update adds, changes, skips and excludes journals, and counts unreadable ones (ADMI-04, ADMX-06)', async () => {
    const { data: typed } = await admin.json<{ data: { id: string } }>(api.adminCatalogue(), {
      body: { name: 'Known by its ISSN alone', issn_l: '1234-5678', publisher: 'Own words' },
    })
    for (const n of [1, 2]) await admin.json(api.adminExcluded(), { body: { openalex_id: `S${1_000_000 + n}` } })
    openAlex.setCatalogue(COUNT + 3, (n) => {
      if (n === 5) return sampleSource(n, { id: null })
      if (n >= 10 && n < 20) return sampleSource(n, { works_count: 41 })
      // A missing value does not change the stored one.
      if (n === 30) return sampleSource(n, { host_organization_name: null })
      if (n === COUNT) return sampleSource(n, { issn_l: '1234-5678', host_organization_name: null })
      if (n === COUNT + 1) return sampleSource(n, { display_name: null })
      return sampleSource(n, { updated_date: '2026-02-02T00:00:00' })
    })
    expect((await begin()).status).toBe(202)
    const [last] = (await listen(ended)).slice(-1)
    expect(last!.data).toMatchObject({
      status: 'completed',
      totalProcessed: COUNT + 3,
      newJournals: 2,
      updatedJournals: 11,
      skippedJournals: COUNT + 3 - 2 - 11 - 2 - 1,
      excludedJournals: 2,
      errors: 1,
    })
    const adopted = await admin.json<{ data: ListedJournal }>(api.adminJournal(typed.id))
    expect(adopted.data).toMatchObject({
      openalex_id: `https://openalex.org/S${1_000_000 + COUNT}`,
      publisher: 'Own words',
    })
    expect((await catalogue('Unknown Journal')).count).toBe(1)
    // All journals except the two excluded ones. The manual journal is now a journal of OpenAlex.
    expect((await catalogue()).count).toBe(COUNT + 3 - 2)
    expect((await listen(ended, 'of another run')).at(-1)).toMatchObject({ id: last!.id })
  })

  it('The update can be cancelled, and stored journals stay', async () => {
    openAlex.setCatalogue(COUNT, (n) => sampleSource(n, { cited_by_count: 1 }))
    const half = openAlex.hold(500)
    expect((await begin()).status).toBe(202)
    await half.asked
    const { data } = await admin.json<{ data: JournalImport }>(api.adminUpdateJournalsCancel(), { method: 'POST' })
    half.release()
    expect(data).toMatchObject({ status: 'error', message: 'Cancelled', cancelled: true, currentPage: 5 })
    expect((await admin.fetch(api.adminUpdateJournalsCancel(), { method: 'POST' })).status).toBe(409)
    const [latest, ...older] = await runs()
    expect([latest!.cancelled, older.map(({ status }) => status)]).toEqual([true, ['completed', 'completed']])
  })

  it('The update ends with a message when OpenAlex requires a key, and the call refuses an unknown action', async () => {
    openAlex.fail(403)
    expect((await begin()).status).toBe(202)
    const [last] = (await listen(ended)).slice(-1)
    expect(last!.data).toMatchObject({
      status: 'error',
      message: 'OpenAlex asks for a key, and none is configured here.',
    })
    const other = await admin.fetch(api.adminUpdateJournals(), { ...START, body: '{"action":"delete"}' })
    expect(other.status).toBe(422)
  })
})
