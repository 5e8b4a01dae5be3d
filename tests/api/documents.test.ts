import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inDatabase } from '#tests/helpers/database.ts'
import { signUp, startServer, type Client, type TestServer } from '#tests/helpers/server.ts'
import type { DocumentDetail, DocumentRow } from '#shared/contract/documents.ts'
import { api } from '#shared/contract/paths.ts'

let server: TestServer
let ada: Client
let bob: Client
let project: string
const paper = new Uint8Array(await readFile(new URL('../fixtures/paper.pdf', import.meta.url)))

beforeAll(async () => {
  server = await startServer({ env: { MAX_UPLOAD_MB: '2' } })
  ada = await signUp(server.url)
  bob = await signUp(server.url)
  project = (await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Papers' } })).data.id
})
afterAll(() => server.stop())

const upload = (name: string, bytes: Uint8Array<ArrayBuffer> = paper) =>
  ada.upload<DocumentDetail>(project, new File([bytes], name, { type: 'application/pdf' }))
const patch = async (id: string, body: unknown) =>
  (await ada.json<{ data: DocumentDetail }>(api.document(id), { method: 'PATCH', body })).data
const list = (params: Parameters<typeof api.documents>[0]) =>
  ada.json<{ data: DocumentRow[]; count: number }>(api.documents({ project_id: project, ...params }))

describe('upload', () => {
  it('An upload stores a PDF as a pending document under a timestamped, cleaned name (STOR-01, STOR-02, API-29, API-30, SEC-06, STATE-14, ERR-01)', async () => {
    const made = await upload('Müller & Söhne (2024).pdf')
    expect(made).toMatchObject({
      filename: 'Müller & Söhne (2024).pdf',
      status: 'pending',
      owner_id: ada.userId,
      project_id: project,
      file_size: paper.length,
    })
    // The answer has the form of a single document, with the fields that an extraction and an analysis fill.
    const { data: single } = await ada.json<{ data: DocumentDetail }>(api.document(made.id))
    expect(made).toEqual(single)
    expect(made).toMatchObject({ extracted_text: null, summary: null, insights: [], title: null, journal_id: null })
    expect(made.source_url).toMatch(/\/\d{13}_M_ller___S_hne__2024_\.pdf$/)
    const file = await ada.fetch(api.documentFile(made.id))
    expect(file.headers.get('content-type')).toBe('application/pdf')
    expect(new Uint8Array(await file.arrayBuffer())).toEqual(paper)
  })

  it.each([
    ['an HTML page named .pdf', () => new TextEncoder().encode('<html><script>alert(1)</script></html>'), 415],
    ['an empty file', () => new Uint8Array(), 415],
    [
      'a file above the limit',
      () => new Uint8Array(2 * 1024 * 1024 + 1).map((_, n) => '%PDF-1.7\n'.charCodeAt(n) || 32),
      413,
    ],
  ])('An upload refuses %s and stores nothing of it (DOCS-27)', async (_what, bytes, status) => {
    const before = (await list({})).count
    const form = new FormData()
    form.append('project_id', project)
    form.append('file', new File([bytes()], 'x.pdf', { type: 'application/pdf' }))
    const response = await ada.fetch(api.documents(), { method: 'POST', body: form })
    expect(response.status).toBe(status)
    expect((await list({})).count).toBe(before)
  })

  it('An upload is refused without a file, without a session, and into a project of another user (SEC-05)', async () => {
    const form = new FormData()
    form.append('project_id', project)
    const none = await ada.fetch(api.documents(), { method: 'POST', body: form })
    expect([none.status, ((await none.json()) as { error: { message: string } }).error.message]).toEqual([
      422,
      'Please select one or more files to upload',
    ])
    const anonymous = await fetch(server.url + api.documents(), { method: 'POST', body: form })
    expect([anonymous.status, ((await anonymous.json()) as { error: { message: string } }).error.message]).toEqual([
      401,
      'You must be logged in to upload documents',
    ])
    await expect(bob.upload(project, new File([paper], 'x.pdf'))).rejects.toThrow('Project not found')
  })

  it.each([
    ['the file of a paper', api.documentFile(randomUUID())],
    ['a profile picture', api.profileAvatar(randomUUID())],
    ['a project image', api.projectHeroImage(randomUUID())],
    ['reference files', api.imports()],
    ['a reference file for a preview', api.importPreview()],
    ['a file of Google Drive', api.driveImport()],
  ])('An upload of %s without a session is refused as an upload of files (SEC-05)', async (_what, path) => {
    const response = await fetch(server.url + path, { method: 'POST' })
    expect([response.status, await response.json()]).toEqual([
      401,
      { error: { code: 'no_session', message: 'You must be logged in to upload files' } },
    ])
  })

  it('An upload that is repeated with the same id and the same file creates one document', async () => {
    const document_id = randomUUID()
    const send = (bytes = paper) => ada.upload<DocumentDetail>(project, new File([bytes], 'again.pdf'), { document_id })
    const before = (await list({})).count
    const both = await Promise.all([send(), send()])
    expect([...both, await send()].map(({ id }) => id)).toEqual([document_id, document_id, document_id])
    expect((await list({})).count).toBe(before + 1)
    expect((await ada.fetch(api.documentFile(document_id))).status).toBe(200)
    // A text of this length is serialized in a worker.
    const extracted_text = `[Page 1]\n${'Naps help. '.repeat(30_000)}`
    await ada.json(api.documentText(document_id), { method: 'PUT', body: { extracted_text } })
    expect((await send()).extracted_text === extracted_text).toBe(true)
    const other = new Uint8Array([...paper, 10])
    await expect(send(other)).rejects.toThrow('answered 409')
    const { data } = await bob.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Mine' } })
    await expect(bob.upload(data.id, new File([paper], 'again.pdf'), { document_id })).rejects.toThrow('answered 409')
    await ada.json(api.document(document_id), { method: 'DELETE' })
    await expect(send()).rejects.toThrow('answered 409')
  })

  // Only a server of PostgreSQL has a second connection that can lock a table.
  it.skipIf(!process.env['TEST_DATABASE_URL'])(
    'An upload into a project that is deleted meanwhile answers that the project is not found',
    async () => {
      const { data: deleted } = await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Deleted' } })
      const client = new pg.Client({ connectionString: server.databaseUrl })
      await client.connect()
      try {
        // The upload notes its file in this table after it has checked the project.
        await client.query('begin; lock table removed_files in exclusive mode')
        const answer = ada.upload(deleted.id, new File([paper], 'late.pdf')).catch((error: Error) => error.message)
        const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
          and query ilike 'insert into "removed_files"%'`
        await expect.poll(() => inDatabase(server, waiting)).not.toEqual([])
        await ada.json(api.project(deleted.id), { method: 'DELETE' })
        await client.query('commit')
        expect(await answer).toContain('answered 404: {"error":{"code":"not_found","message":"Project not found"}}')
      } finally {
        await client.end()
      }
    },
  )
})

describe('the file', () => {
  it('A file can be read in byte ranges, as RFC 9110 specifies (STOR-13)', async () => {
    const { id } = await upload('ranges.pdf')
    const get = (range: string) => ada.fetch(api.documentFile(id), { headers: { range } })
    const part = await get('bytes=5-9')
    expect([part.status, part.headers.get('content-range'), (await part.arrayBuffer()).byteLength]).toEqual([
      206,
      `bytes 5-9/${paper.length}`,
      5,
    ])
    const tail = await get('bytes=-4')
    expect(new Uint8Array(await tail.arrayBuffer())).toEqual(paper.slice(-4))
    const beyond = await get(`bytes=${paper.length}-`)
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${paper.length}`])
  })

  it('A file is private to its owner and shown in a sandbox (STOR-10)', async () => {
    const { id } = await upload('private.pdf')
    expect((await bob.fetch(api.documentFile(id))).status).toBe(404)
    expect((await fetch(server.url + api.documentFile(id))).status).toBe(401)
    expect((await ada.fetch(api.documentFile(id))).headers.get('content-security-policy')).toContain('sandbox')
  })
})

