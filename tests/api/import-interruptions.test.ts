import { Client as Database } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DocumentDetail } from '#shared/contract/documents.ts'
import type { ImportDetail, ImportRow } from '#shared/contract/imports.ts'
import type { Job } from '#shared/contract/jobs.ts'
import { api } from '#shared/contract/paths.ts'
import { IS_LONG_RUN } from '#tests/helpers/long-run.ts'
import { importForm, importReferences } from '#tests/helpers/reference-file.ts'
import { type Client, signUp, startServer, type TestServer } from '#tests/helpers/server.ts'

const RECORDS = 3000
/** Number of records that an import stores before its next transaction must wait for the lock that the test holds. */
const STORED = 800
const LOCK = 42
const NO_SERVICE = 'http://127.0.0.1:9'

let server: TestServer
let ada: Client
let database: Database
beforeAll(async () => {
  // No service has an open-access PDF.
  server = await startServer({ env: { UNPAYWALL_URL: NO_SERVICE, OPENALEX_URL: NO_SERVICE, CROSSREF_URL: NO_SERVICE } })
  ada = await signUp(server.url)
  database = new Database({ connectionString: server.databaseUrl })
  await database.connect()
  await database.query(`
    create function wait_for_test() returns trigger language plpgsql as $$
    begin perform pg_advisory_xact_lock(${LOCK}); return new; end $$;
    create trigger wait_for_test before update on imports for each row when (new.read_count > ${STORED})
      execute function wait_for_test()`)
})
afterAll(async () => {
  await database?.end()
  await server?.stop()
})

/** Returns a RIS file with `length` records. */
const records = (length: number) =>
  Array.from({ length }, (_, n) =>
    [
      'TY  - JOUR',
      `TI  - Evening walks and the sleep of group ${n} of a register`,
      'PY  - 2020',
      `DO  - 10.5555/walk.${n}`,
      'ER  - ',
      '',
    ].join('\r\n'),
  ).join('')

/** Takes the lock and starts an import. Waits until STORED records are stored and the next transaction waits for the lock. */
async function importUntilStored(): Promise<{ project: string; job: Job; id: string }> {
  const { data: project } = await ada.json<{ data: { id: string } }>(api.projects(), {
    body: { name: crypto.randomUUID() },
  })
  await database.query(`select pg_advisory_lock(${LOCK})`)
  const form = importForm({ 'walks.ris': records(RECORDS) }, { project_id: project.id })
  const response = await ada.fetch(api.imports(), { method: 'POST', body: form })
  const { data: job } = (await response.json()) as { data: Job }
  await expect.poll(() => waiting('advisory'), { timeout: 60_000, interval: 50 }).toBe(1)
  const { data: rows } = await ada.json<{ data: ImportRow[] }>(api.imports({ project_id: project.id }))
  expect(rows).toMatchObject([{ state: 'running', read_count: STORED }])
  return { project: project.id, job, id: rows[0]!.id }
}

/**
 * Returns the number of transactions that wait: 'advisory' for the lock of the test, 'transactionid' for a row that another
 * transaction has locked.
 */
async function waiting(kind: 'advisory' | 'transactionid'): Promise<number> {
  const { rows } = await database.query<{ n: number }>(
    `select count(*)::int as n from pg_locks l join pg_stat_activity using (pid)
      where datname = current_database() and not l.granted and locktype = $1 and ($1 <> 'advisory' or l.objid = ${LOCK})`,
    [kind],
  )
  return rows[0]!.n
}

const release = () => database.query(`select pg_advisory_unlock_all()`)

async function countRows(project: string, id: string) {
  const { rows } = await database.query<Record<'papers' | 'dois' | 'records' | 'positions', number>>(
    `select (select count(*)::int from documents where project_id = $1 and deleted_at is null) as papers,
      (select count(distinct doi_key)::int from documents where project_id = $1) as dois,
      count(*)::int as records, count(distinct position)::int as positions from import_records where import_id = $2`,
    [project, id],
  )
  return rows[0]!
}

