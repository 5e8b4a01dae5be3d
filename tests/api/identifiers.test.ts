import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DocumentDetail } from '#shared/contract/documents.ts'
import type { AddedPapers, LookedUpLine } from '#shared/contract/identifiers.ts'
import { api } from '#shared/contract/paths.ts'
import { file, json, type ScholarServer, startScholarServer, status } from '#tests/helpers/scholar-server.ts'
import { type Client, signUp, startServer, type TestServer } from '#tests/helpers/server.ts'

let server: TestServer
let scholar: ScholarServer
let ada: Client
let project: string

const ARXIV = `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xmlns:arxiv="http://arxiv.org/schemas/atom">
  <title>ArXiv Query</title>
  <entry>
    <id>http://arxiv.org/abs/2603.18841v2</id>
    <published>2026-03-28T10:00:00Z</published>
    <title>A generative model of spindle
  timing</title>
    <summary>  We model &lt; spindles. </summary>
    <author><name>Rosa van der Quillon</name></author>
    <arxiv:journal_ref>Sleep 4 (2026) 1-9</arxiv:journal_ref>
    <arxiv:doi>10.5555/published</arxiv:doi>
  </entry>
  <entry><id>http://arxiv.org/api/errors#unknown</id><title>Error</title></entry>
</feed>`

const PAGE = `<html><head>
<meta name="citation_title" content="Naps &amp; shift work">
<meta name='citation_author' content='Castellane, Ines'><meta name="citation_author" content="Tobi Okafor">
<meta content="Journal of Naps" name="citation_journal_title" />
<meta name="citation_publication_date" content="2024/05/02"><meta name="citation_volume" content="7">
<meta name="citation_firstpage" content="11"><meta name="citation_lastpage" content="19">
<meta name="citation_doi" content="doi:10.5555/Naps.7"></head><body>…</body></html>`

const day = (...parts: number[]) => ({ 'date-parts': [parts] })

