import { readFile } from 'node:fs/promises'
import { Client as Postgres } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AuditEntry } from '#shared/contract/audit.ts'
import type { Job } from '#shared/contract/jobs.ts'
import { api } from '#shared/contract/paths.ts'
import { ACCOUNT_DISABLED, LAST_ADMIN, type Person } from '#shared/contract/people.ts'
import type { Profile } from '#shared/contract/profiles.ts'
import { onePagePdf } from '#tests/helpers/one-page-pdf.ts'
import { type Client, signIn, signUp, startServer, type TestServer } from '#tests/helpers/server.ts'

/** The advisory lock that stops the cancellation of jobs in a test. */
const LOCK = 43

let server: TestServer
let root: Client
let ada: Client
let eve: Client
beforeAll(async () => {
  server = await startServer()
  root = await signUp(server.url, { email: 'root@example.org' })
  ada = await signUp(server.url, { email: 'ada_100@example.org' })
  eve = await signUp(server.url, { email: 'eve@example.net' })
  await ada.json(api.profile(ada.userId), { method: 'PATCH', body: { full_name: 'Ada 100%' } })
})
afterAll(() => server.stop())

const people = (params: Parameters<typeof api.adminPeople>[0] = {}) =>
  root.json<{ data: Person[]; count: number }>(api.adminPeople(params))
const emails = async (params: Parameters<typeof api.adminPeople>[0]) =>
  (await people(params)).data.map(({ email }) => email)
const audit = (params: Parameters<typeof api.adminAudit>[0] = {}) =>
  root.json<{ data: AuditEntry[]; count: number }>(api.adminAudit(params))
/** Changes a user with the rights of `client`. Returns the status, the changed user and the error message. */
async function change(client: Client, id: string, body: object) {
  const answer = await client.fetch(api.adminPerson(id), {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const answered = (await answer.json()) as { data?: Person; error?: { message: string } }
  return { status: answer.status, data: answered.data, message: answered.error?.message }
}
const enter = (body: object) =>
  fetch(server.url + api.signIn(), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

describe('the people', () => {
  it('The users are listed with their real addresses, their rights and their last visit (ADMU-03, ADMU-06, ADMU-07)', async () => {
    const { data, count } = await people()
    expect(count).toBe(3)
    expect(data.map(({ email, full_name, is_admin }) => [email, full_name, is_admin])).toEqual([
      ['ada_100@example.org', 'Ada 100%', false],
      ['eve@example.net', 'eve', false],
      ['root@example.org', 'root', true],
    ])
    for (const one of data) {
      expect(Object.keys(one).toSorted()).toEqual(
        [
          'avatar_url',
          'created_at',
          'disabled_at',
          'email',
          'full_name',
          'id',
          'is_admin',
          'last_sign_in_at',
        ].toSorted(),
      )
      expect(Date.parse(one.last_sign_in_at!)).toBeGreaterThanOrEqual(Date.parse(one.created_at))
    }
    const own = await eve.json<{ data: Profile }>(api.profile(eve.userId))
    expect(Object.keys(own.data)).not.toContain('disabled_at')
  })

  it('The users are searched, filtered, sorted and paged by the database', async () => {
    expect(await emails({ search: 'example.ORG' })).toEqual(['ada_100@example.org', 'root@example.org'])
    // Wildcards of LIKE match only themselves.
    expect(await emails({ search: 'ada_' })).toEqual(['ada_100@example.org'])
    expect(await emails({ search: '_da' })).toEqual([])
    expect(await emails({ search: '%' })).toEqual(['ada_100@example.org'])
    expect(await emails({ show: 'admins' })).toEqual(['root@example.org'])
    expect(await emails({ show: 'users', order_by: 'created_at.desc' })).toEqual([
      'eve@example.net',
      'ada_100@example.org',
    ])
    expect(await people({ limit: 2, page: 2 })).toMatchObject({ count: 3, data: [{ email: 'root@example.org' }] })
    expect((await root.fetch(api.adminPeople({ order_by: 'is_admin' }))).status).toBe(400)
  })
})

describe('the admin right', () => {
  it('The admin right is granted and removed by admins, and changes at once (SEC-07, API-20)', async () => {
    expect((await ada.fetch(api.adminPeople())).status).toBe(403)
    expect(await change(root, ada.userId, { is_admin: true })).toMatchObject({ status: 200, data: { is_admin: true } })
    expect((await ada.fetch(api.adminPeople())).status).toBe(200)
    const followed = (await ada.fetch(api.adminUpdateJournalsStatus())).body!.getReader()
    await followed.read()
    expect(await change(ada, ada.userId, { is_admin: false })).toMatchObject({ status: 200, data: { is_admin: false } })
    expect((await ada.fetch(api.adminPeople())).status).toBe(403)
    // Without the admin right, the stream of the journal update ends.
    for (;;) if ((await followed.read()).done) break
    expect(await change(root, 'unknown', { is_admin: true })).toMatchObject({
      status: 404,
      message: 'Account not found',
    })
    expect((await change(root, ada.userId, { is_admin: true, disabled: true })).status).toBe(422)
    expect((await change(root, ada.userId, {})).status).toBe(422)
  })

  it('The admin right cannot be removed from the last admin, also not by two calls at the same time (ADMU-09, SEC-07)', async () => {
    expect(await change(root, root.userId, { is_admin: false })).toMatchObject({ status: 422, message: LAST_ADMIN })
    await change(root, ada.userId, { is_admin: true })
    const both = await Promise.all([
      change(root, ada.userId, { is_admin: false }),
      change(ada, root.userId, { is_admin: false }),
    ])
    // The second of the two calls comes from a user who is no longer an admin.
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 403]))
    const winner = both[0].status === 200 ? root : ada
    const loser = winner === root ? ada : root
    await change(winner, loser.userId, { is_admin: true })
    // A disabled admin does not count.
    await change(winner, loser.userId, { disabled: true })
    expect(await change(winner, winner.userId, { is_admin: false })).toMatchObject({ status: 422, message: LAST_ADMIN })
    await change(winner, loser.userId, { disabled: false })
    root = await signIn(server.url, { email: root.email })
    ada = await signIn(server.url, { email: ada.email })
    await change(root, ada.userId, { is_admin: false })
    expect(await emails({ show: 'admins' })).toEqual(['root@example.org'])
  })
})

