import { readdir, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { beforeAll, describe, expect, it } from 'vitest'
import { openReferences, readReferences } from '#server/formats/index.ts'
import type { ApiErrorBody } from '#shared/contract/errors.ts'
import { EXPORT_HEADERS } from '#shared/contract/exports.ts'
import type { AddedPaper } from '#shared/contract/lookup.ts'
import { api } from '#shared/contract/paths.ts'
import { inDatabase } from '#tests/helpers/database.ts'
import { onePagePdf } from '#tests/helpers/one-page-pdf.ts'
import { type Client, signUp } from '#tests/helpers/server.ts'
import { sharedServer } from '#tests/helpers/shared-server.ts'

const server = sharedServer()
let ada: Client
let ben: Client
let project: string
let ids: string[]

const ask = (body: object, client = ada, signal?: AbortSignal) =>
  client.fetch(api.exports(), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ project_id: project, ...body }),
    ...(signal ? { signal } : {}),
  })
const text = async (body: object, client = ada) => (await ask(body, client)).text()
const refusal = async (body: object, client = ada) => {
  const response = await ask(body, client)
  return [response.status, ((await response.json()) as ApiErrorBody).error.message]
}
const counts = ({ headers }: Response) => [headers.get(EXPORT_HEADERS.count), headers.get(EXPORT_HEADERS.leftOut)]
const read = (written: string) => {
  const { text: file, format } = openReferences(Buffer.from(written))
  return [...readReferences(file, format)].map(({ reference }) => reference!)
}
const titles = (written: string) => read(written).map(({ title }) => title)

