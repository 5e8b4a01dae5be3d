import { api } from '#shared/contract/paths.ts'
import type { Job } from '#shared/contract/jobs.ts'
import { type Client, signUp, startServer, type TestServer } from '#tests/helpers/server.ts'
import { startZoteroServer, ZOTERO_KEY, ZOTERO_USER, type ZoteroServer } from '#tests/helpers/zotero-server.ts'
import type { BenchRow } from './report.ts'

const ITEMS = Number(process.env['BENCH_ITEMS'] ?? 10_000)
const LIBRARY = `users/${ZOTERO_USER}`
const METRICS_TOKEN = 'bench-token-of-zotero'
const AIM_DELAY_MS = 50

/**
 * Measures an import of 10,000 items from a simulated Zotero server into the embedded database, and a second import without
 * changed items.
 */
export async function run(): Promise<BenchRow[]> {
  const zotero = await startZoteroServer()
  const server = await startServer({ embedded: true, env: { ...zotero.env, METRICS_TOKEN } })
  try {
    zotero.put(LIBRARY, ...Array.from({ length: ITEMS }, (_, at) => sample(at)))
    const client = await signUp(server.url)
    const { data } = await client.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Bench' } })
    await client.json(api.zoteroConnection(), { method: 'PUT', body: { key: ZOTERO_KEY } })
    const first = await importAll(server, zotero, client, data.id)
    if (first.result?.['created'] !== ITEMS) throw new Error(`Imported ${JSON.stringify(first.result)}`)
    const second = await importAll(server, zotero, client, data.id)
    const what = `${ITEMS.toLocaleString('en')} items`
    return [
      {
        what: `first import of ${what}, embedded database`,
        measured: `${first.seconds.toFixed(0)} s, ${first.requests} requests`,
        peer: `${Math.ceil(ITEMS / 100)} pages of 100 items`,
        ratio: `${(first.requests / Math.ceil(ITEMS / 100)).toFixed(2)} requests a page`,
        aim: '≤ 1.05 requests a page',
      },
      {
        what: 'delay of the event loop meanwhile, p99',
        measured: `${first.delayP99.toFixed(0)} ms`,
        peer: `${AIM_DELAY_MS} ms`,
        ratio: (first.delayP99 / AIM_DELAY_MS).toFixed(2),
        aim: '≤ 1',
      },
      {
        what: `second import of the unchanged ${what}`,
        measured: `${second.seconds.toFixed(1)} s, ${second.requests} requests`,
        peer: '1 request',
        ratio: String(second.requests),
        aim: '1',
      },
    ]
  } finally {
    await server.stop()
    await zotero.stop()
  }
}

async function importAll(server: TestServer, zotero: ZoteroServer, client: Client, project_id: string) {
  await readDelay(server)
  zotero.seen.length = 0
  const began = performance.now()
  const body = {
    project_id,
    libraries: [{ library: LIBRARY, collections: null }],
    with_subcollections: true,
    with_pdfs: false,
    with_tags: true,
    synchronize: 'never',
  }
  const { data } = await client.json<{ data: Job }>(api.zoteroImports(), { body })
  const job = await client.job(data.id, 3_600_000)
  if (job.status !== 'completed') throw new Error(`The import failed: ${job.error}`)
  const seconds = (performance.now() - began) / 1000
  return { seconds, requests: zotero.seen.length, delayP99: await readDelay(server), result: job.result }
}

/** Returns the 99th percentile of the event loop delay of the server since the last call, in ms. */
async function readDelay(server: TestServer): Promise<number> {
  const response = await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })
  return Number(/^nodejs_eventloop_lag_p99_seconds (\S+)$/m.exec(await response.text())?.[1]) * 1000
}

const WORDS = 'sleep memory recall spindle cohort trial adults children nap evening recovery learning'.split(' ')
const word = (n: number) => WORDS[n % WORDS.length]!

const sample = (n: number) => ({
  key: `IT${String(n).padStart(6, '0')}`,
  csl: {
    type: 'article-journal',
    title: `Effects of ${word(n)} and ${word(n >> 3)} on ${word(n >> 5)} in group ${n} of a register`,
    author: [{ family: `Family${n % 5003}`, given: 'Ada' }],
    issued: { 'date-parts': [[1990 + (n % 35)]] },
    'container-title': `Journal ${n % 300}`,
    volume: String(n % 120),
    page: `${n}-${n + 9}`,
    DOI: `10.5555/zotero.${n}`,
  },
  data: { tags: [{ tag: word(n) }] },
})
