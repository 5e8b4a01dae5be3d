import { readFile } from 'node:fs/promises'
import { Client as PostgresClient } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { DocumentDetail } from '#shared/contract/documents.ts'
import type { JoinResult } from '#shared/contract/duplicates.ts'
import { CHANGED_MEANWHILE } from '#shared/contract/errors.ts'
import type { ImportRow } from '#shared/contract/imports.ts'
import type { Job } from '#shared/contract/jobs.ts'
import { JOURNALS_A_DAY } from '#shared/contract/journals.ts'
import type { AddedPaper } from '#shared/contract/lookup.ts'
import type { Notice } from '#shared/contract/notices.ts'
import { api } from '#shared/contract/paths.ts'
import {
  zoteroChoice,
  type ZoteroConnection,
  type ZoteroOfDocument,
  type ZoteroSync,
  type ZoteroTree,
} from '#shared/contract/zotero.ts'
import { inDatabase } from '#tests/helpers/database.ts'
import { signUp, startServer, type Client, type TestServer } from '#tests/helpers/server.ts'
import { startZoteroServer, ZOTERO_KEY, type ZoteroServer } from '#tests/helpers/zotero-server.ts'

const OWN = 'users/4711'
const GROUP = 'groups/88'
const paper = new Uint8Array(await readFile(new URL('../fixtures/paper.pdf', import.meta.url)))

let server: TestServer
let zotero: ZoteroServer
let ada: Client
let project: string

const article = (title: string, more: Record<string, unknown> = {}) => ({
  type: 'article-journal',
  title,
  author: [{ family: 'Marlowe', given: 'Ines' }],
  issued: { 'date-parts': [[2024, 3]] },
  'container-title': 'Annals of Sleep Research',
  volume: '12',
  ...more,
})
const pdf = (key: string, parent: string, linkMode = 'imported_file', file: Uint8Array | null = paper) => ({
  key,
  parent,
  ...(file ? { file } : {}),
  data: {
    itemType: 'attachment',
    linkMode,
    contentType: 'application/pdf',
    filename: 'x.pdf',
    title: 'PDF',
    parentItem: parent,
  },
})

beforeAll(async () => {
  zotero = await startZoteroServer()
  server = await startServer({ env: zotero.env })
})
afterAll(async () => {
  await server.stop()
  await zotero.stop()
})
beforeEach(async () => {
  zotero.reset()
  ada = await signUp(server.url)
  project = await newProject()
})

