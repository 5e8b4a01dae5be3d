import { readFile } from 'node:fs/promises'
import { Client as PostgresClient } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DocumentDetail, DocumentRow } from '#shared/contract/documents.ts'
import type { ImportDetail, ImportPreview, ImportRecord, ImportRecordRow, ImportRow } from '#shared/contract/imports.ts'
import type { Job } from '#shared/contract/jobs.ts'
import { api } from '#shared/contract/paths.ts'
import { IMPORT_REFUSALS } from '#shared/contract/reference-formats.ts'
import { columnsOf } from '#shared/references/columns.ts'
import { inDatabase } from '#tests/helpers/database.ts'
import { importForm, importReferences } from '#tests/helpers/reference-file.ts'
import { type Client, signUp, startServer, type TestServer } from '#tests/helpers/server.ts'

let server: TestServer
let ada: Client
beforeAll(async () => {
  server = await startServer()
  ada = await signUp(server.url)
})
afterAll(() => server?.stop())

const newProject = async (name: string) =>
  (await ada.json<{ data: { id: string } }>(api.projects(), { body: { name } })).data.id
const fixture = (name: string) => readFile(new URL(`../fixtures/references/${name}`, import.meta.url))
const listImports = (project_id: string) =>
  ada.json<{ data: ImportRow[]; count: number; totals: Record<string, number> }>(api.imports({ project_id }))
const detail = async (id: string) => (await ada.json<{ data: ImportDetail }>(api.import(id))).data
const records = (id: string, outcome?: string) =>
  ada.json<{ data: ImportRecordRow[]; count: number }>(api.importRecords(id, { outcome }))
const documents = (project_id: string) =>
  ada.json<{ data: DocumentRow[]; count: number }>(api.documents({ project_id, limit: 100 }))
const read = async (id: string) => (await ada.json<{ data: DocumentDetail }>(api.document(id))).data
const post = async (path: string, form: FormData) => {
  const response = await ada.fetch(path, { method: 'POST', body: form })
  const { data, error } = (await response.json()) as { data: ImportPreview; error: { message: string } }
  return { status: response.status, data, message: error?.message }
}
const importIds = ({ result }: Job) => (result as { import_ids: string[] }).import_ids

const NAP = 'Daytime naps and the recall of word lists in adults over sixty'
const ris = (...entries: string[][]) =>
  entries.map((lines) => ['TY  - JOUR', ...lines, 'ER  - ', ''].join('\r\n')).join('\r\n')

