import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { file, type ScholarServer, startScholarServer, status } from '#tests/helpers/scholar-server.ts'
import { signUp, startServer, type Client, type TestServer } from '#tests/helpers/server.ts'
import type { DocumentDetail } from '#shared/documents.ts'
import type { AddedPaper } from '#shared/papers.ts'
import { api } from '#shared/paths.ts'

let server: TestServer
let scholar: ScholarServer
let ada: Client
let bob: Client
let project: string
const paper = new Uint8Array(await readFile(new URL('../fixtures/paper.pdf', import.meta.url)))

beforeAll(async () => {
  scholar = await startScholarServer()
  server = await startServer({ env: { ...scholar.env, MAX_UPLOAD_MB: '2', CONTACT_EMAIL: 'ops@example.org' } })
  ada = await signUp(server.url)
  bob = await signUp(server.url)
  project = await newProject(ada)
})
afterAll(async () => {
  await server.stop()
  await scholar.stop()
})

const newProject = async (client: Client, more: Record<string, unknown> = {}) =>
  (await client.json<{ data: { id: string } }>(api.projects(), { body: { name: `P ${Math.random()}`, ...more } })).data
    .id
const add = async (more: Record<string, unknown>) =>
  (await ada.json<{ data: AddedPaper }>(api.papers(), { body: { project_id: project, title: 'Naps', ...more } })).data
const read = async (id: string) => (await ada.json<{ data: DocumentDetail }>(api.document(id))).data
const count = async () => (await ada.json<{ count: number }>(api.documents({ project_id: project }))).count
/** Adds a paper and waits until the search for its PDF has ended. */
const addAndWait = async (more: Record<string, unknown>) => {
  const { document, job } = await add(more)
  return { job: await ada.job(job!.id), document: await read(document.id) }
}