let projects = 0
async function newProject(client = ada, more: Record<string, unknown> = {}): Promise<string> {
  const body = { name: `Zotero ${(projects += 1)}`, ...more }
  return (await client.json<{ data: { id: string } }>(api.projects(), { body })).data.id
}
const put = (path: string, body: unknown, method = 'PUT', client = ada) =>
  client.fetch(path, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
const connect = async (client = ada) =>
  ((await (await put(api.zoteroConnection(), { key: ZOTERO_KEY }, 'PUT', client)).json()) as { data: ZoteroConnection })
    .data
const start = async (more: Record<string, unknown> = {}, client = ada) =>
  client.json<{ data: Job }>(api.zoteroImports(), {
    body: { project_id: project, libraries: [{ library: OWN, collections: null }], ...more },
  })
const sync = async (more: Record<string, unknown> = {}) => ada.job((await start(more)).data.id)
const documents = async () =>
  (await ada.json<{ data: DocumentDetail[] }>(api.documents({ project_id: project, limit: 100 }))).data
const detail = async (title: string) => {
  const row = (await documents()).find((one) => one.title === title)!
  return (await ada.json<{ data: DocumentDetail }>(api.document(row.id))).data
}
const itemOf = async (id: string) => (await ada.json<{ data: ZoteroOfDocument }>(api.documentZotero(id))).data
const errorOf = async (response: Response) => ({
  status: response.status,
  message: ((await response.json()) as { error: { message: string } }).error.message,
})
/** Returns the paths of the requests that the simulated Zotero server has received since the last call of this function. */
function requests(): string[] {
  const paths = zotero.seen.map(({ path }) => path)
  zotero.seen.length = 0
  return paths
}

describe('the connection', () => {
  it('The connection shows the user and the libraries of the key, and never the key (FMT-80, FMT-74)', async () => {
    const read = async () => (await ada.json<{ data: ZoteroConnection }>(api.zoteroConnection())).data
    expect(await read()).toBeNull()
    expect(await errorOf(await ada.fetch(api.zoteroCollections()))).toMatchObject({ status: 422 })
    const wrong = await put(api.zoteroConnection(), { key: 'wrongwrongwrongwrongwron' })
    expect(await errorOf(wrong)).toEqual({ status: 422, message: 'Zotero does not accept this key.' })
    zotero.allow([OWN])
    const connected = await connect()
    expect(connected).toEqual({
      username: 'ines.marlowe',
      last_four: ZOTERO_KEY.slice(-4),
      error: null,
      libraries: [
        { library: OWN, name: 'My library', readable: true },
        { library: GROUP, name: 'Sleep lab reading group', readable: false },
      ],
    })
    expect(await read()).toEqual(connected)
    const rows = await inDatabase(server, 'select * from zotero_connections where username is not null')
    expect(JSON.stringify(rows)).not.toContain(ZOTERO_KEY)
    expect((await (await signUp(server.url)).json<{ data: unknown }>(api.zoteroConnection())).data).toBeNull()
    const refused = await put(
      api.zoteroImports(),
      { project_id: project, libraries: [{ library: GROUP, collections: null }] },
      'POST',
    )
    expect(await errorOf(refused)).toEqual({ status: 422, message: 'This key may not read that library.' })
    expect((await ada.fetch(api.zoteroConnection(), { method: 'DELETE' })).status).toBe(204)
    expect(await read()).toBeNull()
  })

  it('The collections are a tree with counts, and a pause of Zotero is an error with its seconds (FMT-81, FMT-74)', async () => {
    zotero.addCollection(GROUP, 'TREE0001', 'Sleep')
    zotero.addCollection(GROUP, 'TREE0002', 'Naps', 'TREE0001')
    zotero.put(GROUP, { key: 'TREEITEM', csl: article('A nap'), data: { collections: ['TREE0002'] } })
    await put(api.zoteroConnection(), { key: `${ZOTERO_KEY.slice(0, 20)}wait` })
    const { data } = await ada.json<{ data: ZoteroTree[] }>(api.zoteroCollections())
    expect(data.find(({ library }) => library === GROUP)).toMatchObject({
      count: 1,
      error: null,
      collections: [
        { key: 'TREE0002', name: 'Naps', parent: 'TREE0001', count: 1 },
        { key: 'TREE0001', name: 'Sleep', parent: null, count: 0 },
      ],
    })
    zotero.misbehave({ status: 429, headers: { 'retry-after': '40' }, times: 3 })
    const paused = await ada.fetch(api.zoteroCollections())
    expect(paused.headers.get('retry-after')).toBe('40')
    expect(await errorOf(paused)).toEqual({ status: 429, message: 'Zotero asks us to wait 40 seconds.' })
  })
})

describe('the import', () => {
  it('An import adds papers with their references, tags and PDFs, and the second import of an unchanged library is one request (FMT-81, FMT-82, FMT-83)', async () => {
    zotero.put(
      OWN,
      {
        key: 'FULL0001',
        csl: article('Naps and memory', { DOI: '10.5555/naps', page: '1-9' }),
        data: {
          tags: [{ tag: 'naps' }, { tag: 'memory', type: 1 }],
          extra: 'PMID: 3141592\nCitation Key: marloweNaps\nread twice',
        },
      },
      { key: 'FULL0002', csl: article('A linked file') },
      { key: 'FULL0003', csl: article('A file that was not uploaded') },
      { key: 'FULL0004', csl: { type: 'book', title: 'A book without a file', publisher: 'Fenwick Press' } },
      { key: 'FULL0005', data: { itemType: 'note', note: `<p>${'A long note. '.repeat(9000)}</p>` } },
      {
        key: 'FULL0006',
        file: paper,
        data: { itemType: 'attachment', linkMode: 'imported_file', contentType: 'application/pdf', title: 'Loose.pdf' },
      },
      { key: 'FULL0007', csl: article('Naps and memory.', { DOI: '10.5555/NAPS' }) },
      pdf('FILE0001', 'FULL0001'),
      pdf('FILE0002', 'FULL0002', 'linked_file'),
      pdf('FILE0003', 'FULL0003', 'imported_file', null),
    )
    await connect()
    const job = await sync()
    expect(job.error).toBeNull()
    expect(job.result).toMatchObject({ created: 5, joined: 1, failed: 0, files: 2, not_stored: 2 })
    const naps = await detail('Naps and memory')
    expect(naps.keywords.toSorted()).toEqual(['memory', 'naps'])
    expect(naps).toMatchObject({
      journal_name: 'Annals of Sleep Research',
      doi_link: '10.5555/naps',
      edited_fields: [],
    })
    expect(naps.reference).toMatchObject({
      'citation-key': 'marloweNaps',
      PMID: '3141592',
      page: '1-9',
      note: 'read twice',
    })
    expect(naps.source_url).not.toBeNull()
    expect((await detail('Loose')).source_url).not.toBeNull()
    for (const title of ['A linked file', 'A file that was not uploaded']) {
      const { id, status_message } = await detail(title)
      expect(status_message).toBe('The PDF is not in Zotero’s storage.')
      expect(await itemOf(id)).toMatchObject({ file: 'not_stored', removed_at: null, library_name: 'My library' })
    }
    const records = await inDatabase(
      server,
      `select r.position, r.outcome, r.reason, octet_length(r.raw) as bytes, i.kind, i.search_text, i.read_count,
        i.created_count, i.joined_count, i.skipped_count from import_records r
        join imports i on i.id = r.import_id where i.id = $1 order by r.position`,
      [job.result!['import_id']],
    )
    expect(records.map(({ outcome }) => outcome)).toEqual([...Array(4).fill('created'), 'skipped', 'created', 'joined'])
    expect(records[4]).toMatchObject({
      reason: 'This item is a note.',
      kind: 'zotero',
      search_text: 'My library',
      read_count: 7,
      created_count: 5,
      joined_count: 1,
      skipped_count: 1,
    })
    expect(records[4]!['bytes']).toBeLessThanOrEqual(65_536)
    expect(records[6]!['reason']).toBe('Joined within this import, with record 1')
    // The storage to which Zotero redirects never gets the key.
    const storage = zotero.seen.filter(({ path }) => path === 'storage')
    expect(storage.map(({ key }) => key)).toEqual([undefined, undefined])

    requests()
    const again = await sync()
    expect(again.result).toMatchObject({ import_id: null, created: 0, joined: 0, updated: 0, removed: 0 })
    expect(requests()).toHaveLength(1)
  })

  it('An import vectorizes papers with an abstract and no PDF if the project processes new documents automatically', async () => {
    project = await newProject(ada, { process_automatically: true })
    zotero.put(
      OWN,
      { key: 'AUTO0001', csl: article('Naps at noon', { abstract: 'Naps at noon improved recall.' }) },
      { key: 'AUTO0002', csl: article('Naps at night', { abstract: 'Naps at night had no effect.' }) },
      { key: 'AUTO0003', csl: article('Naps without an abstract') },
    )
    await connect()
    await sync()
    const runs = async () => (await ada.json<{ data: Job[] }>(api.jobs({ project_id: project, kind: 'process' }))).data
    await expect.poll(async () => (await runs()).length, { timeout: 60_000 }).toBe(1)
    expect((await ada.job((await runs())[0]!.id)).result).toMatchObject({ total: 2, done: 2, failed: [] })
    expect((await detail('Naps at noon')).vectorized_at).not.toBeNull()
    expect((await detail('Naps without an abstract')).vectorized_at).toBeNull()
  })

  it('A synchronization does not change edited fields, lists them, and flags removed items (FMT-83, FMT-84)', async () => {
    zotero.put(
      OWN,
      { key: 'SYNC0001', csl: article('First title', { volume: '1' }), data: { tags: [{ tag: 'old' }] } },
      { key: 'SYNC0002', csl: article('Stays here') },
      { key: 'SYNC0003', csl: article('Goes to the trash of Zotero') },
    )
    await connect()
    await sync()
    const first = await detail('First title')
    await put(api.document(first.id), { title: 'My own title', version: first.version }, 'PATCH')
    zotero.put(
      OWN,
      {
        key: 'SYNC0001',
        csl: article('Title of Zotero', { volume: '2', publisher: 'Fenwick' }),
        data: { tags: [{ tag: 'new' }] },
      },
      { key: 'SYNC0003', csl: article('Goes to the trash of Zotero'), data: { deleted: 1 } },
      { key: 'SYNC0004', csl: article('A later paper') },
      pdf('SYNCFILE', 'SYNC0001'),
    )
    zotero.remove(OWN, 'SYNC0002')
    const job = await sync()
    expect(job.result).toMatchObject({ created: 1, updated: 1, removed: 2, files: 1 })
    const merged = await detail('My own title')
    expect(merged.reference).toMatchObject({ volume: '2', publisher: 'Fenwick', title: 'My own title' })
    expect(merged).toMatchObject({ edited_fields: ['title'], keywords: ['new'] })
    expect(merged.source_url).not.toBeNull()
    expect((await itemOf(merged.id))!.differences).toEqual([
      { field: 'title', here: 'My own title', zotero: 'Title of Zotero' },
    ])
    for (const title of ['Stays here', 'Goes to the trash of Zotero'])
      expect((await itemOf((await detail(title)).id))!.removed_at).not.toBeNull()

    const used = await ada.json<{ data: ZoteroOfDocument }>(api.documentZoteroUse(merged.id), {
      body: { fields: ['title'] },
    })
    expect(used.data!.differences).toEqual([])
    expect(await detail('Title of Zotero')).toMatchObject({ edited_fields: [] })
  })

  it('A value of Zotero that the user has not seen is not used (FMT-84)', async () => {
    zotero.put(OWN, { key: 'SEEN0001', csl: article('Seen first') })
    await connect()
    await sync()
    const { id } = await detail('Seen first')
    await put(api.document(id), { title: 'My own title' }, 'PATCH')
    zotero.put(OWN, { key: 'SEEN0001', csl: article('Never shown', { publisher: 'Fenwick' }) })
    await sync()
    const use = (seen: string) => put(api.documentZoteroUse(id), { fields: ['title'], seen: { title: seen } }, 'POST')
    expect((await errorOf(await use('Seen first'))).status).toBe(409)
    expect((await detail('My own title')).id).toBe(id)
    expect((await use('Never shown')).status).toBe(200)
    expect((await detail('Never shown')).id).toBe(id)
  })

  it('An import replaces only the choice that the user saw, and does not change the schedule (SHR-30)', async () => {
    zotero.addCollection(GROUP, 'CHOICE01', 'First')
    zotero.addCollection(GROUP, 'CHOICE02', 'Second')
    await connect()
    await sync({ libraries: [{ library: GROUP, collections: ['CHOICE01'] }], synchronize: 'hourly' })
    const seen = zoteroChoice.parse((await syncs())[0])
    expect(seen).toMatchObject({ collections: ['CHOICE01'], with_subcollections: true, synchronize: 'hourly' })
    const replace = (choice: unknown) => {
      const libraries = [{ library: GROUP, collections: ['CHOICE02'], seen: choice }]
      return put(api.zoteroImports(), { project_id: project, libraries }, 'POST')
    }
    for (const stale of [null, { ...seen, collections: ['CHOICE02'] }, { ...seen, synchronize: 'never' }])
      expect(await errorOf(await replace(stale))).toEqual({ status: 409, message: CHANGED_MEANWHILE })
    expect(zoteroChoice.parse((await syncs())[0])).toEqual(seen)
    const { data } = (await (await replace(seen)).json()) as { data: Job }
    await ada.job(data.id)
    expect((await syncs())[0]).toMatchObject({ collections: ['CHOICE02'], synchronize: 'hourly' })
  })

  it("An arXiv id in 'Extra' joins an item with the paper of this id", async () => {
    const body = { project_id: project, title: 'Naps of networks', doi: '10.48550/arXiv.2101.00001' }
    await ada.json(api.papers(), { body })
    zotero.put(OWN, {
      key: 'ARXIV001',
      csl: article('Naps of networks'),
      data: { extra: 'arXiv: 2101.00001 [cs]\nread twice' },
    })
    await connect()
    expect((await sync()).result).toMatchObject({ created: 0, joined: 1 })
    expect((await detail('Naps of networks')).reference).toMatchObject({
      archive: 'arXiv',
      archive_location: '2101.00001',
      note: 'read twice',
    })
  })

  it('An import that reads the whole library again flags the items that were removed meanwhile (FMT-83)', async () => {
    zotero.put(
      OWN,
      { key: 'AGAIN001', csl: article('Deleted here') },
      { key: 'AGAIN002', csl: article('Deleted in Zotero') },
      { key: 'AGAIN003', csl: article('In the trash of Zotero') },
      { key: 'AGAIN004', csl: article('In the library') },
    )
    await connect()
    await sync()
    await ada.json(api.document((await detail('Deleted here')).id), { method: 'DELETE' })
    zotero.remove(OWN, 'AGAIN002')
    zotero.put(OWN, { key: 'AGAIN003', csl: article('In the trash of Zotero'), data: { deleted: 1 } })
    expect((await sync()).result).toMatchObject({ created: 1, removed: 2 })
    const isRemoved = async (title: string) => (await itemOf((await detail(title)).id))!.removed_at !== null
    expect([
      await isRemoved('Deleted in Zotero'),
      await isRemoved('In the trash of Zotero'),
      await isRemoved('In the library'),
    ]).toEqual([true, true, false])
  })

  it('A synchronization stores a changed journal name after the user has added the maximum of new journals', async () => {
    zotero.put(OWN, { key: 'JOURNAL1', csl: article('A paper with a journal') })
    await connect()
    await sync()
    await inDatabase(
      server,
      `insert into journals (name, user_added, added_by)
       select 'Journal of one day ' || n, true, $1 from generate_series(1, $2::int) n`,
      [ada.userId, JOURNALS_A_DAY],
    )
    zotero.put(OWN, {
      key: 'JOURNAL1',
      csl: article('A paper with a journal', { 'container-title': 'Annals of Naps' }),
    })
    expect(await sync()).toMatchObject({ status: 'completed', result: { updated: 1 } })
    expect(await detail('A paper with a journal')).toMatchObject({ journal_name: 'Annals of Naps', journal_id: null })
  })

  it('A collection is imported with its subcollections, and a paper of the project is joined (FMT-81, FMT-41)', async () => {
    zotero.addCollection(GROUP, 'COLL0001', 'Chosen')
    zotero.addCollection(GROUP, 'COLL0002', 'Below', 'COLL0001')
    const within = (key: string, title: string, collection: string, more = {}) => ({
      key,
      csl: article(title, more),
      data: { collections: [collection] },
    })
    zotero.put(
      GROUP,
      within('COLITEM1', 'In the chosen collection', 'COLL0001'),
      within('COLITEM2', 'In its subcollection', 'COLL0002', { DOI: '10.5555/below' }),
      within('COLITEM3', 'In another collection', 'COLLXXXX'),
    )
    await connect()
    const library = [{ library: GROUP, collections: ['COLL0001'] }]
    expect((await sync({ libraries: library, with_subcollections: false })).result).toMatchObject({ created: 1 })
    expect((await sync({ libraries: library })).result).toMatchObject({ created: 1, joined: 0 })
    expect((await documents()).map(({ title }) => title ?? '').toSorted((a, b) => (a < b ? -1 : 1))).toEqual([
      'In its subcollection',
      'In the chosen collection',
    ])
    zotero.put(
      GROUP,
      within('COLITEM4', 'In its subcollection', 'COLL0001', { DOI: '10.5555/below' }),
      within('COLITEM5', 'Elsewhere', 'COLLXXXX'),
    )
    expect((await sync({ libraries: library })).result).toMatchObject({ created: 0, joined: 1 })
    const { data } = await ada.json<{ data: ZoteroSync[] }>(api.zoteroImports({ project_id: project }))
    expect(data).toMatchObject([
      { library: GROUP, name: 'Sleep lab reading group, Chosen', synchronize: 'never', is_own: true, last_error: null },
    ])
  })

  it('An import without PDFs does not fetch the PDFs that a cancelled import left', async () => {
    zotero.put(OWN, { key: 'LEFT0001', csl: article('Left without its PDF') }, pdf('LEFTFILE', 'LEFT0001'))
    await put(api.zoteroConnection(), { key: `${ZOTERO_KEY.slice(0, 20)}left` })
    zotero.misbehave({ status: 429, headers: { 'retry-after': '60' }, times: 1, only: /LEFT0001\/children/ })
    const { data } = await start()
    await until(async () => {
      const job = (await ada.json<{ data: Job }>(api.job(data.id))).data
      return job.status === 'queued' && job.progress_text?.startsWith('Zotero asks us to wait') === true
    })
    await ada.json(api.jobCancel(data.id), { body: {} })
    // The pause concerns only the first key.
    await connect()
    expect(await sync({ with_pdfs: false })).toMatchObject({ status: 'completed', result: { files: 0 } })
    expect((await detail('Left without its PDF')).source_url).toBeNull()
    expect((await sync()).result).toMatchObject({ files: 1 })
  })

  it('A paper that was joined with another one does not return, and the changes of its item change the paper that stayed (FMT-45, FMT-46)', async () => {
    const { data: added } = await ada.json<{ data: AddedPaper }>(api.papers(), {
      body: { project_id: project, title: 'A trial of naps' },
    })
    zotero.put(OWN, { key: 'JOINED01', csl: article('Naps: a trial') })
    await connect()
    await sync()
    const keep_id = added.document.id
    const joined_id = (await detail('Naps: a trial')).id
    const { data: join } = await ada.json<{ data: JoinResult }>(api.duplicatesJoin(), {
      body: { keep_id, join_ids: [joined_id], fields: {} },
    })
    zotero.put(OWN, { key: 'JOINED01', csl: article('Naps: a trial', { publisher: 'Fenwick' }) })
    expect((await sync()).result).toMatchObject({ created: 0, joined: 0, updated: 1 })
    expect((await documents()).map(({ id }) => id)).toEqual([keep_id])
    expect((await detail('A trial of naps')).reference).toMatchObject({ publisher: 'Fenwick' })

    await ada.json(api.joinedPaperUndo(join.joined[0]!.id), { method: 'POST', body: {} })
    expect([await itemOf(keep_id), await itemOf(joined_id)]).toEqual([null, expect.objectContaining({ file: 'none' })])
    zotero.put(OWN, { key: 'JOINED01', csl: article('Naps: a trial', { publisher: 'Marlowe' }) })
    expect((await sync()).result).toMatchObject({ created: 0, joined: 0, updated: 1 })
    expect((await detail('Naps: a trial')).reference).toMatchObject({ publisher: 'Marlowe' })
  })

  it('A paper that was deleted here returns with an import that a user starts, and not with a scheduled one', async () => {
    zotero.put(OWN, { key: 'DELE0001', csl: article('Deleted here') })
    await connect()
    await sync({ synchronize: 'daily' })
    await ada.fetch(api.document((await detail('Deleted here')).id), { method: 'DELETE' })
    zotero.put(
      OWN,
      { key: 'DELE0001', csl: article('Deleted here', { volume: '99' }) },
      { key: 'DELE0002', csl: article('Arrives by schedule') },
    )
    await dueNow()
    await until(async () => (await documents()).some(({ title }) => title === 'Arrives by schedule'))
    expect((await documents()).some(({ title }) => title === 'Deleted here')).toBe(false)
    await settled()
    await sync({ synchronize: 'never' })
    expect((await documents()).filter(({ title }) => title === 'Deleted here')).toHaveLength(1)
  })
})

/** Makes all scheduled Zotero imports of the project due. */
const dueNow = () =>
  inDatabase(
    server,
    `update zotero_libraries set next_sync_at = now() where project_id = $1 and synchronize <> 'never'`,
    [project],
  )
async function until(isTrue: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 1500; tries += 1) {
    if (await isTrue()) return
    await new Promise((resume) => setTimeout(resume, 100))
  }
  throw new Error('The condition did not become true within 150 s.')
}
/**
 * Locks rows with a statement until `release` is called. `client` is the connection of the lock.
 */