describe('POST /api/imports/preview', () => {
  it('The preview has the format, the number of records and the first three (FMT-02, FMT-20)', async () => {
    const { data } = await post(api.importPreview(), importForm({ 'export.txt': await fixture('pubmed.nbib') }))
    expect(data).toMatchObject({ format: 'nbib', count: 2, has_groups: false, columns: null })
    expect(data.records[0]).toMatchObject({ position: 1, title: expect.any(String), year: expect.any(Number) })
    expect(data.records.length).toBeLessThanOrEqual(3)
    const jabref = await post(api.importPreview(), importForm({ 'jabref.bib': await fixture('jabref.bib') }))
    expect(jabref.data).toMatchObject({ format: 'bibtex', has_groups: true })
  })

  it('The preview of a CSV file has its columns, and uses the columns that a user chose (FMT-26)', async () => {
    const csv = 'Heading;Who;When\nNaps;"Lovelace, Ada";2021\n'
    const first = await post(api.importPreview(), importForm({ 'own.csv': csv }, { format: 'csv' }))
    expect(first.data.columns).toEqual({
      header: ['Heading', 'Who', 'When'],
      rows: [['Naps', 'Lovelace, Ada', '2021']],
      matched: {},
    })
    const columns = JSON.stringify({ title: 0, author: 1, year: 2 })
    const chosen = await post(api.importPreview(), importForm({ 'own.csv': csv }, { format: 'csv', columns }))
    expect(chosen.data.records).toEqual([
      { position: 1, title: 'Naps', authors: ['Ada Lovelace'], year: 2021, reason: null },
    ])
  })

  it('The preview of a CSV file shows the start of long cells', async () => {
    const csv = `Title,Notes\nNaps,${'x'.repeat(100_000)}\n`
    const { data } = await post(api.importPreview(), importForm({ 'long.csv': csv }))
    expect(data.columns?.rows).toEqual([['Naps', 'x'.repeat(300)]])
  })

  it('A file that is no reference file, an empty one and a large one are refused with the reason (FMT-70, FMT-71, FMT-73)', async () => {
    expect(await post(api.importPreview(), importForm({ 'a.txt': 'Dear editor, naps help.' }))).toMatchObject({
      status: 422,
      message: IMPORT_REFUSALS.unknownFormat,
    })
    expect(await post(api.importPreview(), importForm({ 'a.json': '[]' }))).toMatchObject({
      status: 422,
      message: IMPORT_REFUSALS.noReferences,
    })
    const many = 'TY  - JOUR\nTI  - x\nER  - \n'.repeat(50_001)
    expect(await post(api.importPreview(), importForm({ 'a.ris': many }))).toMatchObject({
      status: 422,
      message: IMPORT_REFUSALS.tooManyRecords,
    })
    const large = new Uint8Array(50 * 1024 * 1024 + 1).fill(32)
    expect(await post(api.importPreview(), importForm({ 'a.ris': large }))).toMatchObject({
      status: 413,
      message: IMPORT_REFUSALS.tooLarge,
    })
    const nested = `<xml><records>${'<a>'.repeat(1_000_000)}</records></xml>`
    expect((await post(api.importPreview(), importForm({ 'a.xml': nested }))).status).toBe(422)
  })
})

