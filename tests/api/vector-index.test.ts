import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import { sql, type SQL } from 'drizzle-orm'
import { Client as Connection } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { vectorIndexName } from '#server/retrieval/vector-index.ts'
import { documentFilter } from '#server/search/filter-queries.ts'
import { INDEX_SETTINGS, nearestQuery } from '#server/search/vector-queries.ts'
import { librarySearchQuery } from '#shared/contract/library-search.ts'
import { api } from '#shared/contract/paths.ts'
import { fillVectors, nearTo } from '#tests/helpers/vectors.ts'
import { inDatabase } from '#tests/helpers/database.ts'
import { type Client, signUp, startServer, type TestServer } from '#tests/helpers/server.ts'

const PAPERS = 100
const CHUNKS = 40
const QUERIES = 10
const NEAREST = 10

describe.runIf(process.env['TEST_DATABASE_URL'])('the HNSW index on PostgreSQL', () => {
  let server: TestServer
  let ada: Client
  let project: string
  let connection: Connection
  let db: NodePgDatabase
  beforeAll(async () => {
    server = await startServer()
    ada = await signUp(server.url)
    project = (await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Vectors' } })).data.id
    const other = await signUp(server.url)
    const foreign = (await other.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Others' } })).data.id
    // The index is paused, so that it does not replace the stored chunks: the papers have no text.
    await inDatabase(server, 'insert into index_pause (is_paused) values (true)')
    await fillVectors(server, { user: ada.userId, project, papers: PAPERS, chunks: CHUNKS, tagged: 60 })
    await fillVectors(server, { user: other.userId, project: foreign, papers: 5, chunks: CHUNKS, tagged: 0 })
    // A server builds the missing indexes after its start.
    await server.restart()
    connection = new Connection({ connectionString: server.databaseUrl! })
    await connection.connect()
    db = drizzle(connection)
    while ((await connection.query(BUILT)).rows.length === 0) await new Promise((resume) => setTimeout(resume, 100))
  })
  afterAll(async () => {
    await connection.end()
    await server.stop()
  })

  /**
   * Runs a statement as a search of the user Ada does: with the role of requests and, unless `isExact`, the settings for the
   * index.
   */
  const asAda = <T extends Record<string, unknown>>(isExact: boolean, statement: SQL) =>
    db.transaction(async (tx) => {
      await tx.execute(sql`select set_config('role', (select rolname from pg_roles where rolname like 'lectern_app%'
        and has_table_privilege(rolname, 'chunks', 'select') order by rolname desc limit 1), true),
        set_config('app.user_id', ${ada.userId}, true)`)
      if (!isExact) await tx.execute(INDEX_SETTINGS)
      return (await tx.execute<T>(statement)).rows
    })

  it.each([
    ['without a filter', {}],
    ['with a filter', { tag: 'chosen' }],
  ])(
    'A search %s uses the index under row-level security and finds the nearest chunks (LIB-24, LIB-25)',
    async (_, query) => {
      const filter = documentFilter(librarySearchQuery.parse({ q: 'x', ...query }), [], [])
      const covered = { scope: { projects: [project], unassignedOf: null }, filter }
      const of = (isExact: boolean, seed: number) =>
        nearestQuery(covered, { model: 'test', vector: nearTo(seed), isExact, limit: 200 })
      const [plan] = await asAda<{ 'QUERY PLAN': unknown }>(false, sql`explain (format json) ${of(false, 1)}`)
      expect(JSON.stringify(plan).match(/"Index Name":"[^"]*"/g)).toContainEqual(
        expect.stringContaining('chunks_nearest_384_'),
      )
      const [exact] = await asAda<{ 'QUERY PLAN': unknown }>(true, sql`explain (format json) ${of(true, 1)}`)
      expect(JSON.stringify(exact)).not.toContain('chunks_nearest')
      let common = 0
      for (let seed = 1; seed <= QUERIES; seed += 1) {
        const found = await asAda(false, of(false, seed))
        expect(found).toHaveLength(200)
        const names = new Set(found.slice(0, NEAREST).map((row) => JSON.stringify(row)))
        const nearest = (await asAda(true, of(true, seed))).slice(0, NEAREST)
        common += nearest.filter((row) => names.has(JSON.stringify(row))).length
      }
      expect(common / (QUERIES * NEAREST)).toBeGreaterThanOrEqual(0.95)
    },
  )
})

describe.runIf(process.env['TEST_DATABASE_URL'])('a build of the HNSW index on PostgreSQL', () => {
  let server: TestServer
  let ada: Client
  let project: string
  let connections: Connection[]
  beforeAll(async () => {
    server = await startServer()
    ada = await signUp(server.url)
    project = (await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Vectors' } })).data.id
    await inDatabase(server, 'insert into index_pause (is_paused) values (true)')
    await fillVectors(server, { user: ada.userId, project, papers: 51, chunks: CHUNKS, tagged: 0 })
    // The chunks with vectors stay, and the server indexes new papers.
    await inDatabase(server, 'update indexed_documents set is_stale = false')
    await inDatabase(server, 'delete from index_pause')
  })
  afterAll(() => server.stop())
  beforeEach(async () => {
    connections = []
    await inDatabase(server, `drop index if exists ${vectorIndexName('test', 384)}`)
  })
  afterEach(() => Promise.all(connections.map((one) => one.end())))

  async function connect() {
    const connection = new Connection({ connectionString: server.databaseUrl! })
    connections.push(connection)
    await connection.connect()
    return connection
  }
  /** Starts a transaction for which each build of an index on the chunks waits. Returns its connection. */
  async function blockBuilds() {
    const blocker = await connect()
    await blocker.query('begin; lock table chunks in row exclusive mode')
    return blocker
  }
  const isBuilding = async () => (await inDatabase(server, UNFINISHED)).length > 0
  /** Waits until a server has begun to build an index. */
  async function untilBuilding() {
    await expect.poll(isBuilding, { timeout: 60_000 }).toBe(true)
  }
  /** Adds a paper and waits until it is in the index of passages. */
  async function addIndexedPaper() {
    const [paper] = await inDatabase(
      server,
      `insert into documents (created_by, project_id, filename, title) values ($1, $2, 'k.pdf', 'Kestrels') returning id`,
      [ada.userId, project],
    )
    const indexed = 'select 1 from indexed_documents where document_id = $1 and not is_stale'
    await expect.poll(() => inDatabase(server, indexed, [paper!['id']]), { timeout: 60_000 }).toHaveLength(1)
  }

  it('A server does not disturb the build of another server, and does not wait for it (LIB-24)', async () => {
    const blocker = await blockBuilds()
    const other = await connect()
    await other.query(`select pg_advisory_lock(hashtext('lectern:vector-index'))`)
    const build = other.query(`create index concurrently ${vectorIndexName('test', 384)} on chunks
      using hnsw ((embedding::halfvec(384)) halfvec_cosine_ops) where model = 'test' and dimension = 384`)
    await untilBuilding()
    await server.restart()
    await addIndexedPaper()
    await blocker.query('rollback')
    await build
    expect(await inDatabase(server, BUILT)).toHaveLength(1)
  })

  it('A server indexes papers while it builds the index, and ends the build when it stops (LIB-24, LIB-27)', async () => {
    const blocker = await blockBuilds()
    await server.restart()
    await untilBuilding()
    await addIndexedPaper()
    await server.kill('SIGTERM')
    const statements = `select query from pg_stat_activity where datname = current_database() and query like 'create index%'`
    expect(await inDatabase(server, statements)).toEqual([])
    await blocker.query('rollback')
  })
})

const UNFINISHED = `select 1 from pg_index i join pg_class c on c.oid = i.indexrelid where c.relname like 'chunks_nearest_384%' and not i.indisvalid`
const BUILT = `select 1 from pg_index i join pg_class c on c.oid = i.indexrelid where c.relname like 'chunks_nearest_384%' and i.indisvalid`