beforeAll(async () => {
  ada = await signUp(server.url)
  ben = await signUp(server.url)
  project = (await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Über "naps"' } })).data.id
  ids = []
  for (const title of ['Naps über all', 'Spindles', '=Dreams']) {
    const body = { project_id: project, title, authors: ['Ines Marlowe'] }
    ids.push((await ada.json<{ data: AddedPaper }>(api.papers(), { body })).data.document.id)
  }
  const change = { keywords: ['rest'], reference: { PMID: '123', keyword: 'sleep', volume: '3' } }
  await ada.json(api.document(ids[0]!), { method: 'PATCH', body: change })
  const { id } = await ada.upload(project, new File([onePagePdf(['Naps.'])], 'a;b.pdf', { type: 'application/pdf' }))
  ids.push(id)
})

describe('exports', () => {
  it('Each format writes the papers of a project, newest first, and its file can be read again (FMT-50, FMT-52)', async () => {
    for (const [format, ending] of [
      ['bibtex', 'bib'],
      ['biblatex', 'bib'],
      ['ris', 'ris'],
      ['csl-json', 'json'],
      ['endnote-xml', 'xml'],
      ['csv', 'csv'],
    ] as const) {
      const response = await ask({ format })
      const name = `Über _naps_-${new Date().toISOString().slice(0, 10)}.${ending}`
      expect(response.headers.get('content-disposition')).toContain(`filename*=UTF-8''${encodeURIComponent(name)}`)
      expect(counts(response)).toEqual(['4', '0'])
      const written = await response.text()
      expect(titles(written), format).toEqual(['a;b.pdf', '=Dreams', 'Spindles', 'Naps über all'])
      expect(read(written).at(-1)!.keyword, format).toBe('sleep; rest')
    }
    expect(await text({ format: 'csv' })).toContain("'=Dreams")
  })

  it('An export of ids has their order, an export of a filter has the order of the list, and nbib has only papers with a PMID (FMT-10, FMT-50)', async () => {
    expect(titles(await text({ format: 'ris', ids: [ids[1], ids[0], ids[1]] }))).toEqual(['Spindles', 'Naps über all'])
    expect(titles(await text({ format: 'ris', filter: { search: 'spindles' } }))).toEqual(['Spindles'])
    expect(titles(await text({ format: 'ris', filter: { order_by: 'title.asc', keyword: ['rest'] } }))).toEqual([
      'Naps über all',
    ])
    const nbib = await ask({ format: 'nbib' })
    expect(counts(nbib)).toEqual(['1', '3'])
    expect(titles(await nbib.text())).toEqual(['Naps über all'])
    expect(await text({ format: 'bibtex', ids: [ids[0]], options: { latex: true } })).toContain('Naps {\\"u}ber all')
  })

  it('A ZIP file has the PDFs and a BibTeX file that names them (FMT-50)', async () => {
    const response = await ask({ format: 'pdfs' })
    expect(counts(response)).toEqual(['1', '3'])
    const files = unzipSync(new Uint8Array(await response.arrayBuffer()))
    const bibliography = Object.keys(files).find((name) => name.endsWith('.bib')) ?? ''
    expect(Object.keys(files)).toEqual(['files/a_b.pdf', bibliography])
    expect(Buffer.from(files['files/a_b.pdf']!).subarray(0, 5).toString()).toBe('%PDF-')
    expect(Buffer.from(files[bibliography]!).toString()).toContain('file = {files/a_b.pdf}')
  })

  it('An export of papers of another user, of no papers, or with both ids and a filter is refused', async () => {
    expect(await refusal({ format: 'ris' }, ben)).toEqual([404, 'Project not found'])
    expect(await refusal({ format: 'ris', project_id: null, ids: [ids[0]] })).toEqual([404, 'Document not found'])
    expect(await refusal({ format: 'ris', filter: { search: 'zebra' } })).toEqual([
      422,
      'There are no papers to export.',
    ])
    expect(await refusal({ format: 'nbib', ids: [ids[1]] })).toEqual([422, 'None of these papers has a PMID.'])
    expect(await refusal({ format: 'pdfs', ids: [ids[1]] })).toEqual([422, 'None of these papers has a PDF.'])
    expect(await refusal({ format: 'ris', ids: [ids[0]], filter: {} })).toEqual([422, 'Use either ids or filter.'])
  })

  it('A viewer exports, and receives no further part after the membership has ended (SHR-31)', async () => {
    await inDatabase(server, `insert into project_members (project_id, user_id, role) values ($1, $2, 'viewer')`, [
      project,
      ben.userId,
    ])
    expect(titles(await text({ format: 'ris' }, ben))).toHaveLength(4)
    // More papers than the buffers of the connection contain, so that the server waits for the client.
    await inDatabase(
      server,
      `insert into documents (created_by, project_id, filename, title, reference)
        select $1, $2, n || '.pdf', 'Paper ' || n, jsonb_build_object('type', 'book', 'title', 'Paper ' || n,
          'citation-key', 'paper' || n, 'note', repeat(md5(n::text), 1000)) from generate_series(1, 800) n`,
      [ada.userId, project],
    )
    const reader = (await ask({ format: 'ris' }, ben)).body!.getReader()
    await reader.read()
    await inDatabase(server, 'delete from project_members where project_id = $1 and user_id = $2', [
      project,
      ben.userId,
    ])
    const rest = async () => {
      for (let next = await reader.read(); !next.done; next = await reader.read());
    }
    await expect(rest()).rejects.toThrow()
    // A client that leaves ends the export; the server serves the next one.
    const control = new AbortController()
    await (await ask({ format: 'ris' }, ada, control.signal)).body!.getReader().read()
    control.abort()
    expect((await text({ format: 'csl-json' })).length).toBeGreaterThan(24_000_000)
  })

  it.skipIf(process.platform !== 'linux')('A cancelled archive closes the file that it was reading', async () => {
    const bytes = Buffer.concat([onePagePdf(['Naps.']), Buffer.alloc(16_000_000, 0x20)])
    const { id } = await ada.upload(project, new File([bytes], 'left.pdf', { type: 'application/pdf' }))
    const openFiles = async () => {
      const folder = `/proc/${server.pid}/fd`
      const links = (await readdir(folder)).map((name) => readlink(join(folder, name)).catch(() => ''))
      return (await Promise.all(links)).filter((path) => path.endsWith('_left.pdf')).length
    }
    const reader = (await ask({ format: 'pdfs', ids: [id] })).body!.getReader()
    await reader.read()
    await expect.poll(openFiles).toBe(1)
    await reader.cancel()
    await expect.poll(openFiles).toBe(0)
  })

  it('A running download of a file, of PDFs or of an import ends when the membership ends (SHR-31)', async () => {
    const member = [project, ben.userId, 'viewer']
    await inDatabase(server, 'insert into project_members (project_id, user_id, role) values ($1, $2, $3)', member)
    // Larger than the buffers of the connection.
    const bytes = Buffer.concat([onePagePdf(['Naps.']), Buffer.alloc(16_000_000, 0x20)])
    const { id } = await ada.upload(project, new File([bytes], 'large.pdf', { type: 'application/pdf' }))
    const [act] = await inDatabase(
      server,
      `insert into imports (project_id, created_by, kind, filename, file_key)
        select project_id, created_by, 'file', 'naps.ris', source_url from documents where id = $1 returning id`,
      [id],
    )
    const downloads = [
      await ben.fetch(api.documentFile(id)),
      await ask({ format: 'pdfs', ids: [id] }, ben),
      await ben.fetch(api.importFile(String(act!['id']))),
    ]
    const readers = downloads.map((response) => response.body!.getReader())
    await Promise.all(readers.map((reader) => reader.read()))
    await ada.json(api.projectMember(project, ben.userId), { method: 'DELETE' })
    for (const reader of readers) {
      const rest = async () => {
        for (let next = await reader.read(); !next.done; next = await reader.read());
      }
      await expect(rest()).rejects.toThrow()
    }
  })
})