describe('a document', () => {
  it('A document is changed field by field, its journal and keywords are linked, and a new journal is marked (EDIT-05, EDIT-06, API-06, API-22, API-23, API-27, API-32, CONST-17)', async () => {
    const { id } = await upload('edit.pdf')
    const changed = await patch(id, {
      title: 'A title',
      publication_date: '2024-02-29',
      journal_name: 'Annals of Testing',
      keywords: ['Sleep', 'naps'],
      insights: '["One", "Two"]',
    })
    expect(changed).toMatchObject({
      title: 'A title',
      publication_date: '2024-02-29',
      journal_name: 'Annals of Testing',
      keywords: ['Sleep', 'naps'],
      insights: ['One', 'Two'],
    })
    const again = await patch(id, { journal_name: 'annals of TESTING' })
    expect(again.journal_id).toBe(changed.journal_id)
    expect(again.journal_name).toBe('Annals of Testing')
    // The id alone sets the same journal; null removes it.
    const { journal_id } = again
    expect(await patch(id, { journal_name: null })).toMatchObject({ journal_id: null, journal_name: null })
    expect(await patch(id, { journal_id })).toMatchObject({ journal_id, journal_name: 'Annals of Testing' })
    // Ada has the first account, so she is an admin.
    const { data } = await ada.json<{ data: { name: string; user_added: boolean }[] }>(
      api.adminCatalogue({ search: 'Annals of Testing' }),
    )
    expect(data).toMatchObject([{ name: 'Annals of Testing', user_added: true }])
    expect((await patch(id, { keywords: null })).keywords).toEqual([])
    expect((await patch(id, { keywords: ['Sleep', ' naps', 'naps'] })).keywords).toEqual(['Sleep', 'naps'])
    expect((await patch(id, { insights: 'not JSON' })).insights).toEqual(['One', 'Two'])
    expect((await ada.json<{ data: { name: string }[] }>(api.tags())).data.map((tag) => tag.name)).toEqual(
      expect.arrayContaining(['Sleep', 'naps']),
    )
  })

  it.each([
    ['an impossible date', { publication_date: '2024-02-30' }],
    ['an unknown status', { status: 'done' }],
    ['an empty keyword', { keywords: [' '] }],
  ])('A document refuses %s', async (_what, body) => {
    const { id } = await upload('refuse.pdf')
    expect(
      (
        await ada.fetch(api.document(id), {
          method: 'PATCH',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
      ).status,
    ).toBe(422)
  })

  it('A document is not found by another user, and cannot be moved into a project of another user (API-28)', async () => {
    const { id } = await upload('mine.pdf')
    for (const [method, path] of [
      ['GET', api.document(id)],
      ['DELETE', api.document(id)],
    ] as const)
      expect((await bob.fetch(path, { method })).status).toBe(404)
    const theirs = (await bob.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Bob' } })).data.id
    await expect(patch(id, { project_id: theirs })).rejects.toThrow('Project not found')
    expect((await patch(id, { project_id: null })).project_id).toBeNull()
  })

  it('A document accepts the text that the browser extracted and finds the statements of the document in it (EXTR-11)', async () => {
    const { id } = await upload('text.pdf')
    await patch(id, { summary: 'Naps helped. Whales sing.' })
    const { data } = await ada.json<{ data: DocumentDetail }>(api.documentText(id), {
      method: 'PUT',
      body: { extracted_text: '[Page 1]\nIntro.\n\n[Page 2]\nWe saw that naps helped.' },
    })
    expect(data.status).toBe('completed')
    expect(data.passages).toMatchObject([
      { field: 'summary', item: 0, page: 2, match: 'letters' },
      { field: 'summary', item: 1, page: null, match: 'none', score: 0 },
    ])
    const empty = await ada.fetch(api.documentText(id), {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ extracted_text: '[Page 1]\n' }),
    })
    expect(empty.status).toBe(422)
  })

  it('A document is deleted with its file (STOR-05, API-26)', async () => {
    const { id } = await upload('gone.pdf')
    await ada.json(api.document(id), { method: 'DELETE' })
    expect((await ada.fetch(api.document(id))).status).toBe(404)
    expect((await ada.fetch(api.documentFile(id))).status).toBe(404)
  })

  it('A project with documents cannot be deleted (PROJ-25, ERR-14)', async () => {
    const response = await ada.fetch(api.project(project), { method: 'DELETE' })
    expect(response.status).toBe(409)
    expect(await response.json()).toMatchObject({
      error: {
        message:
          'Cannot delete this project because it has associated records. Please use the document manager to reassign them first.',
      },
    })
  })
})

describe('the list', () => {
  it('The list counts the documents of a project, without documents of other users (API-38)', async () => {
    const make = async (name: string) =>
      (await ada.json<{ data: { id: string } }>(api.projects(), { body: { name } })).data.id
    const [one, two] = [await make('Counted'), await make('Not counted')]
    for (const name of ['a.pdf', 'b.pdf']) await ada.upload(one, new File([paper], name))
    const countOf = async (id: string) =>
      (await ada.json<{ data: { document_count: number } }>(api.project(id))).data.document_count
    expect([await countOf(one), await countOf(two)]).toEqual([2, 0])
  })

  it('The list has pages with an exact count, sorts, filters and searches (DOCS-09, TAG-05, TAG-06, API-04, API-24, API-25, CONST-13, CONST-14)', async () => {
    const own = (await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Listed' } })).data.id
    for (let n = 1; n <= 12; n++) {
      const { id } = await ada.upload<DocumentRow>(own, new File([paper], `paper-${String(n).padStart(2, '0')}.pdf`))
      if (n <= 3)
        await patch(id, {
          keywords: ['naps'],
          evidence_level: 'Level 2: Randomised controlled trial',
          status: 'completed',
          title: `100% of ${n}_x`,
        })
    }
    const of = (params: Parameters<typeof api.documents>[0]) =>
      ada.json<{ data: DocumentRow[]; count: number }>(api.documents({ project_id: own, ...params }))
    const names = (page: { data: DocumentRow[] }) => page.data.map((row) => row.filename)
    const first = await of({})
    expect([first.count, first.data.length, first.data[0]!.filename]).toEqual([12, 10, 'paper-12.pdf'])
    expect(names(await of({ page: 2 }))).toEqual(['paper-02.pdf', 'paper-01.pdf'])
    expect(names(await of({ limit: 2, order_by: 'created_at.asc' }))).toEqual(['paper-01.pdf', 'paper-02.pdf'])
    expect((await of({ status: ['completed'] })).count).toBe(3)
    expect((await of({ status: ['completed', 'pending'] })).count).toBe(12)
    expect((await of({ keyword: ['naps'] })).count).toBe(3)
    expect((await of({ evidence_level: ['Unknown'] })).count).toBe(9)
    expect((await of({ search: 'PAPER-07' })).count).toBe(1)
    expect((await of({ search: '100%' })).count).toBe(3)
    expect((await of({ search: '2_x' })).count).toBe(1)
    expect((await of({ search: '%' })).count).toBe(3)
    const filters = await ada.json<{ data: unknown }>(api.documentFilters(own))
    expect(filters.data).toMatchObject({
      tags: [{ name: 'naps', document_count: 3 }],
      evidence_levels: [
        { level: 'Level 2: Randomised controlled trial', document_count: 3 },
        { level: 'Unknown', document_count: 9 },
      ],
    })
    expect((await ada.fetch(`${api.documents()}?order_by=owner_id`)).status).toBe(400)
    expect((await ada.fetch(`${api.documents()}?limit=100000`)).status).toBe(400)
  })
})

it('Tags are added to several documents and removed from them; documents of others are skipped', async () => {
  const mine = [await upload('a.pdf'), await upload('b.pdf')].map(({ id }) => id)
  await patch(mine[0]!, { keywords: ['Sleep', 'naps'] })
  const { data } = await bob.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Papers of Bob' } })
  const other = await bob.upload(data.id, new File([paper], 'c.pdf', { type: 'application/pdf' }))
  const change = (body: object, client = ada) =>
    client.fetch(api.documentsTags(), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const answer = await change({ document_ids: [...mine, other.id], add: ['sleep', 'walks'], remove: ['NAPS'] })
  expect(await answer.json()).toEqual({ data: { count: 2, missing: [other.id], failed: [] } })
  const tagsOf = async (id: string) => (await ada.json<{ data: DocumentDetail }>(api.document(id))).data.keywords
  expect(await Promise.all(mine.map(tagsOf))).toEqual([
    ['Sleep', 'walks'],
    ['sleep', 'walks'],
  ])
  expect((await change({ document_ids: mine, add: ['x'] }, bob)).status).toBe(404)
  const many = Array.from({ length: 199 }, (_, at) => `tag ${at}`)
  expect((await change({ document_ids: mine, add: many })).status).toBe(422)
  expect((await change({ document_ids: mine })).status).toBe(422)
  // A paper can have more tags than a change permits, after a join of papers. Tags can be removed from it.
  const crowded = await upload('d.pdf')
  await inDatabase(server, 'update documents set keywords = $2 where id = $1', [crowded.id, [...many, 'x', 'y', 'z']])
  expect((await change({ document_ids: [crowded.id], add: ['w'] })).status).toBe(422)
  // A paper that cannot be changed does not stop the change of the other papers.
  const partly = await change({ document_ids: [mine[0], crowded.id, mine[1]], add: ['w'] })
  expect(await partly.json()).toEqual({
    data: { count: 2, missing: [], failed: [{ id: crowded.id, reason: 'A paper has at most 200 tags.' }] },
  })
  expect((await change({ document_ids: mine, remove: ['w'] })).status).toBe(200)
  expect((await change({ document_ids: [crowded.id], remove: ['z'] })).status).toBe(200)
  expect(await tagsOf(crowded.id)).toEqual([...many, 'x', 'y'])
  expect(await Promise.all(mine.map(tagsOf))).toEqual([
    ['Sleep', 'walks'],
    ['sleep', 'walks'],
  ])
})