describe('POST /api/imports', () => {
  it('A file becomes papers, and every record is listed with its outcome and its text (FMT-05, FMT-06, FMT-21, FND-11)', async () => {
    const project = await newProject('Naps')
    const file = ris(
      [`TI  - ${NAP}`, 'AU  - Lovelace, Ada', 'PY  - 2020', 'DO  - 10.5555/naps.1', 'ID  - lovelace20', 'KW  - sleep'],
      ['AU  - Unknown', 'PY  - 1999'],
      [`TI  - ${NAP.toUpperCase()}`, 'DO  - https://doi.org/10.5555/NAPS.1', 'AB  - Naps help.'],
      ['TI  - Broken \u0000title \ud800', 'C9  - unknown tag'],
    )
    const job = await importReferences(
      ada,
      project,
      { 'naps.ris': file },
      {
        source_name: 'Embase',
        searched_on: '2026-11-20',
        search_text: 'nap*',
        tags: '["Search 1"]',
      },
    )
    expect(job).toMatchObject({ status: 'completed', result: { created: 2, joined: 1, joined_within: 1, failed: 1 } })
    const { data, count, totals } = await listImports(project)
    expect(count).toBe(1)
    expect(data[0]).toMatchObject({
      kind: 'file',
      state: 'done',
      source_name: 'Embase',
      source_kind: 'database',
      searched_on: '2026-11-20',
      search_text: 'nap*',
      filename: 'naps.ris',
      format: 'ris',
      read_count: 4,
      created_count: 2,
      joined_count: 1,
      joined_within_count: 1,
      failed_count: 1,
      created_by: ada.userId,
      created_by_name: ada.email.split('@')[0],
    })
    expect(totals).toMatchObject({ read_count: 4, created_count: 2 })
    const { id } = data[0]!
    const all = await records(id)
    expect(all.data.map(({ position, outcome, reason }) => [position, outcome, reason])).toEqual([
      [1, 'created', null],
      [2, 'failed', 'This record has neither a title nor an identifier.'],
      [3, 'joined', 'Joined within this file, with record 1'],
      [4, 'created', null],
    ])
    expect(all.data[2]!.document).toEqual(all.data[0]!.document)
    expect((await records(id, 'failed')).count).toBe(1)
    const raw = (await ada.json<{ data: ImportRecord }>(api.importRecord(all.data[0]!.id))).data
    expect(raw.raw).toContain('DO  - 10.5555/naps.1')
    expect(raw).toMatchObject({ line: 1, reference: { DOI: '10.5555/naps.1' } })
    const paper = await read(all.data[0]!.document!.id)
    expect(paper).toMatchObject({
      title: NAP,
      abstract: 'Naps help.',
      status: 'pending',
      keywords: ['Search 1'],
      reference: { 'citation-key': 'lovelace20', keyword: 'sleep', id: paper.id },
    })
    for (const { id: one } of (await documents(project)).data) {
      const { reference, ...row } = await read(one)
      expect(row).toMatchObject(columnsOf(reference))
    }
    const download = await ada.fetch(api.importFile(id))
    expect(await download.text()).toContain('lovelace20')
  })

  it('A second import joins papers of the project, fills their empty fields and changes no edited field (FMT-41, FMT-47, FND-06)', async () => {
    const project = await newProject('Joins')
    await importReferences(ada, project, {
      'first.ris': ris([
        `TI  - ${NAP}`,
        'AU  - Lovelace, Ada',
        'PY  - 2020',
        'VL  - 3',
        'PB  - Old',
        'DO  - 10.5555/naps.1',
        'C2  - PMC7654321',
      ]),
    })
    const [{ id: known }] = (await documents(project)).data as [DocumentRow]
    await ada.json(api.document(known), { method: 'PATCH', body: { reference: { publisher: null } } })
    const second = ris(
      [`TI  - ${NAP}`, 'DO  - 10.5555/naps.1', 'AB  - From Embase.', 'IS  - 4', 'PB  - Elsevier'],
      [`TI  - ${NAP}`, 'AU  - Lovelace, A.', 'PY  - 2021', 'VL  - 3'],
      ['TI  - Another paper with the same wrong identifier', 'DO  - 10.5555/naps.1'],
      ['TI  - Daytime naps and the recall of word lists', 'C2  - pmc7654321'],
    )
    const job = await importReferences(ada, project, { 'second.ris': second })
    expect(job.result).toMatchObject({ created: 1, joined: 3, joined_within: 0 })
    const rows = (await records(importIds(job)[0]!)).data
    expect(rows.map(({ reason }) => reason)).toEqual([
      'Same DOI as a paper you have',
      'Same title, first author and place as a paper you have',
      null,
      'Same PMCID as a paper you have',
    ])
    expect(rows[0]!.document!.id).toBe(known)
    expect((await read(known)).reference).toMatchObject({ issue: '4', abstract: 'From Embase.', volume: '3' })
    expect((await read(known)).reference).not.toHaveProperty('publisher')
    const apart = await importReferences(ada, project, { 'second.ris': second }, { join_duplicates: 'false' })
    expect(apart.result).toMatchObject({ created: 4, joined: 0 })
  })

  it('One job imports several files, and on request turns groups into tags and creates new citation keys (FMT-04, FMT-22)', async () => {
    const project = await newProject('Several')
    const files = { 'jabref.bib': await fixture('jabref.bib'), 'endnote.xml': await fixture('endnote-library.xml') }
    const job = await importReferences(ada, project, files, { groups_as_tags: 'true', keep_citation_keys: 'false' })
    expect(job.status).toBe('completed')
    expect(importIds(job)).toHaveLength(2)
    const [bibtex] = importIds(job) as [string]
    const keys = (await records(bibtex)).data.map(({ document }) => document?.citation_key)
    const source = (await records(bibtex)).data[0]!
    const { reference } = (await ada.json<{ data: ImportRecord }>(api.importRecord(source.id))).data
    expect(keys).not.toContain(reference['citation-key'])
    const { tags } = (await ada.json<{ data: { tags: { name: string }[] } }>(api.documentFilters(project))).data
    expect(tags.length).toBeGreaterThan(0)
    const [, second] = (await listImports(project)).data
    expect(new Set((await listImports(project)).data.map(({ job_id }) => job_id))).toEqual(new Set([second!.job_id]))
  })

  it('A paper that two records of a file join gets the tags of both (FMT-04)', async () => {
    const project = await newProject('Tagged twice')
    const bib = (...entries: string[]) =>
      entries.map((fields, at) => `@article{k${at}, title={${NAP}}, ${fields}}`).join('\n')
    await importReferences(ada, project, { 'a.bib': bib('doi={10.5555/tagged}, pmid={31806334}') })
    const both = bib('doi={10.5555/tagged}, groups={Wards, Naps}', 'pmid={31806334}, groups={Recall, Naps}')
    const [id] = importIds(await importReferences(ada, project, { 'b.bib': both }, { groups_as_tags: 'true' }))
    expect((await detail(id!)).joined_count).toBe(2)
    const { data } = await documents(project)
    expect(data.map(({ keywords }) => keywords)).toEqual([['Wards', 'Naps', 'Recall']])
  })

  it('Long values that the database indexes are cut, and do not stop the import', async () => {
    const project = await newProject('Long values')
    const long = Array.from({ length: 3000 }, (_, n) => String.fromCodePoint(0x4e00 + ((n * 7919) % 20_000))).join('')
    const entry = `@article{a, title = {${NAP}}, pmcid = {${long}}, groups = {${long}}}`
    expect(await importReferences(ada, project, { 'long.bib': entry }, { groups_as_tags: 'true' })).toMatchObject({
      status: 'completed',
      result: { created: 1 },
    })
    const paper = await read((await documents(project)).data[0]!.id)
    expect(paper.keywords).toEqual([long.slice(0, 200)])
    expect(paper.reference.PMCID).toBe(long.slice(0, 50))
  })

  it.each([
    ['An import has at most 50 tags.', { tags: JSON.stringify(Array.from({ length: 51 }, (_, at) => `tag ${at}`)) }],
    ['A tag has at most 200 characters.', { tags: JSON.stringify(['x'.repeat(201)]) }],
    ['This is not valid JSON.', { tags: 'naps' }],
    ['tags: This value is not valid.', { tags: '{}' }],
    ['The name of a source has at most 200 characters.', { source_name: 'x'.repeat(201) }],
    ['A search has at most 50,000 characters.', { search_text: 'x'.repeat(50_001) }],
  ])('An import with a wrong field is refused with the message: %s', async (message, fields) => {
    const form = importForm({ 'a.ris': ris([`TI  - ${NAP}`]) }, { project_id: crypto.randomUUID(), ...fields })
    expect(await post(api.imports(), form)).toMatchObject({ status: 422, message })
  })

  it('A file that cannot be read is refused before anything is stored, with its name among several files', async () => {
    const project = await newProject('Refused')
    const form = importForm({ 'good.ris': ris([`TI  - ${NAP}`]), 'bad.txt': 'no references' }, { project_id: project })
    expect(await post(api.imports(), form)).toMatchObject({
      status: 422,
      message: `bad.txt: ${IMPORT_REFUSALS.unknownFormat}`,
    })
    expect((await listImports(project)).count).toBe(0)
  })
})

