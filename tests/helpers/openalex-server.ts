import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openAlexWork, type WorkSample } from './openalex-work.ts'

type Reply = (request: IncomingMessage, response: ServerResponse, url: URL) => void

/** An unusual behavior for the next requests. */
export interface OpenAlexMisbehaviour {
  /** The number of requests that misbehave. Default: all requests until `reset`. */
  times?: number
  status?: number
  headers?: Record<string, string>
  body?: string
  /** Sends the headers, then nothing, and leaves the connection open. */
  hang?: boolean
  /**
   * Makes a list endless. 'same': the next cursor of a page is its own cursor. 'new': each page has a new next cursor, but the
   * same works.
   */
  cursor?: 'same' | 'new'
  /** Each page is empty but has a next cursor. */
  empty?: boolean
  /** Responds with JSON of another schema. */
  schema?: 'changed'
  /** Returns retracted works although the request excludes them. */
  unfiltered?: boolean
  /** Delay of each response in milliseconds. */
  slowMs?: number
}

/** A simulation of OpenAlex on loopback, with sample works. */
export interface OpenAlexServer {
  /**
   * Settings for a server under test: OPENALEX_URL, its API key, a contact address, and URLs of the other services, which
   * answer every request with an error here.
   */
  env: Record<string, string>
  seen: { path: string; query: URLSearchParams; agent: string }[]
  works: WorkSample[]
  misbehave: (how: OpenAlexMisbehaviour) => void
  reset: () => void
  /** Sets the response of a path. */
  set: (path: string, reply: Reply) => void
  stop: () => Promise<void>
}

const KEY = 'openalex-key'
const samples = JSON.parse(
  readFileSync(new URL('../fixtures/openalex/works.json', import.meta.url), 'utf8'),
) as WorkSample[]

/** Starts the simulated OpenAlex on a free port. It has the sample works by default. */
export async function startOpenAlexServer(works: WorkSample[] = samples): Promise<OpenAlexServer> {
  const seen: OpenAlexServer['seen'] = []
  const replies = new Map<string, Reply>()
  const held = [...works]
  let wrong: OpenAlexMisbehaviour | null = null

  const answer: Reply = (request, response, url) => {
    const how = wrong
    if (how?.times !== undefined) how.times -= 1
    if (how?.times === 0) wrong = null
    if (how?.hang) return void response.writeHead(200, { 'content-type': 'application/json' }).write('{"meta":')
    if (how?.status !== undefined || how?.body !== undefined)
      return void response.writeHead(how.status ?? 200, how.headers).end(how.body ?? '{"error":"refused"}')
    if (url.searchParams.get('api_key') !== KEY) return json(response, 403, { error: 'API key required' })
    const reply = replies.get(url.pathname)
    if (reply) return reply(request, response, url)
    if (url.pathname === '/works') return list(response, url, how)
    const doi = decodeURIComponent(/^\/works\/doi:(.+)$/.exec(url.pathname)?.[1] ?? '').toLowerCase()
    const work = held.find((one) => one.doi?.toLowerCase() === doi)
    return work ? json(response, 200, openAlexWork(work)) : json(response, 404, { error: 'not found' })
  }

  function list(response: ServerResponse, url: URL, how: OpenAlexMisbehaviour | null) {
    const size = Number(url.searchParams.get('per_page') ?? 25)
    const cursor = url.searchParams.get('cursor') ?? '*'
    if (size > 100) return json(response, 400, { error: 'per_page' })
    if (how?.empty) return json(response, 200, { meta: { count: 10, next_cursor: `${cursor}-` }, results: [] })
    const found = held.filter((work) => matches(work, url, how?.unfiltered ?? false))
    if (how?.schema)
      return json(response, 200, { meta: { count: 1 }, results: found.map(({ title }) => ({ name: title })) })
    const start = how?.cursor || cursor === '*' ? 0 : Number(cursor.slice(1))
    const more = start + size < found.length ? `c${start + size}` : null
    const next = how?.cursor === 'same' ? cursor : how?.cursor === 'new' ? `n${seen.length}` : more
    json(response, 200, {
      meta: { count: found.length, db_response_time_ms: 3, page: null, per_page: size, next_cursor: next },
      results: found.slice(start, start + size).map(openAlexWork),
      group_by: [],
    })
  }

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://loopback')
    seen.push({ path: url.pathname, query: url.searchParams, agent: request.headers['user-agent'] ?? '' })
    response.on('error', () => undefined)
    setTimeout(() => answer(request, response, url), wrong?.slowMs ?? 0)
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    env: {
      OPENALEX_URL: url,
      // These services answer with an error here, so that no request leaves the machine.
      CROSSREF_URL: `${url}/crossref`,
      UNPAYWALL_URL: `${url}/unpaywall`,
      ARXIV_URL: `${url}/arxiv`,
      OPENLIBRARY_URL: `${url}/openlibrary`,
      OPENALEX_API_KEY: KEY,
      CONTACT_EMAIL: 'library@example.org',
    },
    seen,
    works: held,
    misbehave: (how) => void (wrong = { ...how }),
    reset: () => void (wrong = null),
    set: (path, reply) => void replies.set(path, reply),
    stop: async () => {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

function matches(work: WorkSample, { searchParams }: URL, unfiltered: boolean): boolean {
  const filters = new Map(
    (searchParams.get('filter') ?? '').split(',').map((one) => one.split(':') as [string, string]),
  )
  const dois = filters.get('doi')?.split('|')
  if (dois) return dois.includes(work.doi ?? '') && String(work.retracted ?? false) === filters.get('is_retracted')
  const from = filters.get('from_publication_date')
  const title = filters.get('title.search')
  if (!unfiltered && filters.get('is_retracted') === 'false' && work.retracted) return false
  if (from && (work.date ?? '') < from) return false
  if (title) return hasAll(work.title, title)
  return fits(`${work.title} ${work.abstract ?? ''}`, searchParams.get('search') ?? '')
}

/**
 * Returns whether a text matches a search in the syntax of OpenAlex, such as 'naps AND (adults OR older people)'. Groups are
 * joined by AND. Alternatives within a group are joined by OR; each alternative is one or more words.
 */
function fits(text: string, search: string): boolean {
  return search
    .split(/ AND (?![^(]*\) OR)/)
    .every((group) => group.split(' OR ').some((words) => hasAll(text, words.replace(/[()]/g, ' '))))
}

/** Returns whether a text contains all the words. A word may have another ending, because OpenAlex stems words. */
function hasAll(text: string, words: string): boolean {
  const have = text.toLowerCase()
  return words
    .toLowerCase()
    .split(/\W+/)
    .every((word) => have.includes(word.slice(0, Math.max(4, word.length - 2))))
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json', 'x-ratelimit-remaining': '9999' })
  response.end(JSON.stringify(body))
}
