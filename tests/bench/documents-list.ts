import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client as PostgresClient } from 'pg'
import { startEmbeddedDatabase } from '#server/db/embedded/index.ts'
import { api } from '#shared/contract/paths.ts'
import { BACKUP_COMMAND } from '#tests/helpers/programs.ts'
import { signIn, signUp, startServer } from '#tests/helpers/server.ts'
import { measureCrowd } from './crowd-rate.ts'
import { median, type BenchRow } from './report.ts'

const DOCUMENTS = 50_000
const PAGE = 20
const RUNS = 30
const WARM_UP = 3
const LIMIT_MS = 100

type Account = Parameters<typeof signIn>[1]
type Params = NonNullable<Parameters<typeof api.documents>[0]>

/** The measured list requests: the name of the request, its query parameters, and the expected number of documents. */
const QUESTIONS: readonly [string, Params, number][] = [
  ['first page', {}, DOCUMENTS],
  ['last page', { page: DOCUMENTS / PAGE }, DOCUMENTS],
  ['page 100 by title', { page: 100, order_by: 'title.asc' }, DOCUMENTS],
  ['filter by a tag and a status', { keyword: ['tag7'], status: ['pending'] }, 416],
  ['filter by a status that two thirds have', { status: ['completed'] }, 33_334],
  ['search for a word of one document', { search: 'unicorn31415' }, 1],
  ['search for two words of one text in a hundred', { search: 'sleep hospital' }, DOCUMENTS / 100],
  ['search for a part of a DOI', { search: '10.5555/st.4999' }, 11],
  ['search for a word of every text', { search: 'participants' }, DOCUMENTS],
  ['the same, page 100', { search: 'participants', page: 100 }, DOCUMENTS],
  ['the same, by title', { search: 'participants', order_by: 'title.asc' }, DOCUMENTS],
  ['the same, with a tag', { search: 'participants', keyword: ['tag7'] }, DOCUMENTS / 40],
  ['search for a word of every title', { search: 'study' }, DOCUMENTS],
]

/**
 * Measures pages, filters and searches of 50,000 documents over HTTP on the embedded database: one request after another, then
 * the first page for eight concurrent clients. The database is filled by `npm run restore`.
 */
export async function run(): Promise<BenchRow[]> {
  const folder = await mkdtemp(join(tmpdir(), 'lectern-bench-'))
  const { account, project } = await makeBackup(join(folder, 'backup'))
  const dataDir = join(folder, 'restored')
  await backupCommand('restore', join(folder, 'backup'), dataDir)
  const server = await startServer({ embedded: true, dataDir })
  try {
    const client = await signIn(server.url, account)
    const list = (params: Params) => api.documents({ project_id: project, limit: PAGE, ...params })
    const rows = [
      await measureCrowd(
        client,
        list({}),
        server.pid,
        `first page of ${DOCUMENTS.toLocaleString('en')} documents`,
        'a restore',
      ),
    ]
    for (const [name, params, fits] of QUESTIONS) {
      const taken: number[] = []
      for (let round = 0; round < WARM_UP + RUNS; round += 1) {
        const began = performance.now()
        const { data: shown, count } = await client.json<{ data: unknown[]; count: number }>(list(params))
        if (round >= WARM_UP) taken.push(performance.now() - began)
        // An empty response would be fast and meaningless.
        if (shown.length !== Math.min(PAGE, fits) || count !== fits)
          throw new Error(`${name}: ${shown.length} of ${count} documents instead of ${fits}.`)
      }
      rows.push(row(name, taken))
    }
    return rows
  } finally {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Creates an installation with 50,000 documents of one user, and writes a backup of it to `folder`. */
async function makeBackup(folder: string): Promise<{ account: Account; project: string }> {
  const server = await startServer({ embedded: true })
  try {
    const client = await signUp(server.url)
    const { data } = await client.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Bench' } })
    // Only one process can open the embedded database.
    await server.kill('SIGTERM')
    await fill(`${server.dataDir}/database`, client.userId, data.id)
    await backupCommand('backup', folder, server.dataDir)
    return { account: { email: client.email, password: client.password }, project: data.id }
  } finally {
    await server.stop()
  }
}

async function backupCommand(action: 'backup' | 'restore', folder: string, dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true })
  await promisify(execFile)(process.execPath, [BACKUP_COMMAND, action, folder], {
    cwd: dataDir,
    env: { PATH: process.env['PATH'], DATA_DIR: dataDir },
  })
}

/**
 * Inserts documents with a text of one page each. One in a hundred is about sleep in a hospital; a single one is about a
 * unicorn.
 */
async function fill(dataDir: string, owner: string, project: string): Promise<void> {
  const embedded = await startEmbeddedDatabase({ dataDir })
  const database = new PostgresClient(embedded.connection)
  const filler = `repeat('Participants of group ' || n % 977 || ' were measured before and after session ' || n % 89 || ' of the week. ', 20)`
  try {
    await database.connect()
    for (let from = 1; from <= DOCUMENTS; from += 5000)
      await database.query(
        `insert into documents (created_by, project_id, filename, title, journal_name, doi_link, keywords, extracted_text, status, created_at)
         select $1, $2, 'paper-' || n || '.pdf', 'Study ' || n, 'Journal ' || n % 300, '10.5555/st.' || n, array['tag' || n % 40],
           '[Page 1] ' || ${filler} || case when n % 100 = 0 then 'Patients sleep less in a hospital.' else '' end ||
             case when n = 31415 then ' unicorn31415' else '' end,
           case when n % 3 = 0 then 'pending' else 'processed' end, now() - n * interval '1 minute'
         from generate_series($3::int, $4::int) n`,
        [owner, project, from, from + 4999],
      )
    const names = `insert into tags (created_by, project_id, name) select $1, $2, 'tag' || n from generate_series(0, 39) n`
    await database.query(names, [owner, project])
    await database.query(
      `insert into document_tags (document_id, tag_id)
       select d.id, t.id from documents d join tags t on t.project_id = d.project_id and t.name = d.keywords[1]`,
    )
  } finally {
    await database.end()
    await embedded.stop()
  }
}

function row(name: string, taken: number[]): BenchRow {
  const p95 = taken.toSorted((a, b) => a - b)[Math.ceil(taken.length * 0.95) - 1]!
  return {
    what: `${name}, of ${DOCUMENTS.toLocaleString('en')} documents`,
    measured: `p50 ${median(taken).toFixed(0)} ms, p95 ${p95.toFixed(0)} ms`,
    peer: `${LIMIT_MS} ms`,
    ratio: `${(p95 / LIMIT_MS).toFixed(2)} ×`,
    aim: '≤ 1 ×',
    note: `one request at a time, ${RUNS} each, embedded database`,
  }
}
