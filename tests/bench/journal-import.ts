import type { JournalImport } from '#shared/contract/journal-import.ts'
import { api } from '#shared/contract/paths.ts'
import { signUpAdmin } from '../helpers/admin.ts'
import { type Client, signIn, startServer, type TestServer } from '../helpers/server.ts'
import { sampleSource, type SourceServer, startSourceServer } from '../helpers/source-server.ts'
import { residentMb } from './process-figures.ts'
import type { BenchRow } from './report.ts'

const COUNT = 260_000
/** Numbers of journals that are excluded and changed before the second import. */
const EXCLUDED = 10
const CHANGED = 1_000
const LOOK_MS = 500

/**
 * Imports the whole catalog of journals into the embedded database twice. In the first import all journals are new, and the
 * server is killed half-way. In the second import all journals are known.
 */
export async function run(): Promise<BenchRow[]> {
  const openAlex = await startSourceServer()
  const server = await startServer({ env: { OPENALEX_URL: openAlex.url, DATABASE_URL: '' } })
  try {
    openAlex.setCatalogue(COUNT)
    const admin = await signUpAdmin(server)
    const idle = residentMb(server.pid)
    const first = await measure(server, admin, openAlex, true)
    expect(first.run, { totalProcessed: COUNT, newJournals: COUNT, updatedJournals: 0, skippedJournals: 0, errors: 0 })

    const again = await signIn(server.url, admin)
    for (let n = 0; n < EXCLUDED; n += 1)
      await again.json(api.adminExcluded(), { body: { openalex_id: `S${1_000_000 + n * 1000}` } })
    openAlex.setCatalogue(COUNT, (n) =>
      n % 260 === 7 ? sampleSource(n, { cited_by_count: 1 }) : n === 5 ? { id: null } : sampleSource(n),
    )
    const second = await measure(server, again, openAlex, false)
    expect(second.run, {
      totalProcessed: COUNT,
      newJournals: 0,
      updatedJournals: CHANGED,
      skippedJournals: COUNT - CHANGED - EXCLUDED - 1,
      excludedJournals: EXCLUDED,
      errors: 1,
    })
    const ms = await timed(() => again.json(api.adminCatalogue({ page: 2600 })))
    const searched = await timed(() => again.json(api.adminCatalogue({ search: 'sleep letters 19' })))
    const memory = ({ peak }: Run) => `${Math.round(peak - idle)} MB above idle (${Math.round(peak)} MB)`
    return [
      {
        what: '260,000 journals, all new, kill -9 half-way',
        measured: `${first.seconds.toFixed(0)} s, ${memory(first)}`,
        peer: `the pages alone, asked one after the other: ${first.bare.toFixed(0)} s`,
        ratio: `${(first.seconds / first.bare).toFixed(1)} ×`,
        aim: 'minutes, flat memory, exact counters',
        note: `counters exact; memory in the last quarter ${Math.round(first.late - first.early)} MB above the first; with the restart`,
      },
      {
        what: 'the same again: 1,000 changed, 10 excluded, the others as they were',
        measured: `${second.seconds.toFixed(0)} s, ${memory(second)}`,
        peer: `the first run: ${first.seconds.toFixed(0)} s`,
        ratio: `${(second.seconds / first.seconds).toFixed(2)} ×`,
        aim: 'exact counters',
        note: 'counters exact',
      },
      {
        what: 'a page of 50 in the middle of 260,000 journals; a search that finds 100',
        measured: `${ms.toFixed(0)} ms; ${searched.toFixed(0)} ms`,
        peer: '',
        ratio: '',
        aim: '<= 1 s',
        note: 'median of five, with the exact count',
      },
    ]
  } finally {
    await server.stop()
    await openAlex.stop()
  }
}

interface Run {
  run: JournalImport
  seconds: number
  /** Seconds to read and parse all pages of the catalog without an import. */
  bare: number
  /**
   * Memory of the server in MB. `peak`: the maximum. `early` and `late`: the means in the first and the last quarter of the
   * import.
   */
  peak: number
  early: number
  late: number
}

async function measure(server: TestServer, admin: Client, openAlex: SourceServer, isKilled: boolean): Promise<Run> {
  const started = performance.now()
  await admin.json(api.adminUpdateJournals(), { body: { action: 'update' } })
  const seen: { processed: number; memory: number }[] = []
  let caller = admin
  let willKill = isKilled
  for (;;) {
    await new Promise((resume) => setTimeout(resume, LOOK_MS))
    const run = await latest(caller)
    seen.push({ processed: run.totalProcessed, memory: residentMb(server.pid) })
    if (willKill && run.totalProcessed > COUNT / 2) {
      willKill = false
      await server.kill('SIGKILL')
      await server.restart()
      caller = await signIn(server.url, admin)
    }
    if (run.status === 'running') continue
    const seconds = (performance.now() - started) / 1000
    const of = (part: number) => {
      const some = seen.filter(({ processed }) => Math.floor((processed / (COUNT + 1)) * 4) === part)
      return some.reduce((sum, { memory }) => sum + memory, 0) / Math.max(1, some.length)
    }
    const peak = Math.max(...seen.map(({ memory }) => memory))
    return { run, seconds, bare: await bareSeconds(openAlex), peak, early: of(0), late: of(3) }
  }
}

const latest = async (client: Client): Promise<JournalImport> =>
  (await client.json<{ data: JournalImport[] }>(api.adminUpdateJournals())).data[0]!

/** Returns the seconds to read and parse all pages of the catalog without an import. */
async function bareSeconds(openAlex: SourceServer): Promise<number> {
  const started = performance.now()
  for (let cursor: string | null = '*'; cursor;) {
    const response = await fetch(`${openAlex.url}/sources?filter=type:journal&per_page=100&cursor=${cursor}`)
    const page = (await response.json()) as { meta: { next_cursor: string | null } }
    cursor = page.meta.next_cursor
  }
  return (performance.now() - started) / 1000
}

async function timed(call: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let turn = 0; turn < 5; turn += 1) {
    const started = performance.now()
    await call()
    times.push(performance.now() - started)
  }
  return times.toSorted((a, b) => a - b)[2]!
}

/** Throws unless the import is completed with these counters. With other counters, its measured time would be meaningless. */
function expect(run: JournalImport, counters: Partial<JournalImport>): void {
  for (const [name, value] of Object.entries({ status: 'completed', ...counters }))
    if (run[name as keyof JournalImport] !== value)
      throw new Error(`${name} is ${String(run[name as keyof JournalImport])}, not ${String(value)}: ${run.message}`)
}