beforeAll(async () => {
  scholar = await startScholarServer()
  server = await startServer({ env: scholar.env })
  ada = await signUp(server.url)
  project = (await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Ids' } })).data.id

  scholar.setWork({
    DOI: '10.5555/chapter.3',
    type: 'book-chapter',
    title: ['Memory in <i>old</i> age'],
    author: [{ given: 'Kari', family: 'van den Brandvoll', suffix: 'Jr' }, { name: 'Sleep Group' }],
    editor: [{ given: 'Ines', family: 'Marlowe' }],
    'container-title': ['Studies of Memory', 'Handbook of Sleep'],
    issued: day(2021, 4),
    volume: '2',
    page: '10-20',
    publisher: 'Fenwick Press',
    'publisher-location': 'Leeds',
    ISBN: ['9780306406157'],
    'edition-number': '3',
    'updated-by': [{ type: 'retraction' }],
  })
  scholar.set(
    '/openalex/works/pmid:38552117',
    json({
      id: 'https://openalex.org/W77',
      doi: 'https://doi.org/10.5555/ca.2023.1',
      ids: {
        pmid: 'https://pubmed.ncbi.nlm.nih.gov/38552117',
        pmcid: 'https://www.ncbi.nlm.nih.gov/pmc/articles/10447209',
      },
      title: 'Sleep restriction and verbal learning in carers',
      type: 'article',
      publication_date: '2023-06-01',
      publication_year: 2023,
      authorships: [{ author: { display_name: 'Anna Varnholt' } }],
      primary_location: {
        source: {
          display_name: 'Clinical Ageing',
          type: 'journal',
          issn: ['1234-5678'],
          host_organization_name: 'Press',
        },
      },
      biblio: { volume: '12', issue: '3', first_page: '101', last_page: '110' },
    }),
  )
  scholar.setOpenAlexWork({
    id: 'https://openalex.org/W88',
    doi: 'https://doi.org/10.5555/only.openalex',
    title: 'Known by one service',
    type: 'preprint',
  })
  scholar.set('/arxiv/api/query', file(ARXIV, 'application/atom+xml'))
  const isbn = 'ISBN:9780306406157'
  scholar.set('/openlibrary/api/books', (request, response) => {
    const query = new URL(request.url ?? '', 'http://loopback').searchParams
    const book =
      query.get('jscmd') === 'data'
        ? {
            title: 'Memory in the second half of life',
            subtitle: 'A handbook',
            authors: [{ name: 'Kari Brandvoll' }],
            by_statement: 'edited by Kari Brandvoll.',
            publishers: [{ name: 'Fenwick Press' }],
            publish_places: [{ name: 'Leeds' }],
            publish_date: 'Sep 16, 2021',
            number_of_pages: 312,
          }
        : { details: { edition_name: '2nd ed.', series: ['Studies'], languages: [{ key: '/languages/eng' }] } }
    json(query.get('bibkeys') === isbn ? { [isbn]: book } : {})(request, response)
  })
  scholar.set('/page', file(PAGE, 'text/html; charset=utf-8'))
  scholar.set('/plain', file('<title>Hello</title>', 'text/html'))
  scholar.set('/paper.pdf', file('%PDF-1.7'))
})
afterAll(async () => {
  await server?.stop()
  await scholar?.stop()
})

const lookUp = async (lines: string[], who = ada) =>
  (await who.json<{ data: LookedUpLine[] }>(api.identifiersLookUp(), { body: { project_id: project, lines } })).data
/**
 * Makes twelve paths answer 404 slowly, to measure how many requests are sent at the same time. No response is sent earlier
 * than 20 ms after the fifth request has arrived. `most` returns the highest number of simultaneous requests.
 */
function slow(pathOf: (n: number) => string) {
  let [now, most] = [0, 0]
  const { promise: five, resolve: fiveArrived } = Promise.withResolvers<void>()
  const paths = Array.from({ length: 12 }, (_, n) => pathOf(n))
  for (const path of paths)
    scholar.set(path, (_request, response) => {
      most = Math.max(most, ++now)
      if (now === 5) fiveArrived()
      // A sixth request would arrive in the 20 ms after the fifth.
      void five.then(() =>
        setTimeout(() => {
          now -= 1
          response.writeHead(404).end('{}')
        }, 20),
      )
    })
  return { paths, most: () => most }
}
const referenceOf = (line: LookedUpLine | undefined) => line?.paper?.reference

describe('identifiers', () => {
  it('The look-up finds the whole reference of each kind of identifier (FMT-90)', async () => {
    const [chapter, article, preprint, book, page, fallback] = await lookUp([
      'https://doi.org/10.5555/CHAPTER.3',
      'PMID: 38552117',
      'arXiv:2603.18841v2',
      '978-0-306-40615-7',
      `${scholar.url}/page`,
      '10.5555/only.openalex',
    ])
    expect(chapter).toMatchObject({
      line: 0,
      kind: 'doi',
      state: 'found',
      service: 'Crossref',
      paper: { retracted: true },
    })
    expect(referenceOf(chapter)).toEqual({
      type: 'chapter',
      title: 'Memory in old age',
      author: [
        { family: 'Brandvoll', given: 'Kari', 'non-dropping-particle': 'van den', suffix: 'Jr' },
        { literal: 'Sleep Group' },
      ],
      editor: [{ family: 'Marlowe', given: 'Ines' }],
      'container-title': 'Handbook of Sleep',
      'collection-title': 'Studies of Memory',
      issued: day(2021, 4),
      volume: '2',
      page: '10-20',
      edition: '3',
      publisher: 'Fenwick Press',
      'publisher-place': 'Leeds',
      DOI: '10.5555/chapter.3',
      ISBN: '9780306406157',
    })
    expect(article).toMatchObject({ service: 'OpenAlex', paper: { semantic_paperid: 'W77' } })
    expect(referenceOf(article)).toEqual({
      type: 'article-journal',
      title: 'Sleep restriction and verbal learning in carers',
      author: [{ family: 'Varnholt', given: 'Anna' }],
      'container-title': 'Clinical Ageing',
      publisher: 'Press',
      issued: day(2023, 6, 1),
      volume: '12',
      issue: '3',
      page: '101-110',
      DOI: '10.5555/ca.2023.1',
      PMID: '38552117',
      PMCID: 'PMC10447209',
      ISSN: '1234-5678',
    })
    expect(referenceOf(preprint)).toMatchObject({
      type: 'article',
      title: 'A generative model of spindle timing',
      author: [{ family: 'Quillon', given: 'Rosa', 'non-dropping-particle': 'van der' }],
      issued: day(2026, 3, 28),
      DOI: '10.48550/arXiv.2603.18841',
      number: 'arXiv:2603.18841',
      abstract: 'We model < spindles.',
      custom: { 'arXiv DOI of the published version': '10.5555/published' },
    })
    expect(referenceOf(book)).toEqual({
      type: 'book',
      title: 'Memory in the second half of life: A handbook',
      editor: [{ family: 'Brandvoll', given: 'Kari' }],
      'collection-title': 'Studies',
      edition: '2nd',
      publisher: 'Fenwick Press',
      'publisher-place': 'Leeds',
      issued: day(2021, 9, 16),
      'number-of-pages': '312',
      ISBN: '9780306406157',
      language: 'en',
    })
    expect(page).toMatchObject({ service: new URL(scholar.url).host })
    expect(referenceOf(page)).toEqual({
      type: 'article-journal',
      title: 'Naps & shift work',
      author: [
        { family: 'Castellane', given: 'Ines' },
        { family: 'Okafor', given: 'Tobi' },
      ],
      'container-title': 'Journal of Naps',
      issued: day(2024, 5, 2),
      volume: '7',
      page: '11-19',
      DOI: '10.5555/Naps.7',
      URL: `${scholar.url}/page`,
    })
    expect(fallback).toMatchObject({ state: 'found', service: 'OpenAlex', paper: { reference: { type: 'article' } } })
  })

  it('The look-up gives the reason for each line without a paper, and names a service that fails (FMT-90)', async () => {
    scholar.set('/crossref/works/10.5555/broken', status(503))
    const lines = [
      'naps and sleep',
      '10.5555/unknown',
      'PMC1',
      '2101.00001',
      '9783161484100',
      `${scholar.url}/plain`,
      `${scholar.url}/paper.pdf`,
      'http://10.0.0.1/private',
      '10.5555/broken',
    ]
    const found = await lookUp(lines)
    expect(found.map(({ state, message }) => `${state}: ${message}`)).toEqual([
      'not_found: This is not a DOI, PMID, PMCID, arXiv id, ISBN or address.',
      'not_found: Crossref and OpenAlex do not know this DOI.',
      'not_found: OpenAlex does not know this PMCID.',
      'not_found: arXiv does not know this id.',
      'not_found: Open Library does not know this ISBN.',
      'not_found: The page at this address names no paper in its citation tags.',
      'not_found: There is a file at this address, not a web page.',
      'not_found: This address is not public and cannot be read.',
      'failed: Crossref failed (503). Please try again later.',
    ])
    expect(found[8]).toMatchObject({ service: 'Crossref' })
    scholar.set('/crossref/works/10.5555/broken', status(404))
    expect(await lookUp(['10.5555/broken'])).toMatchObject([{ state: 'not_found' }])
  })

  it('The look-up finds a hundred arXiv ids that one response of the service contains (FMT-90)', async () => {
    const ids = Array.from({ length: 100 }, (_, n) => `2501.${String(n + 1).padStart(5, '0')}`)
    const entries = ids.map((id) => `<entry><id>http://arxiv.org/abs/${id}v1</id><title>Nap ${id}</title></entry>`)
    const feed = `<feed xmlns="http://www.w3.org/2005/Atom">${entries.join('')}</feed>`
    scholar.set('/arxiv/api/query', file(feed, 'application/atom+xml'))
    try {
      const found = await lookUp(ids)
      expect(found.map((line) => referenceOf(line)?.title)).toEqual(ids.map((id) => `Nap ${id}`))
    } finally {
      scholar.set('/arxiv/api/query', file(ARXIV, 'application/atom+xml'))
    }
  })

  it('Found papers are added once, without a PDF, and the next look-up reports that the project has them (FMT-90)', async () => {
    const lines = ['10.5555/chapter.3', '38552117', '9780306406157']
    const papers = (await lookUp(lines)).map(({ paper }) => paper)
    const add = async () =>
      (
        await ada.json<{ data: AddedPapers }>(api.identifiersPapers(), {
          body: { project_id: project, papers: [...papers, papers[0]] },
        })
      ).data
    const [added, again] = [await add(), await add()]
    expect(added).toMatchObject({ created: 3, existing: 1 })
    expect(added.papers[3]).toEqual({ document_id: added.papers[0]!.document_id, created: false })
    expect(again).toMatchObject({ created: 0, existing: 4 })
    const id = added.papers[0]!.document_id
    const { data } = await ada.json<{ data: DocumentDetail }>(api.document(id))
    expect(data).toMatchObject({
      title: 'Memory in old age',
      source_url: null,
      status: 'pending',
      retracted: true,
      journal_name: 'Handbook of Sleep',
      journal_id: null,
      publication_date: null,
      ref_year: 2021,
      reference: { ...papers[0]!.reference, id, 'citation-key': 'brandvoll2021memory' },
    })
    const before = scholar.seen.length
    // The PMCID belongs to the added paper with the PMID, so no service is asked for it.
    const states = await lookUp([...lines, 'PMC10447209', '10.5555/ca.2023.1'])
    expect(states.map(({ state }) => state)).toEqual(Array(5).fill('here'))
    expect(states[3]!.document!.id).toBe(added.papers[1]!.document_id)
    expect(scholar.seen.length).toBe(before)
  })

  it('A paper is the same only if this is certain: an equal identifier with another title is not enough (FMT-41)', async () => {
    const { data } = await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Twins' } })
    const add = async (...references: object[]) =>
      (
        await ada.json<{ data: AddedPapers }>(api.identifiersPapers(), {
          body: { project_id: data.id, papers: references.map((reference) => ({ reference })) },
        })
      ).data
    const article = {
      type: 'article-journal',
      title: 'Sleep restriction and verbal learning in carers',
      author: [{ family: 'Varnholt', given: 'A.' }],
      issued: day(2024),
      volume: '12',
    }
    // The first two references have no common identifier. The third has the PMID of the second, and another title.
    const added = await add(article, { ...article, PMID: '38552117' }, { title: 'Copper in soils', PMID: '38552117' })
    expect(added.papers.map(({ created }) => created)).toEqual([true, false, true])
    expect(added.papers[1]!.document_id).toBe(added.papers[0]!.document_id)
    await ada.json(api.document(added.papers[2]!.document_id), { method: 'DELETE' })
    const { data: found } = await ada.json<{ data: LookedUpLine[] }>(api.identifiersLookUp(), {
      body: { project_id: data.id, lines: ['38552117'] },
    })
    expect(found).toMatchObject([{ state: 'here', document: { id: added.papers[0]!.document_id } }])
  })

  it('A look-up needs the right to edit, and has at most 500 lines (FMT-90)', async () => {
    const eve = await signUp(server.url)
    await expect(lookUp(['10.5555/chapter.3'], eve)).rejects.toThrow(' 404')
    await expect(lookUp(Array(501).fill('1') as string[])).rejects.toThrow('These are more than 500 lines.')
  })

  it('A look-up reads at most five web pages at the same time, of all sites together', async () => {
    const pages = slow((n) => `/slow/${n}`)
    const lines = pages.paths.map(
      (path, n) => (n % 2 ? scholar.url : scholar.url.replace('127.0.0.1', 'localhost')) + path,
    )
    expect((await lookUp(lines)).map(({ state }) => state)).toEqual(lines.map(() => 'not_found'))
    expect(pages.most()).toBe(5)
  })

  it('A look-up asks a service at most five times at the same time, and reports each line at once (FMT-90)', async () => {
    const works = slow((n) => `/openalex/works/pmid:${n + 100}`)
    const lines = ['10.5555/chapter.3', ...Array.from({ length: 12 }, (_, n) => String(n + 100))]
    const response = await ada.fetch(api.identifiersLookUp(), {
      method: 'POST',
      headers: { accept: 'text/event-stream', 'content-type': 'application/json' },
      body: JSON.stringify({ project_id: project, lines }),
    })
    const events = (await response.text()).split('\n\n').filter((part) => part.startsWith('event: '))
    expect(events).toHaveLength(14)
    expect(events[0]).toContain('"state":"here"')
    expect(events.at(-1)).toContain('event: done')
    expect(works.most()).toBe(5)
  })
})