describe('a disabled account', () => {
  it('A disabled account loses its sessions, streams and jobs at once, and can sign in again when it is enabled', async () => {
    const { data: project } = await eve.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Naps' } })
    const scan = await readFile(new URL('../fixtures/paper-scan.pdf', import.meta.url))
    const document = await eve.upload(project.id, new File([scan], 'scan.pdf', { type: 'application/pdf' }))
    const { data: job } = await eve.json<{ data: Job }>(api.documentExtract(document.id), { body: { method: 'ocr' } })
    const stream = await eve.fetch(api.events())
    const reader = stream.body!.getReader()
    expect(new TextDecoder().decode((await reader.read()).value)).toContain('retry:')

    expect(await change(root, root.userId, { disabled: true })).toMatchObject({
      status: 422,
      message: 'You cannot disable your own account. Ask another admin to do it.',
    })
    const { status, data } = await change(root, eve.userId, { disabled: true })
    expect([status, typeof data?.disabled_at]).toEqual([200, 'string'])
    expect(await emails({ show: 'disabled' })).toEqual(['eve@example.net'])

    for (const path of [api.projects(), api.events(), api.job(job.id), api.sessions()])
      expect([path, (await eve.fetch(path)).status]).toEqual([path, 401])
    expect(await (await eve.fetch(api.session())).json()).toBeNull()
    for (;;) if ((await reader.read()).done) break

    const refused = await enter({ email: eve.email, password: eve.password })
    expect([refused.status, await refused.json()]).toEqual([
      403,
      {
        code: 'ACCOUNT_DISABLED',
        message: ACCOUNT_DISABLED,
        error: { code: 'account_disabled', message: ACCOUNT_DISABLED },
      },
    ])
    expect(refused.headers.get('set-auth-token')).toBeNull()
    // The refusal of a wrong password does not reveal that the account is disabled.
    expect((await enter({ email: eve.email, password: 'wrong password' })).status).toBe(401)

    expect(await change(root, eve.userId, { disabled: false })).toMatchObject({
      status: 200,
      data: { disabled_at: null },
    })
    expect((await eve.fetch(api.projects())).status).toBe(401)
    eve = await signIn(server.url, { email: eve.email })
    expect(await eve.job(job.id)).toMatchObject({ status: 'failed', error: 'Cancelled' })
  })
})

