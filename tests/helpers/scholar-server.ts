import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Reply = (request: IncomingMessage, response: ServerResponse) => void

/**
 * A simulation of OpenAlex, Crossref, Unpaywall, arXiv, Open Library and publishers' sites on loopback. An unknown work or page
 * answers 404.
 */
export interface ScholarServer {
  url: string
  /**
   * Settings for a server under test: OPENALEX_URL, CROSSREF_URL, UNPAYWALL_URL, ARXIV_URL, OPENLIBRARY_URL, and
   * GUARDED_FETCH_ALLOW for the publishers' sites.
   */
  env: Record<string, string>
  /** The path with its query, and the User-Agent, of every received request. */
  seen: { path: string; agent: string }[]
  /** Sets the response of a path with any query. Returns the URL of the path. */
  set: (path: string, reply: Reply) => string
  /** Sets the open-access copies of a paper at Unpaywall, best first. */
  setCopies: (doi: string, copies: { pdf?: string; page?: string }[]) => void
  /** Adds a work to Crossref. */
  setWork: (work: CrossrefSample) => void
  /** Adds a work to OpenAlex. */
  setOpenAlexWork: (work: OpenAlexSample) => void
  stop: () => Promise<void>
}

/** The fields of an OpenAlex work (developers.openalex.org) that a test sets. */
export interface OpenAlexSample {
  id: string
  doi: string
  title: string
  [field: string]: unknown
}

/** The fields of a Crossref work (api.crossref.org/swagger-ui) that a test sets. */
export interface CrossrefSample {
  DOI: string
  title: string[]
  [field: string]: unknown
}

/** Starts the simulated services on one free port. */
export async function startScholarServer(): Promise<ScholarServer> {
  const replies = new Map<string, Reply>()
  const works: CrossrefSample[] = []
  const openAlex: OpenAlexSample[] = []
  const seen: ScholarServer['seen'] = []
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://loopback')
    seen.push({ path: request.url ?? '/', agent: request.headers['user-agent'] ?? '' })
    response.on('error', () => undefined)
    const path = decodeURIComponent(url.pathname)
    const reply = replies.get(path)
    if (reply) return reply(request, response)
    if (path === '/crossref/works') return json(message('work-list', searched(url)))(request, response)
    if (path === '/openalex/works')
      return json({ meta: { count: 1, next_cursor: null }, results: titled(url) })(request, response)
    const known = openAlex.find(
      (one) => path.toLowerCase() === `/openalex/works/doi:${one.doi.slice(16).toLowerCase()}`,
    )
    if (known) return json(known)(request, response)
    const doi = path.replace('/crossref/works/', '').toLowerCase()
    const work = works.find((one) => one.DOI.toLowerCase() === doi)
    if (work) return json(message('work', work))(request, response)
    response.writeHead(404, { 'content-type': 'text/plain' }).end('Resource not found.')
  })
  const titled = (url: URL) => {
    const words = (/title\.search:([^,]*)/.exec(url.searchParams.get('filter') ?? '')?.[1] ?? '').split(' ')
    return openAlex.filter(({ title }) => words.every((word) => title.toLowerCase().includes(word)))
  }
  const searched = (url: URL) => {
    const words = (url.searchParams.get('query.bibliographic') ?? '').toLowerCase().split(/\W+/)
    const hits = (work: CrossrefSample) => words.filter((word) => work.title[0]!.toLowerCase().includes(word)).length
    const items = works.filter((work) => hits(work) > 1).toSorted((a, b) => hits(b) - hits(a))
    return { 'total-results': items.length, items: items.slice(0, Number(url.searchParams.get('rows') ?? 20)) }
  }
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const url = `http://${host}`
  const set = (path: string, reply: Reply) => {
    replies.set(path, reply)
    return url + path
  }
  return {
    url,
    env: {
      OPENALEX_URL: `${url}/openalex`,
      CROSSREF_URL: `${url}/crossref`,
      UNPAYWALL_URL: `${url}/unpaywall`,
      ARXIV_URL: `${url}/arxiv`,
      OPENLIBRARY_URL: `${url}/openlibrary`,
      GUARDED_FETCH_ALLOW: `${host},${host.replace('127.0.0.1', 'localhost')}`,
    },
    seen,
    set,
    setCopies: (doi, copies) => void set(`/unpaywall/v2/${doi}`, json(unpaywallPaper(doi, copies))),
    setWork: (work) => void works.push(work),
    setOpenAlexWork: (work) => void openAlex.push(work),
    stop: async () => {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

/** Returns a reply with status 200 and this JSON body. */
export const json =
  (content: unknown): Reply =>
  (_request, response) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(content))

/** Returns a reply with status 200, this body and this media type. */
export const file =
  (content: string | Uint8Array, type = 'application/pdf'): Reply =>
  (_request, response) =>
    void response.writeHead(200, { 'content-type': type }).end(content)

/**
 * Returns a reply with this status. If `then` is given, only the first `times` requests get this reply, and later requests get
 * `then`.
 */
export const status = (code: number, headers: Record<string, string> = {}, times = Infinity, then?: Reply): Reply => {
  let left = times
  return (request, response) => {
    left -= 1
    if (left < 0 && then) return then(request, response)
    response.writeHead(code, headers).end('nothing here')
  }
}

const message = (type: string, content: unknown) => ({
  status: 'ok',
  'message-type': type,
  'message-version': '1.0.0',
  message: content,
})

function unpaywallPaper(doi: string, copies: { pdf?: string; page?: string }[]) {
  const locations = copies.map(({ pdf = null, page = null }) => ({
    endpoint_id: null,
    evidence: 'oa repository (via OAI-PMH title and first author match)',
    host_type: 'repository',
    is_best: false,
    license: 'cc-by',
    updated: '2025-01-01T00:00:00',
    url: pdf ?? page,
    url_for_landing_page: page,
    url_for_pdf: pdf,
    version: 'acceptedVersion',
  }))
  return {
    doi,
    doi_url: `https://doi.org/${doi}`,
    genre: 'journal-article',
    is_oa: locations.length > 0,
    oa_status: locations.length > 0 ? 'green' : 'closed',
    best_oa_location: locations[0] ?? null,
    oa_locations: locations,
    title: 'A paper',
  }
}
