import { readFile } from 'node:fs/promises'
import { drizzle } from 'drizzle-orm/node-postgres'
import { type SQL, sql } from 'drizzle-orm'
import { Client } from 'pg'
import type { Tx } from '#server/db/client.ts'
import { encodeVector } from '#server/retrieval/vector-code.ts'
import { readChangedCodes } from '#server/search/code-queries.ts'
import type { Place } from '#server/search/scope-queries.ts'
import { VectorCodes } from '#server/search/vector-codes.ts'
import { INDEX_SETTINGS, nearestQuery, SCAN_CANDIDATES } from '#server/search/vector-queries.ts'
import type { TestServer } from '#tests/helpers/server.ts'
import { vectorText } from '#tests/helpers/vectors.ts'
import type { RealSentences } from './real-sentences.ts'
import { median, type BenchRow } from './report.ts'

/**
 * Number of real sentences that are not stored in the library. Search queries are formed from their words, and the recall is
 * measured with their vectors.
 */
export const QUESTIONS = 200
const RECALL_RUNS = 100
const NEAREST = 10
const CANDIDATES = 200

/** The project that is searched, with its server and its user. */
export interface Library {
  chunks: number
  server: TestServer
  user: string
  project: string
  real: RealSentences
}

/** Opens a connection to the server's database as the superuser: on TEST_DATABASE_URL, or to the embedded database. */
export async function connect({ server: { databaseUrl, dataDir } }: Library): Promise<Client> {
  const given = process.env['TEST_DATABASE_URL']
  const address =
    databaseUrl && given ? Object.assign(new URL(given), { pathname: new URL(databaseUrl).pathname }) : null
  const client = new Client(
    address
      ? { connectionString: address.href }
      : { host: await socketOf(dataDir), port: 5432, user: 'postgres', database: 'postgres' },
  )
  await client.connect()
  return client
}

async function socketOf(dataDir: string): Promise<string> {
  const text = await readFile(`${dataDir}/database/process.json`, 'utf8')
  return (JSON.parse(text) as { socketFolder: string }).socketFolder
}

/**
 * Measures the recall of the vector search, with the rights of the user: compares the nearest chunks that it finds with those
 * of an exact scan. The search uses the HNSW index, or in the embedded database the 8-bit vector codes.
 */
export async function measureRecall(library: Library, embedded: boolean): Promise<BenchRow> {
  const { user, project, real } = library
  const client = await connect(library)
  const db = drizzle(client)
  const covered = { scope: { projects: [project], unassignedOf: null }, filter: null }
  const asUser = (statement: SQL, isExact: boolean) =>
    db.transaction(async (tx) => {
      await tx.execute(sql`select set_config('role', (select rolname from pg_roles where rolname like 'lectern_app%'
        and has_table_privilege(rolname, 'chunks', 'select') order by rolname limit 1), true),
        set_config('app.user_id', ${user}, true), set_config('jit', 'off', true)`)
      if (!isExact) await tx.execute(INDEX_SETTINGS)
      const from = performance.now()
      const { rows } = await tx.execute<{ document_id: string; position: number }>(statement)
      return { rows, ms: performance.now() - from }
    })
  const taken: Record<'found' | 'exact', number[]> = { found: [], exact: [] }
  let [strict, among] = [0, 0]
  try {
    const codes = embedded ? await readCodes(db, real) : null
    for (let run = 0; run < RECALL_RUNS; run++) {
      const vector = real.vectors[real.vectors.length - QUESTIONS + run]!
      const query = (isExact: boolean) =>
        nearestQuery(covered, { model: real.model, vector, isExact, limit: CANDIDATES })
      const from = performance.now()
      const byCodes = codes?.nearest(
        vector,
        { ...covered.scope, documents: null, omitted: new Uint8Array() },
        CANDIDATES,
      )
      const found = byCodes ? { rows: byCodes, ms: performance.now() - from } : await asUser(query(false), false)
      const exact = await asUser(query(true), true)
      taken.found.push(found.ms)
      taken.exact.push(exact.ms)
      const nearest = exact.rows.slice(0, NEAREST)
      strict += countCommon(nearest, found.rows.slice(0, NEAREST))
      among += countCommon(nearest, found.rows)
    }
  } finally {
    await client.end()
  }
  return {
    what: `recall@${NEAREST} of ${embedded ? 'the codes' : 'the HNSW index'}, ${library.chunks.toLocaleString('en')} chunks`,
    measured: `${share(strict)}; ${share(among)} among the ${CANDIDATES} candidates; ${median(taken.found).toFixed(1)} ms`,
    peer: `exact scan: ${median(taken.exact).toFixed(0)} ms`,
    ratio: '',
    aim: '≥ 0.98; ≤ 50 ms',
    note: `${RECALL_RUNS} sentences that are not stored, with the rights of the user; each chunk is the mean of four of ${(real.texts.length - QUESTIONS).toLocaleString('en')} real sentences`,
  }
}