describe('adding a paper', () => {
  it('makes a document at once and gives it the open-access PDF', async () => {
    const pdf = scholar.set('/files/naps.pdf', file(paper))
    scholar.setCopies('10.5555/Naps.2025', [{ pdf }])
    const { document, created, job } = await add({
      doi: 'https://doi.org/10.5555/Naps.2025',
      authors: ['Ada Lovelace', 'Mary Somerville'],
      journal: 'Journal of Sleep',
      date: '2025-03-01',
      abstract: 'Naps helped.',
      link: 'https://example.org/naps',
    })
    expect({ created, status: document.status, file: document.source_url }).toEqual({
      created: true,
      status: 'processing',
      file: null,
    })
    expect(document).toMatchObject({
      title: 'Naps',
      doi_link: '10.5555/Naps.2025',
      authors: ['Ada Lovelace', 'Mary Somerville'],
      journal_name: 'Journal of Sleep',
      publication_date: '2025-03-01',
      retracted: false,
    })
    expect(await ada.job(job!.id)).toMatchObject({ status: 'completed', result: { attached: true } })
    expect(await read(document.id)).toMatchObject({
      status: 'pending',
      filename: 'naps.pdf',
      file_size: paper.length,
      abstract: 'Naps helped.',
    })
    const stored = await ada.fetch(api.documentFile(document.id))
    expect(Buffer.from(await stored.arrayBuffer()).equals(paper)).toBe(true)
    expect(scholar.seen.find(({ path }) => path.startsWith('/unpaywall/'))).toEqual({
      path: '/unpaywall/v2/10.5555%2FNaps.2025?email=ops%40example.org',
      agent: 'Lectern/0.1.0 (mailto:ops@example.org)',
    })
  })

  it('points to the paper that the project has, however its DOI is written, also twice at once', async () => {
    scholar.setCopies('10.5555/twice', [])
    const [one, two] = await Promise.all([add({ doi: '10.5555/TWICE' }), add({ doi: 'doi:10.5555/twice' })])
    expect(one.created).not.toBe(two.created)
    expect(one.document.id).toBe(two.document.id)
    const untitled = await add({ title: 'Without a DOI' })
    expect(untitled).toMatchObject({ created: true, job: null, document: { status: 'pending' } })
    expect(await add({ title: 'without a doi' })).toMatchObject({
      created: false,
      document: { id: untitled.document.id },
    })
  })

  it('goes on with the processing where the project wants that, and the analysis keeps what the journal said', async () => {
    const automatic = await newProject(ada, { process_automatically: true })
    scholar.set('/files/auto.pdf', file(paper))
    const pdf_url = `${scholar.url}/files/auto.pdf`
    const { document, job } = await add({ project_id: automatic, doi: '10.5555/auto', pdf_url, title: 'As announced' })
    await ada.job(job!.id)
    await expect.poll(async () => (await read(document.id)).vectorized_at, { timeout: 60_000 }).not.toBeNull()
    const done = await read(document.id)
    expect(done).toMatchObject({ title: 'As announced', doi_link: '10.5555/auto', status: 'completed' })
    expect(done.summary).toBeTruthy()
  })

  it('refuses what is no paper, and another person’s project', async () => {
    const send = (client: Client, body: object) =>
      client.fetch(api.papers(), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    expect((await send(ada, { project_id: project, title: ' ' })).status).toBe(422)
    expect((await send(ada, { project_id: project, title: 'x', doi: 'naps' })).status).toBe(422)
    expect((await send(ada, { project_id: project, title: 'x', pdf_url: 'file:///etc/passwd' })).status).toBe(422)
    expect((await send(bob, { project_id: project, title: 'x' })).status).toBe(404)
  })
})

describe('the search for the PDF', () => {
  it('takes the PDF that a page names, after a copy that is not there', async () => {
    const page = scholar.set(
      '/page/naps',
      file(`<html><head><meta name="citation_pdf_url" content="/files/behind.pdf"></head></html>`, 'text/html'),
    )
    scholar.set('/files/behind.pdf', file(paper))
    scholar.setCopies('10.5555/page', [{ pdf: `${scholar.url}/files/gone.pdf`, page }])
    const { job, document } = await addAndWait({ doi: '10.5555/page' })
    expect(job).toMatchObject({ status: 'completed', result: { attached: true, url: page } })
    expect(document.source_url).not.toBeNull()
  })

  it('keeps the document and says so where there is none, and looks again when asked', async () => {
    scholar.setCopies('10.5555/closed', [])
    const { job, document } = await addAndWait({ doi: '10.5555/closed' })
    expect(job.status).toBe('completed')
    expect(document).toMatchObject({
      status: 'pending',
      source_url: null,
      status_message: 'No open-access PDF was found for this paper.',
    })
    scholar.set('/files/late.pdf', file(paper))
    scholar.setCopies('10.5555/closed', [{ pdf: `${scholar.url}/files/late.pdf` }])
    const again = await ada.json<{ data: { id: string } }>(api.documentFetchFile(document.id), { method: 'POST' })
    await ada.job(again.data.id)
    expect(await read(document.id)).toMatchObject({ filename: 'late.pdf', status_message: null })
    expect((await ada.fetch(api.documentFetchFile(document.id), { method: 'POST' })).status).toBe(409)
  })

  it.each([
    [
      'what is no PDF',
      file('<p>Please log in', 'application/pdf'),
      'This file is not a PDF. Only PDF files are accepted.',
    ],
    ['a page without a PDF', file('<p>Cookies?', 'text/html'), 'There is a web page, not a PDF, at this address.'],
    [
      'a file without end',
      file(Buffer.concat([paper, Buffer.alloc(3 * 1024 * 1024)])),
      'The file at this address is larger than 2 MB.',
    ],
    [
      'a redirect to a private address',
      status(302, { location: 'http://127.0.0.1:9/x.pdf' }),
      'This address is not public and cannot be read.',
    ],
    ['a refusal', status(403), 'The address answered 403.'],
  ])('does not take %s, and leaves nothing behind', async (what, reply, reason) => {
    const doi = `10.5555/${what.replaceAll(' ', '-')}`
    const url = scholar.set(`/files/${what.replaceAll(' ', '-')}.pdf`, reply)
    scholar.setCopies(doi, [{ pdf: url }])
    const { job, document } = await addAndWait({ doi })
    expect(job).toMatchObject({ status: 'failed', error: `The open-access PDF could not be fetched. ${reason}` })
    expect(document).toMatchObject({ status: 'pending', source_url: null, status_message: job.error })
    expect(await readdir(join(server.dataDir, 'uploads')).catch(() => [])).toEqual([])
  })
})

describe('a PDF uploaded to a document without one', () => {
  const send = (client: Client, id: string, name = 'mine.pdf', bytes: Uint8Array<ArrayBuffer> = paper) => {
    const form = new FormData()
    form.append('file', new File([bytes], name))
    return client.fetch(api.documentFile(id), { method: 'POST', body: form })
  }
  it('is its file from then on, once, for its owner alone', async () => {
    const { document } = await add({ title: 'Upload by hand' })
    expect((await send(bob, document.id)).status).toBe(404)
    expect((await send(ada, document.id, 'mine.pdf', new Uint8Array([1, 2, 3]))).status).toBe(415)
    expect((await send(ada, 'none')).status).toBe(404)
    const before = await count()
    expect((await send(ada, document.id)).status).toBe(200)
    expect(await read(document.id)).toMatchObject({ filename: 'mine.pdf', status: 'pending', file_size: paper.length })
    expect((await send(ada, document.id)).status).toBe(409)
    expect(await count()).toBe(before)
  })
})
