import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Maximum page size that OpenAlex permits. */
const PAGE_MAX = 100
const WORDS = ['Sleep', 'Botany', 'Ethics', 'Optics', 'Surgery', 'Logic', 'Geology', 'Nursing', 'Algebra', 'Poetry']

/**
 * A function that returns journal number `n` of the catalog. To simulate changed journals, pass a new function to
 * `setCatalogue`.
 */
export type SourceOf = (n: number) => Record<string, unknown>

/**
 * Returns journal number `n` in the JSON format of OpenAlex, including fields that Lectern does not use. `change` overrides
 * fields.
 */
export const sampleSource = (n: number, change: Record<string, unknown> = {}): Record<string, unknown> => ({
  id: `https://openalex.org/S${1_000_000 + n}`,
  issn_l: `${String(1000 + (n % 9000)).padStart(4, '0')}-${String(Math.floor(n / 9000)).padStart(3, '0')}X`,
  issn: [`${n}`],
  display_name: `${WORDS[n % WORDS.length]} Letters ${n}`,
  host_organization: 'https://openalex.org/P4310319908',
  host_organization_name: `Press ${n % 97}`,
  host_organization_lineage: ['https://openalex.org/P4310319908'],
  works_count: n * 3,
  cited_by_count: n * 7,
  summary_stats: { '2yr_mean_citedness': 1.5, h_index: n % 300, i10_index: n % 5000 },
  is_oa: n % 3 === 0,
  is_in_doaj: n % 4 === 0,
  homepage_url: n % 5 === 0 ? null : `https://example.org/journals/${n}`,
  type: 'journal',
  works_api_url: `https://api.openalex.org/works?filter=primary_location.source.id:S${1_000_000 + n}`,
  updated_date: '2026-01-01T00:00:00',
  ...change,
})

/**
 * A simulation of the journal catalog of OpenAlex (its 'sources') on loopback. The journals are generated, so the catalog
 * can have any length.
 */
export interface SourceServer {
  url: string
  /** The path with its query of every received request. */
  seen: string[]
  /** Sets the number of journals, and the function that generates a journal. */
  setCatalogue: (count: number, source?: SourceOf) => void
  /**
   * Delays the response with the page that begins at journal `first` until `release` is called. `asked` resolves when that page
   * is requested.
   */
  hold: (first: number) => { asked: Promise<void>; release: () => void }
  /** Makes every request fail with this status. 'silence': the server never responds. undefined: requests succeed again. */
  fail: (how: number | 'silence' | undefined) => void
  stop: () => Promise<void>
}

/** Starts the simulated catalog on a free port. It has no journals at first. */
export async function startSourceServer(): Promise<SourceServer> {
  const seen: string[] = []
  let count = 0
  let sourceOf: SourceOf = sampleSource
  let failing: number | 'silence' | undefined
  let held: { first: number; asked: () => void; released: Promise<void> } | undefined

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', 'http://loopback')
    seen.push(request.url ?? '/')
    const query = url.searchParams
    const json = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    if (failing === 'silence') return
    if (failing !== undefined) return json(failing, { error: 'Out of order' })
    const key = /^\/sources\/S(\d+)$/.exec(url.pathname)?.[1]
    if (key !== undefined) {
      const n = Number(key) - 1_000_000
      return n >= 0 && n < count ? json(200, sourceOf(n)) : json(404, { error: 'Not found' })
    }
    if (url.pathname !== '/sources') return json(404, { error: 'Not found' })
    const size = Number(query.get('per_page') ?? query.get('per-page') ?? 25)
    if (size < 1 || size > PAGE_MAX) return json(400, { error: 'Invalid query parameters error.' })
    const select = query.get('select')?.split(',')
    const shown = (n: number) => {
      const whole = sourceOf(n)
      return select ? Object.fromEntries(select.map((field) => [field, whole[field]])) : whole
    }
    if (query.has('search')) {
      const hits = search(query.get('search')!)
      const first = (Number(query.get('page') ?? 1) - 1) * size
      return json(200, { meta: { count: hits.length, page: 1 }, results: hits.slice(first, first + size).map(shown) })
    }
    if (query.get('filter') !== 'type:journal' || !query.has('cursor'))
      return json(400, { error: 'No such list here.' })
    const cursor = query.get('cursor')!
    const first = cursor === '*' ? 0 : Number(Buffer.from(cursor, 'base64url').toString())
    if (held?.first === first) {
      held.asked()
      await held.released
    }
    const results = Array.from({ length: Math.max(0, Math.min(size, count - first)) }, (_, at) => shown(first + at))
    // As documented, the empty page after the last one has the cursor null.
    const next_cursor = results.length === 0 ? null : Buffer.from(String(first + size)).toString('base64url')
    json(200, { meta: { count, per_page: size, next_cursor }, results, group_by: [] })
  }
  const search = (text: string) => {
    const found: number[] = []
    for (let n = 0; n < count && found.length < 50; n += 1)
      if (String(sourceOf(n)['display_name']).toLowerCase().includes(text.toLowerCase())) found.push(n)
    return found
  }
  const server = createServer((request, response) => {
    response.on('error', () => undefined)
    void answer(request, response)
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    setCatalogue: (next, source = sampleSource) => {
      count = next
      sourceOf = source
    },
    hold: (first) => {
      const asked = Promise.withResolvers<void>()
      const released = Promise.withResolvers<void>()
      held = { first, asked: asked.resolve, released: released.promise }
      return {
        asked: asked.promise,
        release: () => {
          held = undefined
          released.resolve()
        },
      }
    },
    fail: (status) => {
      failing = status
    },
    stop: async () => {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}
