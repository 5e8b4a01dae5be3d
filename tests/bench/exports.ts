import { api } from '#shared/contract/paths.ts'
import type { ExportFormat } from '#shared/contract/exports.ts'
import { inDatabase } from '#tests/helpers/database.ts'
import { signUp, startServer } from '#tests/helpers/server.ts'
import { residentMb } from './process-figures.ts'
import type { BenchRow } from './report.ts'

const PAPERS = Number(process.env['BENCH_PAPERS'] ?? 50_000)
const AT_ONCE = 5000
const FORMATS: readonly ExportFormat[] = ['csl-json', 'bibtex', 'ris', 'endnote-xml', 'csv']
const PING_MS = 20
const MB = 1024 * 1024

/** Measures exports of 50,000 references over HTTP on the embedded database, while another client sends small requests. */
export async function run(): Promise<BenchRow[]> {
  const server = await startServer({ embedded: true })
  try {
    const ada = await signUp(server.url)
    const { data } = await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Bench' } })
    // The triggers prepare the search and the comparison of papers, which an export does not use.
    await inDatabase(server, 'alter table documents disable trigger user')
    for (let from = 1; from <= PAPERS; from += AT_ONCE)
      await inDatabase(
        server,
        `insert into documents (created_by, project_id, filename, title, keywords, reference, created_at)
         select $1, $2, n || '.pdf', 'Study ' || n, array['tag' || n % 40], jsonb_build_object('type', 'article-journal',
           'title', 'Study ' || n || ' of sleep and <i>memory</i> für Ältere', 'citation-key', 'study' || n, 'volume', (n % 40)::text,
           'container-title', 'Journal of Sleep', 'page', n || '-' || n + 9, 'DOI', '10.5555/st.' || n,
           'author', jsonb_build_array(jsonb_build_object('family', 'Marlowe', 'given', 'Ines'),
             jsonb_build_object('family', 'Lindqvist', 'given', 'S.')),
           'issued', jsonb_build_object('date-parts', jsonb_build_array(jsonb_build_array(2000 + n % 25, 3))),
           'note', repeat('Participants were measured before and after the session. ', 20)), now() - n * interval '1 minute'
         from generate_series($3::int, $4::int) n`,
        [ada.userId, data.id, from, Math.min(from + AT_ONCE - 1, PAPERS)],
      )
    await inDatabase(server, 'alter table documents enable trigger user')
    const ask = async (format: ExportFormat) => {
      const memory = residentMb(server.pid)
      let most = memory
      const waits: number[] = []
      let isRunning = true
      const ping = async () => {
        while (isRunning) {
          const from = performance.now()
          await (await ada.fetch(api.site())).arrayBuffer()
          waits.push(performance.now() - from)
          most = Math.max(most, residentMb(server.pid))
          await new Promise((resume) => setTimeout(resume, PING_MS))
        }
      }
      const pinging = ping()
      const from = performance.now()
      let first = 0
      let bytes = 0
      try {
        const response = await ada.fetch(api.exports(), {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ project_id: data.id, format }),
        })
        if (!response.ok) throw new Error(`The export answered ${response.status}: ${await response.text()}`)
        for await (const part of response.body!) {
          first ||= performance.now() - from
          bytes += part.length
        }
      } finally {
        isRunning = false
        await pinging
      }
      const whole = performance.now() - from
      const p99 = waits.toSorted((a, b) => a - b)[Math.ceil(waits.length * 0.99) - 1]!
      return { first, whole, bytes, p99, grown: most - memory }
    }
    // The first export starts the worker and fills caches.
    await ask('csl-json')
    const rows: BenchRow[] = []
    for (const format of FORMATS) {
      const { first, whole, bytes, p99, grown } = await ask(format)
      rows.push({
        what: `${format}, ${PAPERS.toLocaleString('en')} references`,
        measured: `first byte ${first.toFixed(0)} ms, whole ${(whole / 1000).toFixed(1)} s, memory + ${grown.toFixed(0)} MB`,
        peer: 'first byte 1000 ms, memory 100 MB',
        ratio: `${(first / 1000).toFixed(2)} and ${(grown / 100).toFixed(2)}`,
        aim: '≤ 1',
        note: `${(bytes / MB).toFixed(0)} MB; small requests meanwhile p99 ${p99.toFixed(0)} ms`,
      })
    }
    return rows
  } finally {
    await server.stop()
  }
}
