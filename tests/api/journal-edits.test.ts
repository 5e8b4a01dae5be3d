import { afterAll, beforeAll, expect, it } from 'vitest'
import type { JournalImport } from '#shared/contract/journal-import.ts'
import type { Journal, ListedJournal } from '#shared/contract/journals.ts'
import { api } from '#shared/contract/paths.ts'
import { signUpAdmin } from '#tests/helpers/admin.ts'
import { type Client, startServer, type TestServer } from '#tests/helpers/server.ts'
import { sampleSource, type SourceServer, startSourceServer } from '#tests/helpers/source-server.ts'

let openAlex: SourceServer
let server: TestServer
let admin: Client

beforeAll(async () => {
  openAlex = await startSourceServer()
  server = await startServer({ env: { OPENALEX_URL: openAlex.url } })
  admin = await signUpAdmin(server)
})
afterAll(async () => {
  await server?.stop()
  await openAlex?.stop()
})

async function update(): Promise<JournalImport> {
  const started = await admin.json<{ data: JournalImport }>(api.adminUpdateJournals(), { body: { action: 'update' } })
  const last = async () => (await admin.json<{ data: JournalImport[] }>(api.adminUpdateJournals())).data[0]!
  await expect.poll(last, { timeout: 90_000 }).toMatchObject({ id: started.data.id, status: 'completed' })
  return last()
}
async function journal(n: number): Promise<Journal> {
  const { data } = await admin.json<{ data: ListedJournal[] }>(api.adminCatalogue({ limit: 100 }))
  return data.find(({ openalex_id }) => openalex_id?.endsWith(`/S${1_000_000 + n}`))!
}
const patch = async (n: number, body: object) =>
  (await admin.json<{ data: Journal }>(api.adminJournal((await journal(n)).id), { method: 'PATCH', body })).data
const refresh = async (n: number) =>
  (await admin.json<{ data: Journal }>(api.adminJournalRefresh((await journal(n)).id), { method: 'POST' })).data

it('An update from OpenAlex keeps the fields that an admin edited, and never writes a placeholder over a name', async () => {
  openAlex.setCatalogue(5)
  expect(await update()).toMatchObject({ newJournals: 5 })
  expect((await journal(2)).edited_fields).toEqual([])

  // Unchanged values and fields that OpenAlex does not fill are not marked.
  const edited = await patch(2, {
    name: 'My good name',
    publisher: 'My publisher',
    homepage_url: null,
    issn_l: '1002-000X',
    description: 'Mine',
    rss_feed_url: 'https://example.org/feed',
  })
  expect(edited.edited_fields).toEqual(['homepage_url', 'name', 'publisher'])

  const change = { host_organization_name: 'Press new', cited_by_count: 99, homepage_url: 'https://example.org/new' }
  openAlex.setCatalogue(5, (n) =>
    sampleSource(n, { ...change, display_name: n === 3 ? null : `Renamed by OpenAlex ${n}` }),
  )
  expect(await update()).toMatchObject({ updatedJournals: 5, newJournals: 0 })
  const kept = { name: 'My good name', publisher: 'My publisher', homepage_url: null, citations_count: 99 }
  expect(await journal(2)).toMatchObject({ ...kept, description: 'Mine' })
  expect(await journal(1)).toMatchObject({ name: 'Renamed by OpenAlex 1', publisher: 'Press new' })
  expect(await journal(3)).toMatchObject({ name: 'Optics Letters 3', publisher: 'Press new' })
  // Nothing is left to change.
  expect(await update()).toMatchObject({ updatedJournals: 0, skippedJournals: 5 })

  expect(await refresh(2)).toMatchObject(kept)
  expect(await refresh(3)).toMatchObject({ name: 'Optics Letters 3' })

  const givenBack = await patch(2, { give_back: ['name', 'homepage_url'] })
  expect(givenBack).toMatchObject({ name: 'My good name', edited_fields: ['publisher'] })
  expect(await update()).toMatchObject({ updatedJournals: 1 })
  const filled = { name: 'Renamed by OpenAlex 2', homepage_url: 'https://example.org/new', publisher: 'My publisher' }
  expect(await journal(2)).toMatchObject(filled)
  await patch(2, { give_back: ['publisher'] })
  expect(await refresh(2)).toMatchObject({ ...filled, publisher: 'Press new', edited_fields: [] })
})

it('An edit of a field that another administrator changed meanwhile is refused with the current journal (SHR-30)', async () => {
  const { data: seen } = await admin.json<{ data: Journal }>(api.adminCatalogue(), { body: { name: 'Sleep Letters' } })
  const send = async (body: object) => {
    const headers = { 'content-type': 'application/json' }
    const response = await admin.fetch(api.adminJournal(seen.id), {
      method: 'PATCH',
      headers,
      body: JSON.stringify(body),
    })
    return (await response.json()) as { data?: Journal; error?: { code: string; fields: object; current: Journal } }
  }
  const first = await send({ publisher: 'Ada', version: seen.version })
  expect(first.data!.version).toBe(seen.version + 1)
  const { error } = await send({ publisher: 'Ben', description: 'Short papers', version: seen.version })
  expect(error).toMatchObject({ code: 'changed', current: { publisher: 'Ada', description: null } })
  expect(Object.keys(error!.fields)).toEqual(['publisher'])
  const other = await send({ description: 'Short papers', version: seen.version })
  expect(other.data).toMatchObject({ publisher: 'Ada', description: 'Short papers' })
})
