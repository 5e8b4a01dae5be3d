import { readFile } from 'node:fs/promises'
import { Client as PostgresClient } from 'pg'
import { beforeAll, describe, expect, it } from 'vitest'
import type { DocumentDetail } from '#shared/contract/documents.ts'
import type { AddedPapers } from '#shared/contract/identifiers.ts'
import type { Job } from '#shared/contract/jobs.ts'
import type { AddedPaper } from '#shared/contract/lookup.ts'
import { api } from '#shared/contract/paths.ts'
import type { Reference } from '#shared/contract/references.ts'
import { columnsOf, type ReferenceColumns } from '#shared/references/columns.ts'
import { inDatabase } from '#tests/helpers/database.ts'
import { importReferences } from '#tests/helpers/reference-file.ts'
import { type Client, signUp } from '#tests/helpers/server.ts'
import { sharedServer } from '#tests/helpers/shared-server.ts'

const paper = new Uint8Array(await readFile(new URL('../fixtures/paper.pdf', import.meta.url)))

const server = sharedServer()
let ada: Client
let project: string
beforeAll(async () => {
  ada = await signUp(server.url)
  project = await newProject('Naps')
})

const newProject = async (name: string) =>
  (await ada.json<{ data: { id: string } }>(api.projects(), { body: { name } })).data.id
const upload = async (name = 'paper.pdf', into = project) =>
  (await ada.upload(into, new File([paper], name, { type: 'application/pdf' }))).id
const read = async (id: string) => (await ada.json<{ data: DocumentDetail }>(api.document(id))).data
const patch = async (id: string, body: object) =>
  (await ada.json<{ data: DocumentDetail }>(api.document(id), { method: 'PATCH', body })).data