describe('the audit log', () => {
  it('The audit log stores actor, action and target, the latest first, and is searched, filtered and paged', async () => {
    const { data, count } = await audit({ search: 'eve@example' })
    expect(count).toBe(2)
    expect(data.map(({ action, actor, person }) => [action, actor?.email, person?.email])).toEqual([
      ['person.enabled', 'root@example.org', 'eve@example.net'],
      ['person.disabled', 'root@example.org', 'eve@example.net'],
    ])
    const all = await audit({ kind: 'person' })
    expect(all.count).toBeGreaterThanOrEqual(9)
    expect((await audit({ kind: 'journal' })).count).toBe(0)
    const today = new Date().toISOString().slice(0, 10)
    expect((await audit({ from: today, to: today })).count).toBe(all.count)
    const last = all.data[0]!.created_at
    expect((await audit({ from: last })).data[0]).toEqual(all.data[0])
    expect((await audit({ from: new Date(Date.parse(last) + 1).toISOString() })).count).toBe(0)
    expect((await root.fetch(api.adminAudit({ from: '0000-01-01T00:00:00Z' }))).status).toBe(400)
    expect((await audit({ to: '2020-01-01' })).count).toBe(0)
    const second = await audit({ kind: 'person', limit: 2, page: 2 })
    expect(second.data).toEqual(all.data.slice(2, 4))
    // A call without a change is not recorded.
    await change(root, eve.userId, { disabled: false })
    expect((await audit()).count).toBe(all.count)
  })

  it('The audit log keeps its entries, without a name, when an account is deleted', async () => {
    await eve.json(api.account(), { method: 'DELETE', body: { password: eve.password } })
    const { data } = await audit()
    expect(data.slice(0, 2).map(({ action, subject_id, person }) => [action, subject_id, person])).toEqual([
      ['person.enabled', eve.userId, null],
      ['person.disabled', eve.userId, null],
    ])
  })
})

it('Running downloads and exports of an account end when it is disabled', async () => {
  const max = await signUp(server.url)
  const { data: project } = await max.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Naps' } })
  // Larger than the buffers of the connection.
  const bytes = Buffer.concat([onePagePdf(['Naps.']), Buffer.alloc(16_000_000, 0x20)])
  const { id } = await max.upload(project.id, new File([bytes], 'large.pdf', { type: 'application/pdf' }))
  const wanted = { method: 'POST', headers: { 'content-type': 'application/json' } }
  const downloads = [
    await max.fetch(api.documentFile(id)),
    await max.fetch(api.exports(), { ...wanted, body: JSON.stringify({ project_id: project.id, format: 'pdfs' }) }),
    await max.fetch(api.accountExport()),
  ]
  expect(downloads.map(({ status }) => status)).toEqual([200, 200, 200])
  const readers = downloads.map((response) => response.body!.getReader())
  await Promise.all(readers.map((reader) => reader.read()))
  expect((await change(root, max.userId, { disabled: true })).status).toBe(200)
  for (const reader of readers) {
    const rest = async () => {
      for (let next = await reader.read(); !next.done; next = await reader.read());
    }
    await expect(rest()).rejects.toThrow()
  }
})

it.skipIf(!process.env['TEST_DATABASE_URL'])(
  'The server answers other requests while it cancels the jobs of a disabled account',
  async () => {
    const zoe = await signUp(server.url)
    const database = new Postgres({ connectionString: server.databaseUrl })
    await database.connect()
    try {
      await database.query(`select pg_advisory_lock(${LOCK})`)
      await database.query(`
        create function wait_for_test() returns trigger language plpgsql as $$
        begin perform pg_advisory_xact_lock_shared(${LOCK}); return new; end $$;
        create trigger wait_for_test before update on jobs for each row
          when (new.error = 'Cancelled' and old.error is null) execute function wait_for_test()`)
      const queue = `insert into jobs (kind, created_by) select 'vectorize', $1 from generate_series(1, 40)`
      await database.query(queue, [zoe.userId])
      const disabled = change(root, zoe.userId, { disabled: true })
      const waiting = `select 1 from pg_locks where locktype = 'advisory' and objid = ${LOCK} and not granted
        and database = (select oid from pg_database where datname = current_database())`
      await expect.poll(async () => (await database.query(waiting)).rowCount, { timeout: 60_000 }).toBeGreaterThan(3)
      expect((await ada.fetch(api.projects())).status).toBe(200)
      await database.query(`select pg_advisory_unlock(${LOCK})`)
      expect((await disabled).status).toBe(200)
      const { rows } = await database.query(
        `select status, error, count(*)::int as n from jobs where created_by = $1 group by 1, 2`,
        [zoe.userId],
      )
      expect(rows).toEqual([{ status: 'failed', error: 'Cancelled', n: 40 }])
    } finally {
      await database.end()
    }
  },
)
