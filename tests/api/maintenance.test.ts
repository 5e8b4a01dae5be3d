import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { api } from '#shared/contract/paths.ts'
import { inDatabase } from '#tests/helpers/database.ts'
import { IS_LONG_RUN } from '#tests/helpers/long-run.ts'
import { type Client, signUp, startServer, type TestServer } from '#tests/helpers/server.ts'

/** This file tests VACUUM, ANALYZE and checkpoints of the embedded database while a server uses it. */

const ROWS = 3000
const MEGABYTE = 1024 * 1024

let server: TestServer
let ada: Client
let project: string
let stored = 0
beforeAll(async () => {
  server = await startServer({ embedded: true, env: { EMBEDDED_MAINTENANCE_SECONDS: '1' } })
  ada = await signUp(server.url)
  project = (await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Many' } })).data.id
})
afterAll(() => server.stop())

async function addDocuments(): Promise<void> {
  stored += ROWS
  await inDatabase(
    server,
    `insert into documents (created_by, project_id, filename) select $1, $2, n || '.pdf' from generate_series(1, $3::int) n`,
    [ada.userId, project, ROWS],
  )
}

const analyzedRows = async () =>
  (await inDatabase(server, `select reltuples from pg_class where oid = 'documents'::regclass`))[0]!['reltuples']

/**
 * Sends requests continuously from `places` clients until the returned function is called. Each response must have one of the
 * `statuses`.
 */
function keepAsking(path: string, places: number, statuses = [200]): () => Promise<void> {
  let isOver = false
  const asking = Array.from({ length: places }, async () => {
    while (!isOver) expect(statuses).toContain((await ada.fetch(path)).status)
  })
  return async () => {
    isOver = true
    await Promise.all(asking)
  }
}

describe('the embedded database', () => {
  it('The embedded database analyzes changed tables while the server polls it and health probes arrive', async () => {
    // On a busy machine the database answers the probe after its limit of three seconds.
    const stop = keepAsking('/readyz', 1, [200, 503])
    await addDocuments()
    await expect.poll(analyzedRows, { timeout: 60_000 }).toBe(stored)
    await stop()
  })

  it.runIf(IS_LONG_RUN)('The embedded database analyzes changed tables under constant use', async () => {
    const stop = keepAsking(api.documents({ project_id: project, limit: 20 }), 4)
    await addDocuments()
    await expect.poll(analyzedRows, { timeout: 60_000 }).toBe(stored)
    await stop()
  })

  it.runIf(IS_LONG_RUN)('The embedded database limits the write-ahead log', async () => {
    const figure = async (query: string) => Number((await inDatabase(server, query))[0]!['figure'])
    const written = () => figure(`select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as figure`)
    const before = await written()
    await inDatabase(server, 'create table filler (content text)')
    for (let part = 0; part < 4; part += 1)
      await inDatabase(server, `insert into filler select repeat('x', 1000) from generate_series(1, 40000)`)
    expect((await written()) - before).toBeGreaterThan(150 * MEGABYTE)
    await expect
      .poll(() => figure('select sum(size) as figure from pg_ls_waldir()'), { timeout: 60_000 })
      .toBeLessThan(100 * MEGABYTE)
    await inDatabase(server, 'drop table filler')
  })
})
