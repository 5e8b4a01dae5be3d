import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readFeed } from '#server/external/rss/parse-feed.ts'
import type { BenchRow } from './report.ts'

export const FEEDS = 1_000
export const ITEMS = 50
/** Number of sites that serve the feeds. The server sends only one request at a time to a site. */
const SITES = 100
const PARSED = 40

/** The output of feeds-process.ts, the measured process. */
export interface Measured {
  refreshSeconds: number
  unchangedSeconds: number
  rssBefore: number
  rssPeak: number
  delayP99: number
  delayMax: number
  pages: { what: string; ms: number }[]
}

/**
 * Measures the refresh of 1,000 feeds with 50 articles each, and pages of the merged list of 500,000 articles. Measures both
 * kinds of databases: embedded and PostgreSQL.
 */
export async function run(): Promise<BenchRow[]> {
  const site = createServer((request, response) => {
    const number = Number(/\d+$/.exec(request.url ?? '')?.[0] ?? 0)
    const etag = `"${number}"`
    if (request.headers['if-none-match'] === etag) return void response.writeHead(304).end()
    response.writeHead(200, { 'content-type': 'application/rss+xml', etag }).end(feedOf(number))
  })
  await new Promise<void>((ready) => site.listen(0, ready))
  const { port } = site.address() as AddressInfo
  const hosts = Array.from({ length: SITES }, (_, index) => `127.0.1.${index + 1}:${port}`)
  const helper = new URL('../helpers/postgres.mjs', import.meta.url).href
  const { ensurePostgres } = (await import(helper)) as {
    ensurePostgres: () => Promise<{ url: string; stop: () => Promise<void> } | { skipped: string }>
  }
  const postgres = await ensurePostgres()
  try {
    const bare = barePerSecond()
    const rows = rowsOf('embedded', bare, await measure(hosts, {}))
    if ('url' in postgres) {
      const name = `bench_${process.pid}`
      const { Client } = await import('pg')
      const owner = new Client({ connectionString: postgres.url })
      await owner.connect()
      await owner.query(`create database ${name}`)
      const url = Object.assign(new URL(postgres.url), { pathname: `/${name}` }).href
      rows.push(...rowsOf('PostgreSQL', bare, await measure(hosts, { DATABASE_URL: url })))
      await owner.query(`drop database ${name} with (force)`)
      await owner.end()
    }
    return rows
  } finally {
    if ('stop' in postgres) await postgres.stop()
    site.closeAllConnections()
    site.close()
  }
}

/**
 * Starts the measured process and returns its output. The sites with the feeds run in the current process, so that they are not
 * measured.
 */
async function measure(hosts: readonly string[], settings: Record<string, string>): Promise<Measured> {
  const folder = await mkdtemp(join(tmpdir(), 'lectern-bench-'))
  try {
    const env = {
      PATH: process.env['PATH'],
      DATA_DIR: folder,
      LOG_LEVEL: 'error',
      GUARDED_FETCH_ALLOW: hosts.join(','),
      ...settings,
    }
    const child = spawn(process.execPath, [fileURLToPath(new URL('feeds-process.ts', import.meta.url))], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let printed = ''
    child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()))
    const code = await new Promise<number | null>((done) => child.once('close', done))
    if (code !== 0) throw new Error(`The measured process ended with ${code}: ${printed}`)
    return JSON.parse(printed) as Measured
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Returns feed `number` as RSS. One in ten of its articles is also in another feed. */
function feedOf(number: number): string {
  const items = Array.from({ length: ITEMS }, (_, index) => {
    const isShared = index < ITEMS / 10
    const doi = isShared ? `10.1000/pair.${number >> 1}.${index}` : `10.1000/f${number}.${index}`
    const journal = isShared ? `pair ${number >> 1}` : `journal ${number}`
    const date = new Date(Date.UTC(2026, 8, 1) - (number + index * 60) * 60_000).toUTCString()
    return `<item><title>Paper ${index} on &lt;i&gt;sleep&lt;/i&gt; of ${journal}</title><link>https://journal.example.org/doi/${doi}</link><guid isPermaLink="false">${doi}</guid><pubDate>${date}</pubDate><description>${'&lt;p&gt;What a night of sleep does to the memory of those who have it.&lt;/p&gt; '.repeat(8)}</description></item>`
  })
  return `<?xml version="1.0" encoding="UTF-8"?><rss version="2.0"><channel><title>Journal ${number}</title>${items.join('')}</channel></rss>`
}

function barePerSecond(): number {
  const texts = Array.from({ length: PARSED }, (_, index) => feedOf(index))
  readFeed(texts[0]!, 'https://example.org/')
  const began = performance.now()
  for (const text of texts) readFeed(text, 'https://example.org/')
  return (PARSED * ITEMS * 1000) / (performance.now() - began)
}

function rowsOf(database: string, bare: number, found: Measured): BenchRow[] {
  const perSecond = (FEEDS * ITEMS) / found.refreshSeconds
  const megabytes = (bytes: number) => `${Math.round(bytes / 2 ** 20)} MB`
  const ofTotal = `${database} database`
  return [
    {
      what: `${FEEDS.toLocaleString('en-GB')} feeds of ${ITEMS} articles read and stored for the first time, ${ofTotal}`,
      measured: `${Math.round(perSecond).toLocaleString('en-GB')} articles/s`,
      peer: `parsing the same feeds alone: ${Math.round(bare).toLocaleString('en-GB')} articles/s`,
      ratio: (perSecond / bare).toFixed(2),
      aim: '',
      note: `${found.refreshSeconds.toFixed(1)} s over ${SITES} sites; asked again, all unchanged: ${found.unchangedSeconds.toFixed(1)} s`,
    },
    {
      what: `memory of the process meanwhile, ${ofTotal}`,
      measured: `${megabytes(found.rssPeak)} at most`,
      peer: `before: ${megabytes(found.rssBefore)}`,
      ratio: (found.rssPeak / found.rssBefore).toFixed(2),
      aim: '',
    },
    {
      what: `delay of the event loop meanwhile, ${ofTotal}`,
      measured: `${found.delayP99.toFixed(0)} ms (99 %), ${found.delayMax.toFixed(0)} ms at most`,
      peer: '',
      ratio: '',
      aim: '99 % <= 50 ms',
    },
    ...found.pages.map(({ what, ms }) => ({
      what: `merged list of 500,000 articles, ${what}, ${ofTotal}`,
      measured: `${ms.toFixed(1)} ms`,
      peer: '',
      ratio: '',
      aim: '<= 100 ms',
    })),
  ]
}
