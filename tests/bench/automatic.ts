import { readFile, writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { api } from '#shared/contract/paths.ts'
import { listenToEvents, type EventListener } from '#tests/helpers/event-listener.ts'
import { signUp, startServer, type Client, type TestServer } from '#tests/helpers/server.ts'
import { fixture, readablePapers, samplePaper } from './papers.ts'
import { residentMb } from './process-figures.ts'
import { median, type BenchRow } from './report.ts'

const RUNS = 5
/** Wait in ms before the idle memory is measured. Meanwhile the server releases memory that it needed only to start. */
const SETTLED_MS = 8_000
/** Wait in ms between two papers, in which the server ends its idle workers. */
const PAUSE_MS = 3_000
const LIMIT_MS = 300_000
const TOGETHER = 6

/**
 * Measures the automatic processing of papers with the built-in models: the time from the upload of a paper to its first
 * answer, and the memory of the server while six papers are processed.
 */
export async function run(): Promise<BenchRow[]> {
  const paper = samplePaper('cc-acm-2024-keim.pdf') ?? fixture('paper.pdf')
  const server = await startServer({ embedded: true })
  try {
    const client = await signUp(server.url)
    const { data: project } = await client.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Bench' } })
    await server.restart()
    await pause(SETTLED_MS)
    const events = await listenToEvents(client)
    const began = { client, project: project.id, events }
    const idle = residentMb(server.pid)
    const first = await toFirstAnswer(began, paper)
    const next: number[] = []
    for (let round = 0; round < RUNS; round++) {
      await pause(PAUSE_MS)
      next.push(await toFirstAnswer(began, paper))
    }
    await pause(PAUSE_MS)
    const six = Array.from({ length: TOGETHER }, (_, at) => readablePapers().at(at % readablePapers().length)!)
    await resetPeak(server)
    const from = performance.now()
    await processed(began, six)
    const took = performance.now() - from
    const peak = await peakMb(server)
    events.close()
    const name = basename(paper)
    return [
      row(`upload to first answer, ${name}, processed automatically, first paper of a server`, seconds(first), ''),
      row(`the same, next papers, median of ${RUNS}`, seconds(median(next)), '<= 2.5 s'),
      row(`${TOGETHER} papers uploaded at once, until all are analyzed and vectorized`, seconds(took), ''),
      row(
        'memory of the server meanwhile',
        `${peak} MB at most`,
        '<= 700 MB',
        `idle after start: ${Math.round(idle)} MB`,
      ),
    ]
  } finally {
    await server.stop()
  }
}

interface Bench {
  client: Client
  project: string
  events: EventListener
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`
const row = (what: string, measured: string, aim: string, note = ''): BenchRow => ({
  what,
  measured,
  peer: '',
  ratio: '',
  aim,
  note,
})

async function toFirstAnswer(bench: Bench, path: string): Promise<number> {
  const from = performance.now()
  const [id] = await processed(bench, [path], ['vectorize'])
  await bench.client.json(api.documentChat(id!), { body: { question: 'What did the study find?' } })
  return performance.now() - from
}

/** Uploads papers and waits until, for each paper, the jobs of these kinds have ended. Returns the document ids. */
async function processed({ client, project, events }: Bench, paths: string[], kinds = ['analyze', 'vectorize']) {
  events.received.length = 0
  const send = async (path: string) => {
    const file = new File([await readFile(path)], basename(path), { type: 'application/pdf' })
    return (await client.upload(project, file, { process_automatically: 'true' })).id
  }
  const ids = await Promise.all(paths.map(send))
  const deadline = performance.now() + LIMIT_MS
  const hasEnded = (id: string, kind: string) =>
    events.received.some(
      (one) =>
        one.event === 'job' && one.data.document_id === id && one.data.kind === kind && one.data.status === 'completed',
    )
  while (!ids.every((id) => kinds.every((kind) => hasEnded(id, kind)))) {
    if (performance.now() > deadline) throw new Error('The papers are not processed.')
    await pause(5)
  }
  return ids
}

/** Returns the maximum of the resident memory of a server since the last call of `resetPeak`, in MB. */
async function peakMb({ pid }: TestServer): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
}

const resetPeak = ({ pid }: TestServer) => writeFile(`/proc/${pid}/clear_refs`, '5')