const detail = async (id: string) => (await ada.json<{ data: ImportDetail }>(api.import(id))).data

async function expectUndo(project: string, id: string, papers: number): Promise<void> {
  const { data } = await ada.json<{ data: { deleted: number; stays: number } }>(api.import(id), { method: 'DELETE' })
  expect(data).toMatchObject({ deleted: papers, stays: 0 })
  expect(await countRows(project, id)).toMatchObject({ papers: 0, records: papers })
}

describe.skipIf(!process.env['TEST_DATABASE_URL'])('an import that is interrupted', () => {
  it('A cancelled import keeps the records so far, is shown as cancelled, and can be undone (FMT-05, FMT-07)', async () => {
    const { project, job, id } = await importUntilStored()
    let isAnswered = false
    const cancelled = ada.json<{ data: Job }>(api.jobCancel(job.id), { body: {} }).finally(() => (isAnswered = true))
    // The cancellation may wait for the transaction.
    await expect.poll(async () => isAnswered || (await waiting('transactionid')) > 0, { timeout: 60_000 }).toBe(true)
    await release()
    expect((await cancelled).data).toMatchObject({ status: 'failed', error: 'Cancelled' })
    await ada.job(job.id)
    await expect.poll(async () => (await detail(id)).state).toBe('cancelled')
    const { read_count, created_count } = await detail(id)
    expect(read_count).toBeGreaterThanOrEqual(STORED)
    expect(read_count).toBeLessThan(RECORDS)
    expect(created_count).toBe(read_count)
    const n = read_count
    expect(await countRows(project, id)).toEqual({ papers: n, dois: n, records: n, positions: n })
    await expectUndo(project, id, n)
  })

  it('An import of a member who deletes the account while it waits is shown as cancelled, and can be undone (FMT-05, FMT-07)', async () => {
    const { project, job } = await importUntilStored()
    const eve = await signUp(server.url)
    const member = `insert into project_members (project_id, user_id, role) values ($1, $2, 'editor')`
    await database.query(member, [project, eve.userId])
    // It waits for the import of Ada into the same project.
    const form = importForm({ 'naps.ris': records(1) }, { project_id: project })
    expect((await eve.fetch(api.imports(), { method: 'POST', body: form })).status).toBe(202)
    const { data: rows } = await ada.json<{ data: ImportRow[] }>(api.imports({ project_id: project }))
    const { id } = rows.find(({ filename }) => filename === 'naps.ris')!
    await eve.json(api.account(), { method: 'DELETE', body: { password: eve.password } })
    expect(await detail(id)).toMatchObject({ state: 'cancelled', error: null })
    await release()
    await ada.job(job.id)
    expect(await detail(id)).toMatchObject({ state: 'cancelled', read_count: 0 })
    expect((await ada.fetch(api.import(id), { method: 'DELETE' })).status).toBe(200)
  })

  it('An undo that was interrupted is completed by another one (FMT-07)', async () => {
    const { data: project } = await ada.json<{ data: { id: string } }>(api.projects(), {
      body: { name: crypto.randomUUID() },
    })
    const { result } = await importReferences(ada, project.id, { 'walks.ris': records(3) })
    const id = (result as { import_ids: string[] }).import_ids[0]!
    const undo = () => ada.fetch(api.import(id), { method: 'DELETE' })
    await database.query(`
      create function refuse_deletion() returns trigger language plpgsql as $$ begin raise 'interrupted'; end $$;
      create trigger refuse_deletion before update of deleted_at on documents for each row
        when (new.project_id = '${project.id}') execute function refuse_deletion()`)
    expect((await undo()).status).toBe(500)
    await database.query('drop function refuse_deletion cascade')
    const before = await detail(id)
    expect(before).toMatchObject({ undone_at: expect.any(String), undo: { deleted: 3, stays: 0 } })
    await expectUndo(project.id, id, 3)
    expect((await detail(id)).undone_at).toBe(before.undone_at)
    expect((await undo()).status).toBe(409)
  })

  it('An edit of a paper that is stored together with an import stays, and the import fills the other fields (FMT-47)', async () => {
    const { data: project } = await ada.json<{ data: { id: string } }>(api.projects(), {
      body: { name: crypto.randomUUID() },
    })
    await importReferences(ada, project.id, { 'walks.ris': records(1) })
    const editor = new Database({ connectionString: server.databaseUrl })
    await editor.connect()
    await editor.query('begin')
    const { rows } = await editor.query<{ id: string }>(
      `update documents set abstract = 'Typed.', reference = reference || '{"abstract": "Typed."}', edited_fields = '{abstract}'
        where project_id = $1 returning id`,
      [project.id],
    )
    const second = records(1).replace('ER  - ', 'AB  - Imported.\r\nIS  - 4\r\nER  - ')
    const job = importReferences(ada, project.id, { 'second.ris': second })
    await expect.poll(() => waiting('transactionid'), { timeout: 60_000, interval: 50 }).toBeGreaterThan(0)
    await editor.query('commit')
    await editor.end()
    expect(await job).toMatchObject({ status: 'completed', result: { created: 0, joined: 1 } })
    const { data: paper } = await ada.json<{ data: DocumentDetail }>(api.document(rows[0]!.id))
    expect(paper).toMatchObject({ abstract: 'Typed.', reference: { abstract: 'Typed.', issue: '4' } })
  })

  it('An import whose paper is deleted while it queues the searches for PDFs completes without this paper', async () => {
    const { data: project } = await ada.json<{ data: { id: string } }>(api.projects(), {
      body: { name: crypto.randomUUID() },
    })
    await database.query(`
      create trigger wait_for_test before insert on jobs for each row when (new.kind = 'fetch')
        execute function wait_for_test();
      select pg_advisory_lock(${LOCK})`)
    const form = importForm({ 'walks.ris': records(2) }, { project_id: project.id, fetch_pdfs: 'true' })
    const response = await ada.fetch(api.imports(), { method: 'POST', body: form })
    const { data: job } = (await response.json()) as { data: Job }
    await expect.poll(() => waiting('advisory'), { timeout: 60_000, interval: 50 }).toBe(1)
    // The searches are queued in the order of the ids, so the second paper is not read yet.
    const { rows } = await database.query<{ id: string }>(
      'select id from documents where project_id = $1 order by id',
      [project.id],
    )
    await ada.json(api.document(rows[1]!.id), { method: 'DELETE' })
    await release()
    expect(await ada.job(job.id)).toMatchObject({ status: 'completed', result: { created: 2 } })
    await database.query('drop trigger wait_for_test on jobs')
    const { rows: searches } = await database.query(
      `select document_id from jobs where project_id = $1 and kind = 'fetch'`,
      [project.id],
    )
    expect(searches).toEqual([{ document_id: rows[0]!.id }])
  })

  it.runIf(IS_LONG_RUN)(
    'An import continues after SIGKILL of the server, without a second paper or record, and can be undone (FMT-05, FMT-07)',
    async () => {
      const { project, job, id } = await importUntilStored()
      await server.kill('SIGKILL')
      await release()
      await server.restart()
      expect(await ada.job(job.id)).toMatchObject({
        status: 'completed',
        result: { read: RECORDS, created: RECORDS, joined: 0, failed: 0 },
      })
      expect(await detail(id)).toMatchObject({ state: 'done', read_count: RECORDS, created_count: RECORDS })
      expect(await countRows(project, id)).toEqual({
        papers: RECORDS,
        dois: RECORDS,
        records: RECORDS,
        positions: RECORDS,
      })
      await expectUndo(project, id, RECORDS)
    },
  )
})