async function lockWith(
  statement: string,
  values: unknown[],
): Promise<{ client: PostgresClient; release: () => Promise<void> }> {
  const client = new PostgresClient({ connectionString: server.databaseUrl })
  await client.connect()
  await client.query('begin')
  await client.query(statement, values)
  const release = async () => {
    await client.query('commit')
    await client.end()
  }
  return { client, release }
}
/** Waits until a statement of the server waits for a lock. */
const untilLocked = () =>
  until(async () => {
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    return (await inDatabase(server, waiting)).length > 0
  })
/** Waits until no job of the project is active. */
const settled = () =>
  until(async () => (await ada.json<{ count: number }>(api.jobs({ project_id: project, active: 'true' }))).count === 0)
/** Runs the schedule of the only Zotero library of the project once, and waits until its job has ended. */
async function runSchedule(): Promise<void> {
  const before = (await syncs())[0]!.last_synced_at
  await dueNow()
  await until(async () => (await syncs())[0]!.last_synced_at !== before)
  await settled()
}
const syncs = async (client = ada) =>
  (await client.json<{ data: ZoteroSync[] }>(api.zoteroImports({ project_id: project }))).data
const notices = async (client = ada) =>
  (await client.json<{ data: Notice[] }>(api.notices({ unread: 'true' }))).data.filter(
    ({ kind }) => kind === 'zotero_stopped',
  )

