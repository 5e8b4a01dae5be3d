import { readdir, readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { adminCommand } from '#tests/helpers/admin.ts'
import { signUp, startServer, type Client, type TestServer } from '#tests/helpers/server.ts'
import { api, functionPath } from '#shared/contract/paths.ts'

/** This file tests the rows that the API returns against the specification: names of fields, orders, defaults and rights. */

const paper = new Uint8Array(await readFile(new URL('../fixtures/paper.pdf', import.meta.url)))
const words = await readFile(new URL('../fixtures/paper.txt', import.meta.url), 'utf8')

let server: TestServer
let ada: Client
let bob: Client
let project: string
let document: string
beforeAll(async () => {
  server = await startServer()
  ada = await signUp(server.url)
  bob = await signUp(server.url)
  project = (await one(api.projects(), { name: 'Entities', tags: ['zinc', 'Alpha', 'middle'] }))['id'] as string
  document = (await ada.upload(project, new File([paper], 'paper.pdf', { type: 'application/pdf' }))).id
})
afterAll(() => server.stop())

type Row = Record<string, unknown>
const one = async (path: string, body?: unknown, method?: string): Promise<Row> => {
  const answer = await ada.json<{ data: Row }>(path, {
    ...(body === undefined ? {} : { body }),
    ...(method === undefined ? {} : { method }),
  })
  return answer.data
}
const status = async (client: Client, path: string, body: unknown, method = 'POST') =>
  (await client.fetch(path, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }))
    .status

describe('one row', () => {
  it('A response with one row is {data: {...}}, without other fields (API-05)', async () => {
    for (const path of [api.project(project), api.document(document), api.profile(ada.userId)])
      expect([path, Object.keys(await ada.json<object>(path))]).toEqual([path, ['data']])
  })

  it.each([
    [
      'a project (API-13)',
      () => api.project(project),
      'id name description hero_image research_question is_default created_at updated_at owner_id tags document_count feed_count',
    ],
    [
      'a profile (API-18)',
      () => api.profile(ada.userId),
      'id email full_name display_name bio avatar_url is_admin created_at updated_at',
    ],
    [
      'a document (API-21)',
      () => api.document(document),
      'id project_id owner_id title filename source_url extracted_text doi_link publication_date journal_name journal_id semantic_paperid summary lifestyle_recommendations evidence_level keywords social_post insights status analysis_model analyzed_at vectorized_at created_at',
    ],
  ])('The row of %s has the specified fields (API-13, API-18, API-21)', async (_what, path, fields) => {
    expect(Object.keys(await one(path()))).toEqual(expect.arrayContaining(fields.split(' ')))
  })

  it('A profile has the id of its user (API-18)', async () => {
    expect(await one(api.profile(ada.userId))).toMatchObject({ id: ada.userId, email: ada.email })
  })
})

describe('lists', () => {
  it('Tags and journals are listed by name (CONST-18)', async () => {
    for (const journal_name of ['Zoology Letters', 'annals of sleep', 'Memory Today'])
      await one(api.document(document), { journal_name }, 'PATCH')
    const names = async (path: string) =>
      (await ada.json<{ data: { name: string }[] }>(path)).data.map(({ name }) => name)
    expect(await names(api.tags())).toEqual(['Alpha', 'middle', 'zinc'])
    expect(await names(api.journals())).toEqual(['annals of sleep', 'Memory Today', 'Zoology Letters'])
  })
})

describe('values', () => {
  it('A status is pending, processing, processed, completed or error (STATE-11)', async () => {
    for (const value of ['processing', 'processed', 'completed', 'error', 'pending'])
      expect(await one(api.document(document), { status: value }, 'PATCH')).toMatchObject({ status: value })
    expect(await status(ada, api.document(document), { status: 'done' }, 'PATCH')).toBe(422)
  })

  it('A font size is small, medium or large (CONST-38)', async () => {
    for (const font_size of ['small', 'large', 'medium'])
      expect(await one(api.profile(ada.userId), { font_size }, 'PATCH')).toMatchObject({ font_size })
    expect(await status(ada, api.profile(ada.userId), { font_size: 'huge' }, 'PATCH')).toBe(422)
  })

  it.each([
    'projects',
    'test-projects',
    'auth',
    'admin',
    'profile',
    'settings',
    'terms',
    'privacy',
    'cookies',
    'api',
    'functions',
    'files',
    'assets',
    'docs',
    'healthz',
    'readyz',
    'metrics',
  ])('A project name is not %s (PROJ-13)', async (name) => {
    expect(await status(ada, api.projects(), { name })).toBe(422)
  })

  it('A project name is unique for its owner, trimmed and in any case (PROJ-12)', async () => {
    expect(await status(ada, api.projects(), { name: '  ENTITIES ' })).toBe(422)
    expect(await status(bob, api.projects(), { name: 'Entities' })).toBe(201)
  })
})

