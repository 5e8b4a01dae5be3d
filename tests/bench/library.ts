import { readFile } from 'node:fs/promises'
import type { LibrarySearch } from '#shared/contract/library-search.ts'
import { api } from '#shared/contract/paths.ts'
import { inDatabase } from '#tests/helpers/database.ts'
import { signUp, startServer, type TestServer } from '#tests/helpers/server.ts'
import { median, type BenchRow } from './report.ts'

/** 100,000 chunks; BENCH_CHUNKS sets another number. */
const CHUNKS = Number(process.env['BENCH_CHUNKS'] ?? 100_000)
const CHUNKS_OF_PAPER = 50
const TERMS_OF_PAPER = 800
const SENTENCES_OF_CHUNK = 2
const RUNS = 40
const PAPERS_AT_ONCE = 20
const DIMENSION = 384

/**
 * Fills a project with papers of generated words and vectors, and searches it over HTTP: embedded, and with TEST_DATABASE_URL on
 * a server.
 */
export async function run(): Promise<BenchRow[]> {
  const modes = process.env['TEST_DATABASE_URL'] ? ([true, false] as const) : ([true] as const)
  const rows: BenchRow[] = []
  for (const embedded of modes) rows.push(...(await measure(embedded)))
  return rows
}

async function measure(embedded: boolean): Promise<BenchRow[]> {
  const server = await startServer({ embedded })
  try {
    const client = await signUp(server.url)
    const { data } = await client.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Library' } })
    const model = await modelName(server, client, data.id)
    // The stored terms are those of the search.
    await inDatabase(server, 'insert into index_pause (is_paused) values (true)')
    const filledAt = performance.now()
    await fill(server, client.userId, data.id, model)
    console.error(`  ${CHUNKS} chunks stored after ${Math.round((performance.now() - filledAt) / 1000)} s`)
    const before = await memory(server)
    const search = (words: string) =>
      client.json<LibrarySearch>(api.search({ q: words, project_id: data.id, limit: 10 }))
    const loadedAt = performance.now()
    await search('w1 w2')
    const first = performance.now() - loadedAt
    const taken: number[] = []
    for (let run = 0; run < RUNS; run++) {
      const words = Array.from({ length: 5 }, (_, index) => `w${(run * 37 + index * index * 11) % 3000}`).join(' ')
      const from = performance.now()
      await search(words)
      taken.push(performance.now() - from)
    }
    const p95 = taken.toSorted((a, b) => a - b)[Math.ceil(taken.length * 0.95) - 1]!
    const name = `${CHUNKS.toLocaleString('en')} chunks, ${embedded ? 'embedded database' : 'PostgreSQL'}`
    return [
      {
        what: `search by words and meaning, ${name}`,
        measured: `p50 ${median(taken).toFixed(0)} ms, p95 ${p95.toFixed(0)} ms`,
        peer: '',
        ratio: '',
        aim: 'p95 ≤ 150 ms',
        note: `${RUNS} searches with five words over HTTP; generated words and vectors`,
      },
      {
        what: `first search and memory, ${name}`,
        measured: `${Math.round(first)} ms, + ${Math.round((await memory(server)) - before)} MB`,
        peer: '',
        ratio: '',
        aim: '+ ≤ 80 MB',
      },
    ]
  } finally {
    await server.stop()
  }
}

/** Returns the name of the model, from a vectorized paper. */
async function modelName(server: TestServer, client: Awaited<ReturnType<typeof signUp>>, project: string) {
  const [row] = await inDatabase(
    server,
    `insert into documents (created_by, project_id, filename, title, abstract) values ($1, $2, 'a.pdf', 'Sleep', 'Naps improve recall of words.') returning id`,
    [client.userId, project],
  )
  const { data } = await client.json<{ data: { id: string } }>(api.documentVectorize(String(row!['id'])), { body: {} })
  await client.job(data.id)
  const [chunk] = await inDatabase(server, 'select model from chunks where dimension > 0 limit 1')
  return String(chunk!['model'])
}

async function fill(server: TestServer, user: string, project: string, model: string): Promise<void> {
  const papers = Math.ceil(CHUNKS / CHUNKS_OF_PAPER)
  const vector = `(select ('[' || string_agg(round((random() - 0.5)::numeric, 4)::text, ',') || ']')::halfvec from generate_series(1, ${DIMENSION}) where c.n is not null)`
  for (let from = 0; from < papers; from += PAPERS_AT_ONCE) {
    await inDatabase(
      server,
      `with papers as (
         insert into documents (created_by, project_id, filename, title, extracted_text, vectorized_at, embedding_model)
         select $1, $2, 'p.pdf', 'Paper ' || n, 'Text', now(), $3 from generate_series(${from + 1}, ${Math.min(papers, from + PAPERS_AT_ONCE)}) n
         returning id, created_by, project_id
       ), added as (
         insert into chunks (document_id, position, content, page_number, page_offset, is_reference, model, dimension, embedding, code)
         select p.id, c.n, repeat('w' || c.n || ' and some more text here. ', 30), 1, c.n * 1000, false, $3, ${DIMENSION}, ${vector},
           '\\x0000003c'::bytea || decode(repeat(md5(random()::text), ${DIMENSION / 16}), 'hex')
         from papers p, generate_series(0, ${CHUNKS_OF_PAPER - 1}) as c(n) returning id, document_id, position, page_offset, embedding
       ), sentences as (
         insert into chunk_sentences (chunk_id, document_id, start_offset, end_offset, embedding)
         select a.id, a.document_id, a.page_offset + s * 27, a.page_offset + s * 27 + 26, a.embedding
         from added a, generate_series(0, ${SENTENCES_OF_CHUNK - 1}) s
       )
       insert into chunk_terms (document_id, project_id, created_by, term, positions, counts, lengths)
       select p.id, p.project_id, p.created_by, t.term, array_agg(t.n), array_agg(2::smallint), array_agg(120::smallint)
       from papers p cross join lateral (
         select distinct 'w' || floor(3000 * power(random(), 3))::int as term, floor(random() * ${CHUNKS_OF_PAPER})::int as n
         from generate_series(1, ${TERMS_OF_PAPER * 4}) where p.id is not null
       ) t group by p.id, p.project_id, p.created_by, t.term`,
      [user, project, model],
    )
    await inDatabase(
      server,
      `update indexed_documents set is_stale = false, chunk_count = ${CHUNKS_OF_PAPER}, term_count = ${CHUNKS_OF_PAPER * 120} where is_stale`,
    )
  }
}

async function memory(server: TestServer): Promise<number> {
  const status = await readFile(`/proc/${server.pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
}