describe('changes in Lectern during a synchronization', () => {
  it.skipIf(!process.env['TEST_DATABASE_URL'])(
    'A paper that is deleted while its item is read does not end the synchronization',
    async () => {
      const titles = ['Locked', 'Deleted meanwhile', 'After it']
      const items = (volume: string) =>
        titles.map((title, at) => ({ key: `LOCK000${at}`, csl: article(title, { volume }) }))
      zotero.put(OWN, ...items('12'))
      await connect()
      await sync()
      const [locked, deleted] = [await detail('Locked'), await detail('Deleted meanwhile')]
      zotero.put(OWN, ...items('13'))
      // The job has read that all papers exist when it waits for the first paper.
      const { release } = await lockWith('select from documents where id = $1 for update', [locked.id])
      const { data } = await start()
      await untilLocked()
      await ada.json(api.document(deleted.id), { method: 'DELETE' })
      await release()
      expect(await ada.job(data.id)).toMatchObject({ status: 'completed', result: { updated: 2 } })
      expect((await detail('After it')).reference).toMatchObject({ volume: '13' })
    },
  )

  it.skipIf(!process.env['TEST_DATABASE_URL'])(
    'The start of a due synchronization waits for an import that a user starts, before it locks the library',
    async () => {
      await connect()
      await sync({ synchronize: 'hourly' })
      const { client, release } = await lockWith(`select pg_advisory_xact_lock(hashtextextended('zotero ' || $1, 0))`, [
        project,
      ])
      await dueNow()
      await untilLocked()
      // As an import does after this lock. It fails if the schedule has locked the library.
      await client.query('select from zotero_libraries where project_id = $1 for update nowait', [project])
      await release()
      const started = async () =>
        (await ada.json<{ count: number }>(api.jobs({ project_id: project, kind: 'zotero' }))).count
      await expect.poll(started, { timeout: 60_000 }).toBe(2)
      await settled()
    },
  )

  it('A change in Zotero and a PDF that was added there, while the paper was deleted here, arrive after it is restored', async () => {
    const [changed, withPdf] = ['Changed meanwhile', 'Attached meanwhile']
    zotero.put(OWN, { key: 'MISS0001', csl: article(changed) }, { key: 'MISS0002', csl: article(withPdf) })
    await connect()
    await sync({ synchronize: 'hourly' })
    const ids = [(await detail(changed)).id, (await detail(withPdf)).id]
    for (const id of ids) await ada.json(api.document(id), { method: 'DELETE' })
    zotero.put(OWN, { key: 'MISS0001', csl: article(changed, { volume: '99' }) }, pdf('MISSFILE', 'MISS0002'))
    await runSchedule()
    for (const id of ids) await ada.json(api.documentRestore(id), { method: 'POST', body: {} })
    await runSchedule()
    expect((await detail(changed)).reference).toMatchObject({ volume: '99' })
    expect((await detail(withPdf)).source_url).not.toBeNull()
    requests()
    await runSchedule()
    expect(requests()).toHaveLength(1)
  })
})