describe('files', () => {
  it('Pictures may be stored by the browser for 3600 s (CONST-11)', async () => {
    const { headers } = await ada.fetch(api.documentFile(document))
    expect(headers.get('cache-control')).toMatch(/\bmax-age=3600\b/)
  })

  it('A cached file is used only after a request to the server, which checks the rights of the user', async () => {
    const get = (client: Client, headers: Record<string, string>) =>
      client.fetch(api.documentFile(document), { headers })
    const first = await get(ada, {})
    const etag = first.headers.get('etag')!
    const size = (await first.arrayBuffer()).byteLength
    expect([first.headers.get('cache-control'), etag]).toEqual([
      expect.stringMatching(/^private, no-cache\b/),
      expect.stringMatching(/^"[\w-]{43}"$/),
    ])
    for (const known of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const again = await get(ada, { 'if-none-match': known })
      expect([known, again.status, await again.text(), again.headers.get('etag')]).toEqual([known, 304, '', etag])
    }
    expect((await get(ada, { 'if-none-match': '"x"' })).status).toBe(200)
    expect((await get(bob, { 'if-none-match': etag })).status).toBe(404)
    const part = await get(ada, { range: 'bytes=0-3', 'if-range': etag })
    expect([part.status, await part.text()]).toEqual([206, '%PDF'])
    const whole = await get(ada, { range: 'bytes=0-3', 'if-range': '"another file"' })
    expect([whole.status, (await whole.arrayBuffer()).byteLength]).toEqual([200, size])
  })

  it.skipIf(process.env['TEST_DATABASE_URL'])(
    'Files and the embedded database are under DATA_DIR (API-45, API-46)',
    async () => {
      const names = await readdir(server.dataDir, { recursive: true })
      expect(names.filter((name) => name.endsWith('paper.pdf'))).toHaveLength(1)
      expect(names.some((name) => name.endsWith('PG_VERSION'))).toBe(true)
    },
  )
})

it('A chunk has up to 1000 characters (CONST-16)', async () => {
  await one(api.documentText(document), { extracted_text: `[Page 1]\n${words.replaceAll(/\s+/g, ' ')}` }, 'PUT')
  const job = await one(api.documentVectorize(document), {})
  expect((await ada.job(job['id'] as string)).status).toBe('completed')
  const { embedding } = await ada.json<{ embedding: number[] }>(functionPath('generate-query-embedding'), {
    body: { query: 'walking' },
  })
  const { chunks } = await ada.json<{ chunks: { content: string }[] }>(functionPath('similarity-search'), {
    body: { query_embedding: embedding, document_id: document, limit: 100 },
  })
  const longest = Math.max(...chunks.map(({ content }) => content.length))
  expect(longest).toBeLessThanOrEqual(1000)
  expect(longest).toBeGreaterThan(700)
})

it('/healthz and /readyz need no session, and report that all parts of the server answer (API-42)', async () => {
  const answers = await Promise.all(
    ['/healthz', '/readyz'].map(async (path) => {
      const response = await fetch(server.url + path)
      return [response.status, await response.json()]
    }),
  )
  expect(answers).toEqual([
    [200, { status: 'alive' }],
    [200, { status: 'ready', failed: [] }],
  ])
})

it('The admin command grants and revokes the right by e-mail, but leaves one admin (SEC-14)', async () => {
  const flags = async () =>
    Promise.all(
      [ada, bob].map(
        async (who) => (await who.json<{ data: { is_admin: boolean } }>(api.profile(who.userId))).data.is_admin,
      ),
    )
  expect(await flags()).toEqual([true, false])
  await server.kill('SIGTERM')
  expect(await adminCommand(server, 'grant', bob.email)).toMatchObject({ code: 0 })
  expect(await adminCommand(server, 'revoke', ada.email)).toMatchObject({ code: 0 })
  expect((await adminCommand(server, 'revoke', bob.email)).code).not.toBe(0)
  expect((await adminCommand(server, 'grant', 'unknown@example.org')).printed).toContain('unknown@example.org')
  await server.restart()
  expect(await flags()).toEqual([false, true])
})
