import { readFile } from 'node:fs/promises'
import { Client } from 'pg'
import { encodeVector } from '#server/retrieval/vector-code.ts'
import type { LibrarySearch } from '#shared/contract/library-search.ts'
import { api } from '#shared/contract/paths.ts'
import { inDatabase } from '#tests/helpers/database.ts'
import { signUp, startServer, type TestServer } from '#tests/helpers/server.ts'
import { nearTo, vectorText } from '#tests/helpers/vectors.ts'
import { median, type BenchRow } from './report.ts'

/** 100,000 chunks; BENCH_CHUNKS sets another number. */
const CHUNKS = Number(process.env['BENCH_CHUNKS'] ?? 100_000)
const CHUNKS_OF_PAPER = 50
const TERMS_OF_PAPER = 800
const SENTENCES_OF_CHUNK = 2
const RUNS = 40
const PAPERS_AT_ONCE = 20
const DIMENSION = 384
/** Topics of the vectors: twenty chunks have one. */
const TOPICS = Math.ceil(CHUNKS / 20)
const NEAREST = 10

/**
 * Fills a project with papers of generated words and vectors, and searches it over HTTP: on the server of TEST_DATABASE_URL, or
 * without it embedded.
 */
export const run = (): Promise<BenchRow[]> => measure(process.env['TEST_DATABASE_URL'] === undefined)

async function measure(embedded: boolean): Promise<BenchRow[]> {
  const server = await startServer({ embedded })
  try {
    const client = await signUp(server.url)
    const { data } = await client.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Bench' } })
    const model = await modelName(server, client, data.id)
    // The stored terms are those of the search.
    await inDatabase(server, 'insert into index_pause (is_paused) values (true)')
    const filledAt = performance.now()
    await fill(server, client.userId, data.id, model)
    console.error(`  ${CHUNKS} chunks stored after ${Math.round((performance.now() - filledAt) / 1000)} s`)
    const built = embedded ? null : await buildIndex(server)
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
      ...(built === null ? [] : [built, await measureRecall(server, model)]),
    ]
  } finally {
    await server.stop()
  }
}

/** Restarts the server, which builds the HNSW index then, and waits for the index. */
async function buildIndex(server: TestServer): Promise<BenchRow> {
  const from = performance.now()
  await server.restart()
  while (
    (
      await inDatabase(
        server,
        `select 1 from pg_index where indrelid = 'chunks'::regclass and indisvalid
      and indexrelid::regclass::text like 'chunks_nearest%'`,
      )
    ).length === 0
  )
    await new Promise((resume) => setTimeout(resume, 500))
  return {
    what: `HNSW index of ${CHUNKS.toLocaleString('en')} chunks, PostgreSQL`,
    measured: `${Math.round((performance.now() - from) / 1000)} s`,
    peer: '',
    ratio: '',
    aim: '≤ 20 min for 1,000,000',
    note: 'with the restart of the server',
  }
}

/** Compares the ten nearest chunks by the index with those of an exact scan, as the system. */
async function measureRecall(server: TestServer, model: string): Promise<BenchRow> {
  const connection = new Client({ connectionString: server.databaseUrl! })
  await connection.connect()
  const taken: Record<'index' | 'exact', number[]> = { index: [], exact: [] }
  let common = 0
  try {
    await connection.query(`set hnsw.iterative_scan = 'relaxed_order'; set hnsw.ef_search = 200`)
    const nearest = async (kind: 'index' | 'exact', given: string) => {
      await connection.query(
        `set enable_sort = ${kind === 'index' ? 'off' : 'on'}; set enable_indexscan = ${kind === 'index' ? 'on' : 'off'}`,
      )
      const from = performance.now()
      const { rows } = await connection.query<{ id: string }>(
        `select id from chunks where model = '${model.replaceAll("'", "''")}' and dimension = ${DIMENSION}
          order by embedding::halfvec(${DIMENSION}) <=> $1::halfvec(${DIMENSION}) limit ${kind === 'index' ? 200 : NEAREST}`,
        [given],
      )
      taken[kind].push(performance.now() - from)
      return rows.slice(0, NEAREST).map(({ id }) => id)
    }
    for (let run = 0; run < RUNS; run++) {
      const given = vectorText(nearTo(CHUNKS + run * 7, TOPICS))
      const found = new Set(await nearest('index', given))
      common += (await nearest('exact', given)).filter((id) => found.has(id)).length
    }
  } finally {
    await connection.end()
  }
  return {
    what: `recall@${NEAREST} of the HNSW index, ${CHUNKS.toLocaleString('en')} chunks`,
    measured: `${(common / (RUNS * NEAREST)).toFixed(3)}; ${median(taken.index).toFixed(1)} ms`,
    peer: `exact scan: ${median(taken.exact).toFixed(0)} ms`,
    ratio: '',
    aim: '≥ 0.98; ≤ 50 ms',
    note: `${RUNS} queries; generated vectors in ${TOPICS.toLocaleString('en')} topics`,
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
  for (let from = 0; from < papers; from += PAPERS_AT_ONCE) {
    const count = Math.min(papers - from, PAPERS_AT_ONCE)
    const vectors = Array.from({ length: count * CHUNKS_OF_PAPER }, (_, n) =>
      nearTo(from * CHUNKS_OF_PAPER + n, TOPICS),
    )
    await inDatabase(
      server,
      `with papers as (
         insert into documents (created_by, project_id, filename, title, extracted_text, vectorized_at, embedding_model)
         select $1, $2, 'p.pdf', 'Paper ' || n, 'Text', now(), $3 from generate_series(1, ${count}) n
         returning id, created_by, project_id
       ), numbered as (select id, row_number() over () - 1 as n from papers
       ), vectors as (
         select vector, code, at - 1 as at from unnest($4::text[], $5::text[]) with ordinality as u(vector, code, at)
       ), added as (
         insert into chunks (document_id, position, content, page_number, page_offset, is_reference, model, dimension, embedding, code)
         select p.id, c.n, repeat('w' || c.n || ' and some more text here. ', 30), 1, c.n * 1000, false, $3, ${DIMENSION}, v.vector::halfvec,
           decode(v.code, 'hex')
         from numbered p cross join generate_series(0, ${CHUNKS_OF_PAPER - 1}) as c(n)
         join vectors v on v.at = p.n * ${CHUNKS_OF_PAPER} + c.n returning id, document_id, position, page_offset, embedding
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
      [user, project, model, vectors.map(vectorText), vectors.map((vector) => encodeVector(vector).toString('hex'))],
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