describe('failures of Zotero', () => {
  it('An import that is undone while its job runs stays undone, and the job continues with another one', async () => {
    zotero.put(OWN, { key: 'UNDO0001', csl: article('Before the undo') })
    zotero.put(GROUP, { key: 'UNDO0002', csl: article('Of the group') })
    await connect()
    zotero.misbehave({ status: 503, times: 3, only: /groups\/88\/items\/top/ })
    const { data: job } = await start({ libraries: [OWN, GROUP].map((library) => ({ library, collections: null })) })
    await until(async () => (await documents()).length === 1)
    const imports = async () => (await ada.json<{ data: ImportRow[] }>(api.imports({ project_id: project }))).data
    const first = (await imports())[0]!.id
    expect((await ada.fetch(api.import(first), { method: 'DELETE' })).status).toBe(200)
    zotero.put(OWN, { key: 'UNDO0003', csl: article('After the undo') })
    await ada.job(job.id)
    const titles = (await documents()).map(({ title }) => title)
    expect([titles.length, new Set(titles)]).toEqual([2, new Set(['After the undo', 'Of the group'])])
    expect((await imports()).find(({ id }) => id === first)).toMatchObject({ read_count: 1 })
    expect(await imports()).toHaveLength(3)
  })

  it('A schedule fetches a PDF that was unavailable again, but not on the same day', async () => {
    const title = 'With an unavailable PDF'
    zotero.put(OWN, { key: 'OUTA0001', csl: article(title) }, pdf('OUTAFILE', 'OUTA0001'))
    zotero.misbehave({ status: 500, times: 3, only: /OUTAFILE\/file/ })
    await connect()
    await sync({ synchronize: 'hourly' })
    const { id, status_message } = await detail(title)
    expect(status_message).toBe(
      'The PDF could not be fetched from Zotero. Zotero failed (500). Please try again later.',
    )
    expect(await itemOf(id)).toMatchObject({ file: 'failed' })
    const runAfter = async (days: number) => {
      const age = 'update zotero_libraries set last_synced_at = now() - make_interval(days => $2) where project_id = $1'
      await inDatabase(server, age, [project, days])
      requests()
      await runSchedule()
      return requests().filter((path) => path.includes('OUTAFILE')).length
    }
    // A last synchronization in the future is never of an earlier day, also if this test runs at midnight.
    expect(await runAfter(-1)).toBe(0)
    expect(await runAfter(1)).toBe(1)
    expect((await detail(title)).source_url).not.toBeNull()
  })

  it('A job waits for Backoff before its next request, and the queue repeats a job after 503 (FMT-83)', async () => {
    zotero.put(OWN, { key: 'WAIT0001', csl: article('After a pause') }, pdf('WAITFILE', 'WAIT0001'))
    await put(api.zoteroConnection(), { key: `${ZOTERO_KEY.slice(0, 20)}back` })
    requests()
    zotero.misbehave({ headers: { backoff: '2' }, times: 1, only: /items\/top/ })
    await sync()
    const [, second] = zotero.seen
    expect(second!.at - zotero.seen[0]!.at).toBeGreaterThan(1900)
    zotero.misbehave({ status: 503, headers: { 'retry-after': '21' }, times: 1 })
    const { data } = await start()
    await until(async () => {
      const job = (await ada.json<{ data: Job }>(api.job(data.id))).data
      return job.status === 'queued' && job.progress_text?.startsWith('Zotero asks us to wait 21 seconds.') === true
    })
    expect(
      (
        await put(
          api.zoteroImports(),
          { project_id: project, libraries: [{ library: OWN, collections: null }] },
          'POST',
        )
      ).status,
    ).toBe(409)
    await ada.json(api.jobCancel(data.id), { body: {} })
  })

  it('A key that lost its right stops the schedule with one notice (FMT-83, FMT-74)', async () => {
    await connect()
    await sync({ synchronize: 'hourly' })
    zotero.allow([GROUP])
    await dueNow()
    await until(async () => (await syncs())[0]!.synchronize === 'never')
    await settled()
    expect((await syncs())[0]!.last_error).toBe('This key may not read that library.')
    expect(await notices()).toMatchObject([
      { data: { library: 'My library', reason: 'This key may not read that library.' } },
    ])
    zotero.allow(null)
    const job = await sync()
    expect(job).toMatchObject({ status: 'failed', error: 'Zotero does not accept this key.' })
    expect(await notices()).toHaveLength(1)
    expect((await ada.json<{ data: ZoteroConnection }>(api.zoteroConnection())).data!.error).toBe(
      'Zotero does not accept this key.',
    )
  })

  it('A refusal of the former key does not stop the schedule of a key that was stored meanwhile', async () => {
    await connect()
    const release = zotero.hold(/items\/top/)
    const { data } = await start({ synchronize: 'hourly' })
    await until(async () => zotero.seen.some(({ path }) => path.includes('items/top')))
    await put(api.zoteroConnection(), { key: `${ZOTERO_KEY.slice(0, 20)}next` })
    zotero.allow(null)
    release()
    const error = 'Zotero does not accept this key.'
    expect(await ada.job(data.id)).toMatchObject({ status: 'failed', error })
    expect((await syncs())[0]!.synchronize).toBe('hourly')
    expect(await notices()).toEqual([])
    const connection = (await ada.json<{ data: ZoteroConnection }>(api.zoteroConnection())).data
    expect(connection).toMatchObject({ last_four: 'next', error: null })
  })

  it('An import continues after a library that the key may not read, and stores the error with this library only', async () => {
    zotero.put(OWN, { key: 'NEXT0001', csl: article('Of the second library') })
    await connect()
    zotero.allow([OWN])
    const error = 'This key may not read that library.'
    const libraries = [GROUP, OWN].map((library) => ({ library, collections: null }))
    expect(await sync({ libraries })).toMatchObject({ status: 'failed', error, result: { created: 1 } })
    expect((await documents()).map(({ title }) => title)).toEqual(['Of the second library'])
    const errors = (await syncs()).map(({ library, last_error }) => [library, last_error])
    expect(Object.fromEntries(errors)).toEqual({ [OWN]: null, [GROUP]: error })
  })

  it('An import whose collections are no longer in Zotero fails with the reason, and stops the schedule', async () => {
    const reason = 'The chosen collections are no longer in Zotero. Choose in ‘From Zotero…’ what to import.'
    const libraries = [{ library: GROUP, collections: ['GONE0001'] }]
    zotero.addCollection(GROUP, 'GONE0001', 'Deleted later')
    await connect()
    await sync({ libraries, synchronize: 'hourly' })
    zotero.reset()
    await dueNow()
    await until(async () => (await syncs())[0]!.synchronize === 'never')
    await settled()
    expect((await syncs())[0]!.last_error).toBe(reason)
    expect(await notices()).toMatchObject([{ data: { reason } }])
    // With another option, all items are read.
    expect(await sync({ libraries, with_tags: false })).toMatchObject({ status: 'failed', error: reason })
  })

  it('The schedule ends with the membership of the user whose key it uses, and only that user can start it', async () => {
    const ben = await signUp(server.url)
    await inDatabase(server, `insert into project_members (project_id, user_id, role) values ($1, $2, 'editor')`, [
      project,
      ben.userId,
    ])
    await connect(ben)
    await ben.job((await start({ synchronize: 'daily' }, ben)).data.id)
    const [own] = await syncs()
    expect(own).toMatchObject({ is_own: false, synchronize: 'daily' })
    expect((await put(api.zoteroImport(own!.id), { synchronize: 'hourly' }, 'PATCH')).status).toBe(422)
    await ada.json(api.projectMember(project, ben.userId), { method: 'DELETE' })
    await dueNow()
    await until(async () => (await syncs())[0]!.synchronize === 'never')
    expect(await notices()).toHaveLength(1)
    expect((await ben.fetch(api.zoteroImports({ project_id: project }))).status).toBe(404)
  })
})
