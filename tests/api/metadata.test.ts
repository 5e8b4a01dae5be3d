import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { IS_LONG_RUN } from '#tests/helpers/long-run.ts'
import { file, type ScholarServer, startScholarServer, status } from '#tests/helpers/scholar-server.ts'
import { importReferences } from '#tests/helpers/reference-file.ts'
import { signUp, startServer, type Client, type TestServer } from '#tests/helpers/server.ts'
import { version } from '#server/lib/version.ts'
import type { DocumentDetail } from '#shared/contract/documents.ts'
import type { AddedPaper, LookupAnswer } from '#shared/contract/lookup.ts'
import { api } from '#shared/contract/paths.ts'

let server: TestServer
let scholar: ScholarServer
let ada: Client
let bob: Client
let project: string
const paper = new Uint8Array(await readFile(new URL('../fixtures/paper.pdf', import.meta.url)))

beforeAll(async () => {
  scholar = await startScholarServer()
  server = await startServer({
    env: { ...scholar.env, MAX_UPLOAD_MB: '2', CONTACT_EMAIL: 'ops@example.org', PRODUCT_NAME: 'Лектерн Reader' },
  })
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
/** Adds a paper and waits until the server's search for its PDF has ended. Returns the job and the document. */
const addAndWait = async (more: Record<string, unknown>) => {
  const { document, job } = await add(more)
  return { job: await ada.job(job!.id), document: await read(document.id) }
}

describe('adding a paper', () => {
  it('A paper is a document at once and gets the open-access PDF', async () => {
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
      agent: `Reader/${version} (mailto:ops@example.org)`,
    })
  })

  it('A paper that the project has is returned, for any spelling of its DOI, also twice at the same time', async () => {
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

  it('A paper is processed automatically if the project is set to do so, and the analysis keeps the data of the journal', async () => {
    const automatic = await newProject(ada, { process_automatically: true })
    scholar.set('/files/auto.pdf', file(paper))
    const pdf_url = `${scholar.url}/files/auto.pdf`
    const { document, job } = await add({ project_id: automatic, doi: '10.5555/auto', pdf_url, title: 'As announced' })
    await ada.job(job!.id)
    await expect.poll(async () => (await read(document.id)).summary, { timeout: 60_000 }).toBeTruthy()
    const done = await read(document.id)
    expect(done).toMatchObject({ title: 'As announced', doi_link: '10.5555/auto', status: 'completed' })
    expect(done.summary).toBeTruthy()
  })

  it('An invalid paper and a project of another user are refused', async () => {
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
  it('The search finds the PDF that a page names, after a missing copy', async () => {
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

  it('The search finds the copy that OpenAlex knows when Unpaywall breaks off its answer', async () => {
    scholar.set('/unpaywall/v2/10.5555/half', (_request, response) => {
      response.writeHead(200, { 'content-length': 1000 }).write('{"doi":', () => response.destroy())
    })
    const pdf_url = scholar.set('/files/half.pdf', file(paper))
    const best_oa_location = { is_oa: true, pdf_url }
    scholar.setOpenAlexWork({ id: 'W5', doi: 'https://doi.org/10.5555/half', title: 'Half', best_oa_location })
    const { job } = await addAndWait({ doi: '10.5555/half' })
    expect(job).toMatchObject({ status: 'completed', result: { attached: true, url: pdf_url } })
  })

  it.runIf(IS_LONG_RUN)('The search for one paper of a user does not wait for all papers of another user', async () => {
    const { promise: gate, resolve: open } = Promise.withResolvers<void>()
    const seen: string[] = []
    const slow = (name: string) =>
      scholar.set(`/slow/${name}`, (_request, response) => {
        seen.push(name)
        void gate.then(() => response.writeHead(404).end())
      })
    const names = Array.from({ length: 16 }, (_, n) => `ada-${n}`)
    const searches: Promise<unknown>[] = []
    for (const name of names) {
      const { job } = await add({ title: `Many ${name}`, pdf_url: slow(name) })
      searches.push(ada.job(job!.id))
    }
    const body = { project_id: await newProject(bob), title: 'One', pdf_url: slow('bob') }
    const { job } = (await bob.json<{ data: AddedPaper }>(api.papers(), { body })).data
    open()
    await Promise.all([...searches, bob.job(job!.id)])
    expect(new Set(seen)).toEqual(new Set([...names, 'bob']))
    expect(seen.indexOf('bob')).toBeLessThan(10)
  })

  it('The search for a PDF uses the DOI that the document has when the search begins', async () => {
    const { promise: gate, resolve: open } = Promise.withResolvers<void>()
    const slow = scholar.set('/slow/other', (_request, response) => void gate.then(() => response.writeHead(404).end()))
    // Only four searches run at the same time.
    const others = await Promise.all(
      Array.from({ length: 4 }, (_, n) => add({ title: `Running search ${n}`, pdf_url: slow })),
    )
    const copy = (name: string) => scholar.set(`/files/${name}.pdf`, file(paper))
    scholar.setCopies('10.5555/wrong', [{ pdf: copy('wrong') }])
    scholar.setCopies('10.5555/right', [{ pdf: copy('right') }])
    const { document, job } = await add({ title: 'Waiting search', doi: '10.5555/wrong' })
    await ada.json(api.document(document.id), { method: 'PATCH', body: { doi_link: '10.5555/right' } })
    open()
    await Promise.all(others.map(({ job: other }) => ada.job(other!.id)))
    expect(await ada.job(job!.id)).toMatchObject({ status: 'completed', result: { attached: true } })
    expect((await read(document.id)).filename).toBe('right.pdf')
  })

  it('The search keeps the document and reports when there is no PDF, and repeats on request', async () => {
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

  it('The search for the PDF of an imported paper keeps its year, and fills the empty fields', async () => {
    const doi = '10.5555/year.2020'
    scholar.setCopies(doi, [])
    const title = 'Years of naps'
    scholar.setOpenAlexWork({
      id: 'https://openalex.org/W2020',
      doi: `https://doi.org/${doi}`,
      title,
      publication_date: '2019-11-05',
    })
    const records = `TY  - JOUR\nTI  - ${title}\nAU  - Lee, Ann\nPY  - 2020\nDO  - ${doi}\nER  - \n`
    await importReferences(ada, project, { 'years.ris': records })
    const { data } = await ada.json<{ data: { id: string }[] }>(api.documents({ project_id: project, search: title }))
    const job = await ada.json<{ data: { id: string } }>(api.documentFetchFile(data[0]!.id), { method: 'POST' })
    await ada.job(job.data.id)
    const found = await read(data[0]!.id)
    expect([found.semantic_paperid, found.publication_date, found.reference.issued?.['date-parts']]).toEqual([
      'W2020',
      null,
      [[2020]],
    ])
  })

  it('The search for a PDF stores only the year of a work whose day OpenAlex does not know', async () => {
    const doi = '10.5555/only.year'
    scholar.setCopies(doi, [])
    scholar.setOpenAlexWork({
      id: 'https://openalex.org/W2021',
      doi: `https://doi.org/${doi}`,
      title: 'Only a year',
      publication_date: '2021-01-01',
      publication_year: 2021,
    })
    const { document } = await addAndWait({ doi, title: 'Only a year' })
    expect([document.publication_date, document.ref_year, document.reference.issued]).toEqual([
      null,
      2021,
      { 'date-parts': [[2021]] },
    ])
  })

  it.each([
    [
      'a file that is not a PDF',
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
  ])('The search refuses %s, and stores nothing', async (what, reply, reason) => {
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
  it('A PDF that is uploaded to a document without one becomes its file, once, for its owner only', async () => {
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

describe('looking a paper up', () => {
  const doi = '10.5555/rest.2021'
  const lookUp = async (id: string, query?: string) => ada.fetch(api.documentLookup(id, { query }))
  const answerOf = async (response: Response) => ((await response.json()) as { data: LookupAnswer }).data
  const errorOf = async (response: Response) => ({
    status: response.status,
    message: ((await response.json()) as { error: { message: string } }).error.message,
  })
  let id: string
  beforeAll(async () => {
    scholar.setOpenAlexWork({
      id: 'https://openalex.org/W300',
      doi: `https://doi.org/${doi}`,
      title: 'Rest and recall in old age',
      publication_date: '2021-01-01',
      is_retracted: false,
      authorships: [{ author: { display_name: 'Ada Lovelace' }, raw_author_name: 'Lovelace, A.' }],
      primary_location: { source: { id: 'https://openalex.org/S1', display_name: 'Journal of Rest' } },
      abstract_inverted_index: { Rest: [0], helped: [1] },
    })
    scholar.setWork({
      DOI: doi.toUpperCase(),
      title: ['Rest and <i>recall</i>'],
      subtitle: ['a trial'],
      author: [{ given: 'Ada', family: 'Lovelace', sequence: 'first' }, { name: 'The Rest Group' }],
      'container-title': ['Journal of Rest'],
      type: 'proceedings-article',
      volume: '18',
      page: '201-214',
      publisher: 'North Quay',
      ISSN: ['1234-5678'],
      'published-print': { 'date-parts': [[2021, 4]] },
      'published-online': { 'date-parts': [[2021, 2, 28]] },
      abstract: '<jats:title>Abstract</jats:title><jats:p>Rest helped &amp; how.</jats:p>',
      'updated-by': [{ type: 'retraction', DOI: '10.5555/notice', source: 'retraction-watch' }],
    })
    id = (await add({ title: 'Rest and recall in old age' })).document.id
  })

  it('The look-up answers the data of both services for a DOI as one paper, and marks a retraction (API-48)', async () => {
    const answer = await answerOf(await lookUp(id, `https://doi.org/${doi}`))
    expect(answer).toEqual({
      by: 'doi',
      query: doi,
      failures: [],
      papers: [
        {
          likeness: 1,
          semantic_paperid: 'W300',
          retracted: true,
          said: [
            {
              source: 'OpenAlex',
              facts: {
                title: 'Rest and recall in old age',
                doi_link: doi,
                publication_date: null,
                journal_name: 'Journal of Rest',
                authors: ['Ada Lovelace'],
                abstract: 'Rest helped',
                reference: { issued: { 'date-parts': [[2021]] } },
              },
            },
            {
              source: 'Crossref',
              facts: {
                title: 'Rest and recall: a trial',
                doi_link: doi,
                publication_date: '2021-02-28',
                journal_name: 'Journal of Rest',
                authors: ['Ada Lovelace', 'The Rest Group'],
                abstract: 'Rest helped & how.',
                reference: {
                  type: 'paper-conference',
                  volume: '18',
                  page: '201-214',
                  publisher: 'North Quay',
                  ISSN: '1234-5678',
                },
              },
            },
          ],
        },
      ],
    })
    expect(scholar.seen.findLast(({ path }) => path.startsWith('/crossref/'))).toEqual({
      path: '/crossref/works/10.5555%2Frest.2021?mailto=ops%40example.org',
      agent: `Reader/${version} (mailto:ops@example.org)`,
    })
  })

  it('The look-up without input uses the title of the document, or the DOI on its first page', async () => {
    expect(await answerOf(await lookUp(id))).toMatchObject({ by: 'title', papers: [{ semantic_paperid: 'W300' }] })
    const read = await ada.upload<{ id: string }>(project, new File([paper], 'paper.pdf'))
    const extracting = await ada.json<{ data: { id: string } }>(api.documentExtract(read.id), {
      body: { method: 'text' },
    })
    await ada.job(extracting.data.id)
    expect(await answerOf(await lookUp(read.id))).toMatchObject({ by: 'doi', papers: [] })
    expect(
      await errorOf(await lookUp((await ada.upload<{ id: string }>(project, new File([paper], 'x.pdf'))).id)),
    ).toEqual({
      status: 422,
      message: 'Please give a DOI or a title to look up.',
    })
    expect((await bob.fetch(api.documentLookup(id))).status).toBe(404)
  })

  it('The look-up stores the chosen data with the semantic id and the retraction (API-27)', async () => {
    const body = {
      title: 'Rest and recall: a trial',
      semantic_paperid: 'W300',
      retracted: true,
      authors: ['Ada Lovelace'],
    }
    await ada.json(api.document(id), { method: 'PATCH', body })
    expect(await read(id)).toMatchObject({ ...body, metadata_checked_at: expect.any(String) })
    const { data } = await ada.json<{ data: DocumentDetail[] }>(
      api.documents({ project_id: project, search: 'a trial' }),
    )
    expect(data[0]).toMatchObject({ id, retracted: true, semantic_paperid: 'W300' })
  })

  it('The look-up uses the service that answers, and names both when none does (ERR-19)', async () => {
    const busy = status(429, { 'retry-after': '120' })
    scholar.set('/crossref/works/10.5555/odd', busy)
    scholar.setOpenAlexWork({ id: 'https://openalex.org/W301', doi: 'https://doi.org/10.5555/odd', title: 'Odd' })
    expect(await answerOf(await lookUp(id, '10.5555/odd'))).toMatchObject({
      papers: [{ semantic_paperid: 'W301' }],
      failures: [{ source: 'Crossref', message: 'Crossref asks to slow down. Please try again later.' }],
    })
    scholar.set('/crossref/works/10.5555/twice-odd', file('<html>', 'text/html'))
    scholar.set('/openalex/works/doi:10.5555/twice-odd', status(403))
    expect(await errorOf(await lookUp(id, '10.5555/twice-odd'))).toEqual({
      status: 502,
      message:
        'Neither OpenAlex nor Crossref could be queried. OpenAlex asks for a key, and none is configured here. Crossref gave an answer that does not follow the protocol.',
    })
    scholar.set(
      '/crossref/works/10.5555/once',
      status(503, {}, 1, file('{"status":"ok","message":{"DOI":"10.5555/once","title":["Once"]}}')),
    )
    expect((await answerOf(await lookUp(id, '10.5555/once'))).papers[0]!.said[0]!.facts.title).toBe('Once')
  })
})

it('The search for the PDF adds data that a feed did not have, and a retraction, from OpenAlex', async () => {
  scholar.setOpenAlexWork({
    id: 'https://openalex.org/W302',
    doi: 'https://doi.org/10.5555/fill',
    title: 'Another title',
    is_retracted: true,
    type: 'article',
    biblio: { volume: '7', issue: '2', first_page: '10', last_page: '19' },
    primary_location: { source: { id: 'https://openalex.org/S2', display_name: 'Sleep Congress', type: 'conference' } },
    publication_date: '2020-02-02',
    best_oa_location: { is_oa: true, pdf_url: scholar.set('/files/fill.pdf', file(paper)) },
  })
  const { document } = await addAndWait({ doi: '10.5555/fill', title: 'As the feed says' })
  expect(document).toMatchObject({
    title: 'As the feed says',
    publication_date: '2020-02-02',
    semantic_paperid: 'W302',
    retracted: true,
    filename: 'fill.pdf',
    journal_name: 'Sleep Congress',
    journal_id: null,
    reference: {
      type: 'paper-conference',
      volume: '7',
      issue: '2',
      page: '10-19',
      'container-title': 'Sleep Congress',
    },
    edited_fields: [],
  })
})
