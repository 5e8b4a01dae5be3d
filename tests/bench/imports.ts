import { setTimeout } from 'node:timers/promises'
import type { Job } from '#shared/contract/jobs.ts'
import { api } from '#shared/contract/paths.ts'
import { inDatabase } from '#tests/helpers/database.ts'
import { importForm } from '#tests/helpers/reference-file.ts'
import { type Client, signUp, startServer, type TestServer } from '#tests/helpers/server.ts'
import { risOf } from './bibliography.ts'
import type { BenchRow } from './report.ts'

const PAPERS = Number(process.env['BENCH_PAPERS'] ?? 50_000)
const RECORDS = 10_000
/** Number of records of each file that fills the project. A file has 40 MB. */
const FILE_RECORDS = 20_000
/** Number of records of the measured file whose papers the project already contains. */
const KNOWN = 1_000
const AIM_SECONDS = 60
const AIM_DELAY_MS = 50
const METRICS_TOKEN = 'bench-token-of-imports'

/** Measures an import of 10,000 records into a project of 50,000 papers on the embedded database. */
export async function run(): Promise<BenchRow[]> {
  const server = await startServer({ embedded: true, env: { METRICS_TOKEN } })
  try {
    const client = await signUp(server.url)
    const { data } = await client.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Bench' } })
    const first = await importFile(server, client, data.id, risOf(0, Math.min(PAPERS, FILE_RECORDS)))
    for (let from = FILE_RECORDS; from < PAPERS; from += FILE_RECORDS)
      await importFile(server, client, data.id, risOf(from, Math.min(PAPERS - from, FILE_RECORDS)))
    const second = await importFile(server, client, data.id, risOf(PAPERS - KNOWN, RECORDS))
    if (second.result['joined'] !== KNOWN) throw new Error(`Imported ${JSON.stringify(second.result)}`)
    return [
      ...rowsOf(`${Math.min(PAPERS, FILE_RECORDS).toLocaleString('en')} records into an empty project`, first, null),
      ...rowsOf(
        `${RECORDS.toLocaleString('en')} records into ${PAPERS.toLocaleString('en')} papers, ${KNOWN.toLocaleString('en')} of them known`,
        second,
        AIM_SECONDS,
      ),
    ]
  } finally {
    await server.stop()
  }
}

interface Measured {
  seconds: number
  /** Seconds until the server has also compared the papers for suspected duplicates. */
  comparedSeconds: number
  /** Processor time in seconds of all threads of the server. */
  processorSeconds: number
  delayP99: number
  result: Record<string, unknown>
}

async function importFile(server: TestServer, client: Client, projectId: string, ris: string): Promise<Measured> {
  await readMetric(server, DELAY)
  const processorBefore = await readMetric(server, PROCESSOR)
  const began = performance.now()
  const response = await client.fetch(api.imports(), {
    method: 'POST',
    body: importForm({ 'bench.ris': ris }, { project_id: projectId }),
  })
  const { data } = (await response.json()) as { data: Job }
  const job = await client.job(data.id, 3_600_000)
  const seconds = (performance.now() - began) / 1000
  if (job.status !== 'completed') throw new Error(`The import failed: ${job.error}`)
  const waiting = 'select from duplicate_checks where is_waiting limit 1'
  while ((await inDatabase(server, waiting)).length > 0) await setTimeout(500)
  return {
    seconds,
    comparedSeconds: (performance.now() - began) / 1000,
    processorSeconds: (await readMetric(server, PROCESSOR)) - processorBefore,
    delayP99: (await readMetric(server, DELAY)) * 1000,
    result: job.result!,
  }
}

/** Name of the metric with the 99th percentile of the event loop delay since the metrics were last read, in seconds. */
const DELAY = 'nodejs_eventloop_lag_p99_seconds'
const PROCESSOR = 'process_cpu_seconds_total'

async function readMetric(server: TestServer, name: string): Promise<number> {
  const response = await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(await response.text())?.[1])
}

const rowsOf = (
  what: string,
  { seconds, comparedSeconds, processorSeconds, delayP99 }: Measured,
  aim: number | null,
): BenchRow[] => [
  {
    what: `import of ${what}`,
    measured: `${seconds.toFixed(0)} s`,
    peer: aim === null ? '' : `${aim} s`,
    ratio: aim === null ? '' : `${(seconds / aim).toFixed(2)} ×`,
    aim: aim === null ? '' : '≤ 1 ×',
    note: 'from the upload to the end of the job, embedded database',
  },
  {
    what: 'the same, until all papers are compared for suspected duplicates',
    measured: `${comparedSeconds.toFixed(0)} s`,
    peer: aim === null ? '' : `${aim} s`,
    ratio: aim === null ? '' : `${(comparedSeconds / aim).toFixed(2)} ×`,
    aim: aim === null ? '' : '≤ 1 ×',
    note: `${processorSeconds.toFixed(0)} s of processor time on all threads of the server`,
  },
  {
    what: 'event loop delay of the server during it, p99',
    measured: `${delayP99.toFixed(0)} ms`,
    peer: `${AIM_DELAY_MS} ms`,
    ratio: `${(delayP99 / AIM_DELAY_MS).toFixed(2)} ×`,
    aim: '≤ 1 ×',
    note: '',
  },
]
