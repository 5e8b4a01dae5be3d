import type { DocumentRow } from '#shared/contract/documents.ts'
import { api, functionPath } from '#shared/contract/paths.ts'
import { largestText } from '#tests/helpers/largest-text.ts'
import { onePagePdf } from '#tests/helpers/one-page-pdf.ts'
import { signUp, startServer, type Client, type TestServer } from '#tests/helpers/server.ts'
import type { BenchRow } from './report.ts'

const METRICS_TOKEN = 'of-the-benchmark'
const QUESTIONS = 15
/** Number of rounds. During one round the other user sends too few requests to compute a 99th percentile. */
const ROUNDS = 10
const REQUESTS = 400
/** Number of first requests that are not measured, because they fill the caches of the server. */
const WARM_UP = 50

interface Measured {
  /** Duration of each request in ms, sorted. */
  taken: number[]
  /** 99th percentile of the event loop delay of the server, in ms. */
  delayP99: number
}

/**
 * Measures how much one user delays another: the first stores the largest text and asks fifteen questions at once, while the
 * second reads lists and a document. Uses PostgreSQL if TEST_DATABASE_URL is set, else the embedded database.
 */
export async function run(): Promise<BenchRow[]> {
  const server = await startServer({ env: { METRICS_TOKEN } })
  try {
    const [owner, reader] = [await signUp(server.url), await signUp(server.url)]
    const largest = await newDocument(owner, largestText())
    const small = await newDocument(reader, '[Page 1]\nNaps helped older adults fall asleep.')
    await readWhile(server, reader, small, (count) => count < WARM_UP)
    const idle = await readWhile(server, reader, small, (count) => count < REQUESTS)
    // Starts the workers, which run in a server in use.
    await ask(owner, largest)
    let isAsking = true
    const asked = askRepeatedly(owner, largest).finally(() => {
      isAsking = false
    })
    const busy = await readWhile(server, reader, small, () => isAsking)
    await asked
    return rowsOf(server.databaseUrl ? 'PostgreSQL' : 'embedded', idle, busy)
  } finally {
    await server.stop()
  }
}

async function newDocument(client: Client, text: string): Promise<string> {
  const { data } = await client.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Bench' } })
  const file = new File([onePagePdf(['Naps.'])], 'naps.pdf', { type: 'application/pdf' })
  const { id } = await client.upload<DocumentRow>(data.id, file)
  await client.json(api.documentText(id), { method: 'PUT', body: { extracted_text: text } })
  const chunks = [{ content: 'Naps helped older adults fall asleep.', pageNumber: 1, pageOffset: 0 }]
  await client.json(functionPath('generate-embeddings'), { body: { document_id: id, force: true, chunks } })
  return id
}

const ask = (client: Client, id: string) =>
  client.json(api.documentChat(id), { body: { question: 'Did naps help older adults?' } })

/** Asks QUESTIONS concurrent questions, ROUNDS times. */
async function askRepeatedly(client: Client, id: string): Promise<void> {
  for (let round = 0; round < ROUNDS; round++)
    await Promise.all(Array.from({ length: QUESTIONS }, () => ask(client, id)))
}

/**
 * Sends one request after another while `goesOn`, which gets the number of sent requests, returns true. Returns the durations
 * of the requests and the event loop delay of the server.
 */
async function readWhile(
  server: TestServer,
  client: Client,
  id: string,
  goesOn: (count: number) => boolean,
): Promise<Measured> {
  // The metric counts from one read to the next.
  await readDelay(server)
  const paths = [api.document(id), api.projects(), api.documents(), api.jobs()]
  const taken: number[] = []
  while (goesOn(taken.length)) {
    const began = performance.now()
    await client.json(paths[taken.length % paths.length]!)
    taken.push(performance.now() - began)
  }
  return { taken: taken.sort((a, b) => a - b), delayP99: await readDelay(server) }
}

async function readDelay(server: TestServer): Promise<number> {
  const response = await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })
  const seconds = /^nodejs_eventloop_lag_p99_seconds (\S+)$/m.exec(await response.text())?.[1]
  return Number(seconds) * 1000
}

const at = (sorted: readonly number[], share: number) => sorted[Math.ceil(sorted.length * share) - 1]!

function rowsOf(database: string, idle: Measured, busy: Measured): BenchRow[] {
  const ratio = at(busy.taken, 0.99) / at(idle.taken, 0.99)
  const ms = (measured: Measured) =>
    `p50 ${at(measured.taken, 0.5).toFixed(0)} ms, p99 ${at(measured.taken, 0.99).toFixed(0)} ms`
  return [
    {
      what: `requests of another person while the largest text is asked ${QUESTIONS} questions, ${database} database`,
      measured: ms(busy),
      peer: `idle: ${ms(idle)}`,
      ratio: ratio.toFixed(2),
      aim: 'p99 < 3 of idle',
      note: `${busy.taken.length} requests; idle ${idle.taken.length}`,
    },
    {
      what: `delay of the event loop meanwhile, ${database} database`,
      measured: `${busy.delayP99.toFixed(0)} ms (99 %)`,
      peer: `idle: ${idle.delayP99.toFixed(0)} ms`,
      ratio: (busy.delayP99 / idle.delayP99).toFixed(2),
      aim: '99 % < 50 ms',
    },
  ]
}
