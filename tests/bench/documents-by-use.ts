import { setTimeout as pause } from 'node:timers/promises'
import type { Job } from '#shared/contract/jobs.ts'
import { api } from '#shared/contract/paths.ts'
import { inDatabase } from '#tests/helpers/database.ts'
import { importForm } from '#tests/helpers/reference-file.ts'
import { type Client, signIn, signUp, startServer, type TestServer } from '#tests/helpers/server.ts'
import { risOf } from './bibliography.ts'
import { measureCrowd } from './crowd-rate.ts'
import { residentMb } from './process-figures.ts'
import type { BenchRow } from './report.ts'

const DOCUMENTS = 50_000
const FILE_RECORDS = 10_000
/** Wait in ms after a start, in which the server releases memory that it needed only to start. */
const SETTLED_MS = 8_000
const IDLE_MS = 60_000

/**
 * Imports 50,000 documents from reference files over HTTP into the embedded database. Measures the first page of their list,
 * and the start and the memory of a server with these documents.
 */
export async function run(): Promise<BenchRow[]> {
  const server = await startServer({ embedded: true })
  try {
    const client = await signUp(server.url)
    const { data } = await client.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Bench' } })
    for (let from = 0; from < DOCUMENTS; from += FILE_RECORDS) await importRecords(server, client, data.id, from)
    const path = api.documents({ project_id: data.id, limit: 20 })
    const what = `first page of ${DOCUMENTS.toLocaleString('en')} documents`
    const rows = [await measureCrowd(client, path, server.pid, what, 'imports, just after the last one')]
    const began = performance.now()
    await server.restart()
    const warm = performance.now() - began
    await pause(SETTLED_MS)
    const settled = residentMb(server.pid)
    await pause(IDLE_MS)
    rows.push(start(warm, settled, residentMb(server.pid)))
    const again = await signIn(server.url, { email: client.email, password: client.password })
    rows.push(await measureCrowd(again, path, server.pid, what, 'imports, after a restart'))
    return rows
  } finally {
    await server.stop()
  }
}

/** Imports a file, and waits until the server has compared its papers for suspected duplicates. */
async function importRecords(server: TestServer, client: Client, projectId: string, from: number): Promise<void> {
  const response = await client.fetch(api.imports(), {
    method: 'POST',
    body: importForm({ 'bench.ris': risOf(from, FILE_RECORDS) }, { project_id: projectId }),
  })
  const { data } = (await response.json()) as { data: Job }
  const job = await client.job(data.id, 3_600_000)
  if (job.status !== 'completed') throw new Error(`The import failed: ${job.error}`)
  while ((await inDatabase(server, 'select from duplicate_checks where is_waiting limit 1')).length > 0)
    await pause(500)
  console.error(`  ${from + FILE_RECORDS} of ${DOCUMENTS} documents`)
}

const start = (warm: number, settled: number, idle: number): BenchRow => ({
  what: `warm start with ${DOCUMENTS.toLocaleString('en')} documents; memory eight seconds later; after an idle minute`,
  measured: `${(warm / 1000).toFixed(2)} s; ${Math.round(settled)} MB; ${Math.round(idle)} MB`,
  peer: '',
  ratio: '',
  aim: '≤ 1.5 s; ≤ 350 MB',
  note: 'one start',
})