const refused = async (id: string, body: object) => {
  const response = await ada.fetch(api.document(id), {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const { error } = (await response.json()) as {
    error: { fields?: Record<string, string>; current?: DocumentDetail }
  }
  return { status: response.status, ...error }
}
const addPaper = async (body: object, into = project) =>
  (await ada.json<{ data: AddedPaper }>(api.papers(), { body: { project_id: into, ...body } })).data.document.id
const analyze = async (id: string) => {
  for (const [path, body] of [
    [api.documentExtract(id), { method: 'text' }],
    [api.documentAnalyze(id), {}],
  ] as const)
    await ada.job((await ada.json<{ data: Job }>(path, { body })).data.id)
  return read(id)
}
const keyOf = async (id: string) => (await read(id)).reference['citation-key']

describe('the reference of a document', () => {
  it('The columns and the reference of every document are equal after each kind of write (FND-01, FND-02)', async () => {
    const other = await newProject('Dreams')
    const uploaded = await upload()
    const first = await analyze(uploaded)
    expect(first.reference).toMatchObject({ id: uploaded, title: first.title, author: expect.any(Array) })
    await patch(uploaded, {
      title: 'Mine',
      authors: ['Ada Lovelace', 'World Health Organization'],
      publication_date: '2020-02-03',
    })
    await patch(uploaded, {
      reference: { author: [{ family: 'Byron King', given: 'Ada' }], issued: { 'date-parts': [[2021, 5]] } },
    })
    const job = await ada.json<{ data: Job }>(api.documentAnalyze(uploaded), {
      body: { replace_edited: ['title', 'authors', 'publication_date'] },
    })
    await ada.job(job.data.id)
    const again = await read(uploaded)
    expect(again.title).toBe(first.title)
    await ada.json(api.documentUndoAnalysis(uploaded), { body: { analyzed_at: again.analyzed_at } })
    expect((await read(uploaded)).reference).toMatchObject({
      title: 'Mine',
      author: [{ family: 'Byron King', given: 'Ada' }],
      issued: { 'date-parts': [[2021, 5]] },
    })

    const added = await addPaper({
      title: 'From a feed',
      doi: 'https://doi.org/10.5555/Feed.1',
      authors: ['Marlowe, Ines', 'Plato'],
      journal: 'Sleep',
      date: '2024-01-31',
      abstract: 'We asked.',
      link: 'https://example.org/feed',
    })
    expect((await read(added)).reference).toEqual({
      id: added,
      type: 'article-journal',
      'citation-key': 'marlowe2024feed',
      title: 'From a feed',
      DOI: '10.5555/Feed.1',
      author: [{ family: 'Marlowe', given: 'Ines' }, { literal: 'Plato' }],
      'container-title': 'Sleep',
      issued: { 'date-parts': [[2024, 1, 31]] },
      abstract: 'We asked.',
      URL: 'https://example.org/feed',
    })
    await patch(added, { looked_up: ['journal_name'], journal_name: 'Dreaming', doi_link: '', semantic_paperid: 'W1' })
    await patch(added, { project_id: other })
    await patch(added, { project_id: null })
    await ada.json(api.document(uploaded), { method: 'DELETE' })
    await ada.json(api.documentRestore(uploaded), { method: 'POST' })

    const client = new PostgresClient({ connectionString: server.databaseUrl })
    if (!server.databaseUrl) return expect((await read(added)).reference.DOI).toBeUndefined()
    await client.connect()
    const { rows } = await client.query<ReferenceColumns & { id: string; reference: Reference }>(
      'select id, reference, title, doi_link, publication_date::text, journal_name, authors, abstract, link from documents where id = any ($1)',
      [[added, uploaded]],
    )
    await client.end()
    expect(rows).toHaveLength(2)
    for (const row of rows) {
      expect(row).toMatchObject(columnsOf(row.reference))
      expect(row.reference.id).toBe(row.id)
    }
    return undefined
  })

  it('A PATCH changes fields by their names in CSL, and the columns of these fields (FND-02, FND-05, FND-06)', async () => {
    const id = await upload()
    const changed = await patch(id, {
      reference: {
        type: 'chapter',
        title: 'Naps',
        author: [{ given: 'Ines', family: 'Marlowe', suffix: ' ' }, { literal: 'Sleep Group' }],
        issued: { 'date-parts': [[2024, 6]] },
        'container-title': 'Handbook of sleep',
        page: '10-20',
        DOI: 'https://doi.org/10.5555/naps',
        editor: [{ family: 'Okafor' }],
      },
    })
    expect(changed).toMatchObject({
      title: 'Naps',
      authors: ['Ines Marlowe', 'Sleep Group'],
      publication_date: null,
      ref_year: 2024,
      journal_name: 'Handbook of sleep',
      journal_id: null,
      doi_link: '10.5555/naps',
      edited_fields: ['title', 'authors', 'doi_link', 'publication_date', 'journal_name', 'type', 'page', 'editor'],
    })
    const article = await patch(id, {
      reference: { type: 'article-journal', 'container-title': 'Sleep', page: null, editor: [] },
    })
    expect(article.journal_id).toEqual(expect.any(String))
    expect(article.reference).not.toHaveProperty('page')
    expect(article.reference).not.toHaveProperty('editor')
    const full = await patch(id, { reference: { issued: { 'date-parts': [[2024, 6, 2]] } } })
    expect(full.publication_date).toBe('2024-06-02')
    const list = await ada.json<{ data: DocumentDetail[] }>(api.documents({ project_id: project, search: 'marlowe' }))
    expect(list.data.map((row) => [row.id, row.ref_year])).toContainEqual([id, 2024])
  })

  it('A field that a user edited is not changed by an analysis or a metadata service (FND-06)', async () => {
    const id = await upload()
    await patch(id, {
      reference: { issued: { 'date-parts': [[1999]] }, author: [{ literal: 'Another' }], volume: '7' },
    })
    const { reference, authors, publication_date } = await analyze(id)
    expect({ authors, publication_date }).toEqual({ authors: ['Another'], publication_date: null })
    expect(reference).toMatchObject({ issued: { 'date-parts': [[1999]] }, volume: '7' })
  })

  it('An analysis keeps the year that an import added to an uploaded paper', async () => {
    const other = await newProject('An imported year')
    const id = await upload('paper.pdf', other)
    const { doi_link, title } = await analyze(id)
    await inDatabase(
      server,
      `update documents set publication_date = null, reference = reference - 'issued' where id = $1`,
      [id],
    )
    const record = `TY  - JOUR\nTI  - ${title}\nPY  - 2020\nDO  - ${doi_link}\nER  - \n`
    expect((await importReferences(ada, other, { 'year.ris': record })).result).toMatchObject({ joined: 1 })
    const { ref_year, publication_date } = await analyze(id)
    expect([ref_year, publication_date]).toEqual([2020, null])
  })

  it('A percent-encoded DOI is stored decoded by each kind of write, so that an import joins its paper', async () => {
    const other = await newProject('Encoded DOIs')
    const doi = '10.1002/(SICI)1097-0258(19980815/30)17:15/16<1661::AID-SIM968>3.0.CO;2-2'
    const encoded = 'https://doi.org/10.1002/(SICI)1097-0258(19980815/30)17:15%2F16%3C1661::AID-SIM968%3E3.0.CO;2-2'
    const id = await upload('paper.pdf', other)
    for (const body of [{ doi_link: encoded }, { reference: { DOI: encoded } }]) {
      await patch(id, { title: 'SICI', doi_link: null })
      expect(await patch(id, body)).toMatchObject({ doi_link: doi, reference: { DOI: doi } })
    }
    const { result } = await importReferences(ada, other, {
      'a.ris': `TY  - JOUR\nTI  - SICI\nDO  - ${encoded.replace('https://doi.org/', '')}\nER  - \n`,
      'b.json': JSON.stringify([{ type: 'article-journal', title: 'SICI', DOI: encoded }]),
    })
    expect(result).toMatchObject({ joined: 2 })
    expect(await addPaper({ title: 'SICI', doi: encoded }, other)).toBe(id)
  })

  it('A PATCH with wrong values names the field', async () => {
    const id = await upload()
    const wrong = async (reference: object, more: object = {}) => {
      const { status, fields } = await refused(id, { ...more, reference })
      expect(status).toBe(422)
      return Object.keys(fields ?? {})
    }
    expect(await wrong({ issued: { 'date-parts': [[2023, 2, 29]] } })).toEqual(['reference.issued.date-parts.0'])
    expect(await wrong({ URL: 'javascript:alert(1)' })).toEqual(['reference.URL'])
    expect(await wrong({ type: 'essay' })).toEqual(['reference.type'])
    expect(await wrong({ author: [{ suffix: 'Jr.' }] })).toEqual(['reference.author.0'])
    expect(await wrong({ 'citation-key': 'two words' })).toEqual(['reference.citation-key'])
    expect(await wrong({ title: 'One' }, { title: 'Two' })).toEqual(['reference.title'])
    expect((await refused(id, { reference: { colour: 'red' } })).status).toBe(422)
  })

  it('A long container title in another script is stored in the paper', async () => {
    const long = Array.from({ length: 2000 }, (_, n) => String.fromCodePoint(0x4e00 + ((n * 7919) % 20_000))).join('')
    const reference = { type: 'article-journal', title: 'Of a long container', 'container-title': long }
    const changed = await patch(await addPaper({ title: 'Changed' }), { reference })
    const body = { project_id: project, papers: [{ reference: { ...reference, title: 'Added with it' } }] }
    const { data } = await ada.json<{ data: AddedPapers }>(api.identifiersPapers(), { body })
    for (const paper of [changed, await read(data.papers[0]!.document_id)])
      expect(paper).toMatchObject({ journal_name: long, reference: { 'container-title': long } })
    expect((await refused(changed.id, { reference: { PMCID: long } })).fields).toHaveProperty('reference.PMCID')
  })

  it('Two edits of the same field at the same time are a conflict, and edits of two fields are not', async () => {
    const id = await upload()
    const { version } = await patch(id, { reference: { volume: '1', author: [{ given: 'A', family: 'B' }] } })
    await patch(id, { version, reference: { volume: '2' } })
    const conflict = await refused(id, { version, reference: { volume: '3', issue: '4' } })
    expect(conflict).toMatchObject({ status: 409, fields: { 'reference.volume': expect.any(String) } })
    expect(Object.keys(conflict.fields!)).toHaveLength(1)
    expect(conflict.current!.reference.volume).toBe('2')
    const same = await patch(id, { version, reference: { issue: '4', author: [{ family: 'B', given: 'A' }] } })
    expect(same.reference).toMatchObject({ volume: '2', issue: '4' })
  })
})

it('Lists are sorted by year, then by day; papers without a year are last (FND-05)', async () => {
  const into = await newProject('Dates')
  const add = async (title: string, parts?: number[]) => {
    const id = await addPaper({ title }, into)
    if (parts) await patch(id, { reference: { issued: { 'date-parts': [parts] } } })
  }
  await add('none')
  await add('2024', [2024])
  await add('2023-05-01', [2023, 5, 1])
  await add('2024-02-01', [2024, 2, 1])
  await add('2024-01-01', [2024, 1, 1])
  const titles = async (order_by: string) =>
    (await ada.json<{ data: DocumentDetail[] }>(api.documents({ project_id: into, order_by }))).data.map(
      ({ title }) => title,
    )
  expect(await titles('publication_date.asc')).toEqual(['2023-05-01', '2024-01-01', '2024-02-01', '2024', 'none'])
  expect(await titles('publication_date.desc')).toEqual(['2024-02-01', '2024-01-01', '2024', '2023-05-01', 'none'])
})

describe('citation keys', () => {
  it('A citation key is unique in its project and stays when the paper changes (FND-07)', async () => {
    const into = await newProject('Keys')
    const twin = (title: string) => addPaper({ title, authors: ['Ines Marlowe'], date: '2025-01-01' }, into)
    const ids = [await twin('Naps one'), await twin('Naps two'), await twin('Naps three')]
    expect(await Promise.all(ids.map(keyOf))).toEqual(['marlowe2025naps', 'marlowe2025napsa', 'marlowe2025napsb'])
    await patch(ids[0]!, { title: 'Dreams', authors: ['Tobi Okafor'] })
    expect(await keyOf(ids[0]!)).toBe('marlowe2025naps')
    const used = await refused(ids[1]!, { reference: { 'citation-key': 'Marlowe2025Naps' } })
    expect(used).toMatchObject({
      status: 422,
      fields: { 'reference.citation-key': 'Another paper has this key. Try Marlowe2025Napsa.' },
    })
    await patch(ids[1]!, { reference: { 'citation-key': 'own:key' } })
    expect(await keyOf(ids[1]!)).toBe('own:key')
    // A deleted paper keeps its key, so that it can be restored.
    await ada.json(api.document(ids[0]!), { method: 'DELETE' })
    expect(await keyOf(await twin('Naps four'))).toBe('marlowe2025napsa')
  })

  it('The citation key of a paper that moves to a project with the same key gets a letter at its end (FND-07)', async () => {
    const [from, to] = [await newProject('From'), await newProject('To')]
    const body = { title: 'Naps', authors: ['Ines Marlowe'], date: '2025-01-01' }
    const [moved] = [await addPaper(body, from), await addPaper(body, to)]
    await patch(moved, { project_id: to })
    expect(await keyOf(moved)).toBe('marlowe2025napsa')
  })

  it('The citation key of an upload comes from the filename until the title is known (FND-07)', async () => {
    const id = await upload('spindles_2020.pdf')
    expect(await keyOf(id)).toBe('spindles')
    const { reference, ref_year } = await analyze(id)
    expect(reference['citation-key']).not.toBe('spindles')
    expect(reference['citation-key']).toContain(String(ref_year ?? ''))
  })
})

it.skipIf(!process.env['TEST_DATABASE_URL'])('Each added paper is a record of an import (FND-11)', async () => {
  const into = await newProject('Records')
  await addPaper({ title: 'Naps one' }, into)
  await addPaper({ title: 'Naps two' }, into)
  await ada.upload(into, new File([paper], 'a.pdf', { type: 'application/pdf' }))
  const client = new PostgresClient({ connectionString: server.databaseUrl })
  await client.connect()
  const { rows } = await client.query(
    `select i.kind, i.read_count, i.created_count, r.position, r.outcome, r.reference ->> 'title' as title
       from imports i join import_records r on r.import_id = i.id where i.project_id = $1 order by i.kind, r.position`,
    [into],
  )
  await client.end()
  const feed = { kind: 'feed', read_count: 2, created_count: 2, outcome: 'created' }
  expect(rows).toEqual([
    { ...feed, position: 1, title: 'Naps one' },
    { ...feed, position: 2, title: 'Naps two' },
    { ...feed, kind: 'upload', read_count: 1, created_count: 1, position: 1, title: null },
  ])
})