const share = (count: number) => (count / (RECALL_RUNS * NEAREST)).toFixed(3)

function countCommon(nearest: readonly Place[], found: readonly Place[]): number {
  const keys = new Set(found.map((row) => `${row.document_id} ${row.position}`))
  return nearest.filter((row) => keys.has(`${row.document_id} ${row.position}`)).length
}

/**
 * Measures the recall for single sentences: compares the nearest sentences by an HNSW index, or by the vector codes of the
 * embedded database, with those of an exact scan. The model computes each of these vectors, whereas the vectors of the chunks
 * are computed from sentence vectors.
 */
export async function measureSentences(library: Library, embedded: boolean): Promise<BenchRow> {
  const { vectors, dimension } = library.real
  const stored = vectors.slice(0, -QUESTIONS)
  const client = embedded ? null : await connect(library)
  const find = client === null ? byCodes(stored, dimension) : await byIndex(client, library, stored)
  let [strict, among] = [0, 0]
  for (const question of vectors.slice(-QUESTIONS).slice(0, RECALL_RUNS)) {
    const cosines = stored.map((vector) => vector.reduce((sum, value, index) => sum + value * question[index]!, 0))
    const nearest = cosines
      .map((_, n) => n)
      .sort((a, b) => cosines[b]! - cosines[a]!)
      .slice(0, NEAREST)
    const found = await find(question)
    strict += nearest.filter((n) => found.slice(0, NEAREST).includes(n)).length
    among += nearest.filter((n) => found.includes(n)).length
  }
  await client?.end()
  return {
    what: `recall@${NEAREST} of ${embedded ? 'the codes' : 'an HNSW index'}, vectors of ${stored.length.toLocaleString('en')} real sentences`,
    measured: `${share(strict)}; ${share(among)} among the ${CANDIDATES} candidates`,
    peer: 'exact scan',
    ratio: '',
    aim: '≥ 0.98',
  }
}

function byCodes(stored: readonly Float32Array[], dimension: number) {
  const codes = new VectorCodes(dimension)
  const position = Buffer.alloc(4)
  const list = stored.map((vector, n) => {
    position.writeInt32BE(n)
    return Buffer.concat([position, encodeVector(vector)])
  })
  codes.put({ id: 'all', project: 'one', creator: null, codes: Buffer.concat(list) })
  const scope = { projects: ['one'], unassignedOf: null, documents: null, omitted: new Uint8Array() }
  return async (vector: Float32Array) => codes.nearest(vector, scope, CANDIDATES).map((place) => place.position)
}

async function byIndex(client: Client, library: Library, stored: readonly Float32Array[]) {
  await client.query(`create temporary table sentences (n int, embedding halfvec(${library.real.dimension}))`)
  for (let from = 0; from < stored.length; from += 500)
    await client.query(
      'insert into sentences select $1::int + at - 1, v::halfvec from unnest($2::text[]) with ordinality as u(v, at)',
      [from, stored.slice(from, from + 500).map(vectorText)],
    )
  await client.query(
    'create index on sentences using hnsw (embedding halfvec_cosine_ops) with (m = 16, ef_construction = 160)',
  )
  await client.query(
    `set hnsw.iterative_scan = 'relaxed_order'; set hnsw.ef_search = ${SCAN_CANDIDATES}; set enable_sort = off`,
  )
  return async (vector: Float32Array) => {
    const { rows } = await client.query<{ n: number }>(
      `select n from sentences order by embedding <=> $1::halfvec limit ${CANDIDATES}`,
      [vectorText(vector)],
    )
    return rows.map(({ n }) => n)
  }
}

async function readCodes(tx: Tx, { model, dimension }: RealSentences): Promise<VectorCodes> {
  const codes = new VectorCodes(dimension)
  for (let change = 0, isComplete = false; !isComplete;) {
    const next = await readChangedCodes(tx, { change, model, dimension })
    for (const document of next.documents) codes.put(document)
    ;({ change, isComplete } = next)
  }
  return codes
}