describe('DELETE /api/imports/{id}', () => {
  it('Undo moves papers that nothing else uses to the trash, and the records stay (FMT-07, FND-12)', async () => {
    const project = await newProject('Undone')
    const one = ['TI  - A paper of both files with a long enough title', 'DO  - 10.5555/both']
    const other = ['TI  - A paper of one file only', 'DO  - 10.5555/one']
    const first = importIds(await importReferences(ada, project, { 'a.ris': ris(one, other) }))[0]!
    const second = importIds(await importReferences(ada, project, { 'b.ris': ris(one) }))[0]!
    expect((await detail(first)).undo).toEqual({ deleted: 1, stays: 1 })
    const { data } = await ada.json<{ data: { deleted: number; stays: number; import: ImportRow } }>(
      api.import(first),
      {
        method: 'DELETE',
      },
    )
    expect(data).toMatchObject({ deleted: 1, stays: 1, import: { undone_at: expect.any(String) } })
    expect((await documents(project)).data.map(({ title }) => title)).toEqual([one[0]!.slice(6)])
    expect((await records(first)).count).toBe(2)
    expect((await listImports(project)).totals).toMatchObject({ read_count: 1, joined_count: 1 })
    const again = await ada.fetch(api.import(first), { method: 'DELETE' })
    expect(again.status).toBe(409)
    expect((await detail(second)).undo).toEqual({ deleted: 1, stays: 0 })
  })

  it('Undo leaves a paper that its user moved out of the project (FMT-07)', async () => {
    const project = await newProject('Moved out')
    const [id] = importIds(await importReferences(ada, project, { 'a.ris': ris([`TI  - ${NAP}`]) }))
    const paper = (await records(id!)).data[0]!.document!.id
    await ada.json(api.document(paper), { method: 'PATCH', body: { project_id: null } })
    expect((await detail(id!)).undo).toEqual({ deleted: 0, stays: 0 })
    await ada.json(api.import(id!), { method: 'DELETE' })
    expect(await read(paper)).toMatchObject({ title: NAP, project_id: null })
  })

  it('Undo waits for an import that joins a record with one of the papers, and the paper stays', async () => {
    const project = await newProject('Joined meanwhile')
    const [first] = importIds(await importReferences(ada, project, { 'a.ris': ris([`TI  - ${NAP}`]) }))
    const [second] = importIds(await importReferences(ada, project, { 'b.ris': ris(['TI  - Another paper']) }))
    const paper = (await records(first!)).data[0]!.document!.id
    const client = new PostgresClient({ connectionString: server.databaseUrl })
    await client.connect()
    await client.query('begin')
    await client.query(`select pg_advisory_xact_lock(hashtextextended('papers of ' || $1, 0))`, [project])
    await client.query(
      `insert into import_records (import_id, project_id, position, outcome, document_id) values ($1, $2, 9, 'joined', $3)`,
      [second, project, paper],
    )
    let isOver = false
    const undone = ada
      .json<{ data: { deleted: number } }>(api.import(first!), { method: 'DELETE' })
      .finally(() => (isOver = true))
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    while (!isOver && (await client.query(waiting)).rowCount === 0);
    await client.query('commit')
    await client.end()
    expect((await undone).data.deleted).toBe(0)
    expect((await documents(project)).count).toBe(2)
  })
})

it('A record is in the project of its import and of its paper (FND-11)', async () => {
  const [mine, other] = [await newProject('Mine'), await newProject('Other')]
  await importReferences(ada, mine, { 'a.ris': ris([`TI  - ${NAP}`]) })
  await importReferences(ada, other, { 'a.ris': ris([`TI  - ${NAP}`]) })
  const [{ id: ownImport }] = (await listImports(mine)).data as [ImportRow]
  const [{ id: foreignPaper }] = (await documents(other)).data as [DocumentRow]
  const insert = `insert into import_records (import_id, project_id, position, outcome, document_id) values ($1, $2, 9, 'created', $3)`
  await expect(inDatabase(server, insert, [ownImport, mine, foreignPaper])).rejects.toThrow(/another project/)
  await expect(inDatabase(server, insert, [ownImport, other, foreignPaper])).rejects.toThrow(
    /import_records_import_of_project/,
  )
  const move = `update import_records set document_id = $2 where import_id = $1`
  await expect(inDatabase(server, move, [ownImport, foreignPaper])).rejects.toThrow(/another project/)
})
