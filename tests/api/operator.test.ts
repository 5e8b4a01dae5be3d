import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AuditEntry } from '#shared/contract/audit.ts'
import type { Job } from '#shared/contract/jobs.ts'
import { api } from '#shared/contract/paths.ts'
import type { PasswordLink } from '#shared/contract/people.ts'
import type { Notice } from '#shared/contract/notices.ts'
import type { Project } from '#shared/contract/projects.ts'
import type { Site } from '#shared/contract/site.ts'
import { adminCommand, adminCommandWith } from '#tests/helpers/admin.ts'
import { inDatabase } from '#tests/helpers/database.ts'
import { onePagePdf } from '#tests/helpers/one-page-pdf.ts'
import { type Client, signIn, startServer, type TestServer } from '#tests/helpers/server.ts'

const PASSWORD = 'correct horse battery'

/** This file tests the commands for operators, in an installation with closed sign-up. Its first account is Ada. */

let server: TestServer
let siteBefore: Site
let created: { is_admin: boolean; password_link: PasswordLink }
let ada: Client
beforeAll(async () => {
  server = await startServer({ env: { SIGN_UP: 'closed' } })
  siteBefore = await site()
  created = await json(['create', 'Ada@Example.org', '--name', 'Ada'])
  await reset(created.password_link, PASSWORD)
  ada = await signIn(server.url, { email: 'ada@example.org' })
})
afterAll(() => server.stop())

/** Runs `npm run admin` with these arguments. With the embedded database, stops the server while the command runs. */
async function admin(words: string[], options: Parameters<typeof adminCommandWith>[1] = {}) {
  if (server.databaseUrl) return adminCommandWith(server, options, ...words)
  await server.kill('SIGTERM')
  const done = await adminCommandWith(server, options, ...words)
  await server.restart()
  return done
}
async function json<T>(words: string[], input?: string): Promise<T> {
  const { code, printed } = await admin([...words, '--json'], input === undefined ? {} : { input })
  expect(code, printed).toBe(0)
  return JSON.parse(printed) as T
}
const post = async (path: string, body: unknown) => {
  const answer = await fetch(server.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: answer.status, text: await answer.text() }
}
const reset = async ({ url }: PasswordLink, newPassword: string) =>
  (await post(api.resetPassword(), { token: new URL(url).searchParams.get('token'), newPassword })).status
const site = async () => ((await (await fetch(server.url + api.site())).json()) as { data: Site }).data
/** Creates an account with PASSWORD by a command, and signs in. */
async function newAccount(email: string): Promise<Client> {
  const { code, printed } = await admin(['create', email, '--password'], { input: `${PASSWORD}\n` })
  expect([code, printed]).toEqual([0, `${email} has an account.\n`])
  return signIn(server.url, { email })
}

describe('a closed installation', () => {
  it('A closed installation refuses every sign-up, and its first account is created by the command and is the admin', async () => {
    expect(siteBefore).toMatchObject({ sign_up: 'closed', password_sign_in: true, first_account: true })
    expect(await site()).toMatchObject({ sign_up: 'closed', first_account: false })
    const refused = await post(api.signUp(), { email: 'zoe@example.org', password: PASSWORD })
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('Sign-up is closed.')])
    expect(created).toMatchObject({ email: 'ada@example.org', full_name: 'Ada', is_admin: true })
    // The link works once.
    expect(await reset(created.password_link, 'another horse battery')).toBe(400)
  })

  it('The command creates an account with a password from standard input, and refuses a taken address and a short password', async () => {
    await newAccount('bob@example.org')
    expect(await admin(['create', 'BOB@example.org'])).toEqual({
      code: 1,
      printed: 'BOB@example.org has an account already.\n',
    })
    const short = await admin(['create', 'eve@example.org', '--password'], { input: 'short\n' })
    expect(short).toEqual({
      code: 1,
      printed: expect.stringMatching(/^Password must be at least \d+ characters long\n$/),
    })
    const env = {
      PASSWORD_SIGN_IN: 'off',
      OIDC_ISSUER: 'http://127.0.0.1:9',
      OIDC_CLIENT_ID: 'lectern',
      OIDC_CLIENT_SECRET: 'x',
    }
    const off = await admin(['create', 'fay@example.org', '--password'], { env, input: `${PASSWORD}\n` })
    expect([off.code, off.printed]).toEqual([1, expect.stringContaining('Passwords are turned off.')])
    const list = await json<{ email: string; is_admin: boolean }[]>(['list'])
    expect(list.map(({ email }) => email)).not.toContain('fay@example.org')
    expect(list).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ email: 'ada@example.org', is_admin: true }),
        expect.objectContaining({ email: 'bob@example.org', is_admin: false }),
      ]),
    )
  })

  it('A new password from the operator or an administrator ends the sessions of the account and is in the audit log', async () => {
    let bob = await newAccount('bess@example.org')
    const { password_link: first } = await json<{ password_link: PasswordLink }>(['reset-password', bob.email])
    const { data: link } = await ada.json<{ data: PasswordLink }>(api.adminPersonPasswordLink(bob.userId), {
      method: 'POST',
    })
    expect(await reset(first, 'of the first link')).toBe(400)
    expect(await reset(link, 'of the second link')).toBe(200)
    expect((await bob.fetch(api.projects())).status).toBe(401)
    bob = await signIn(server.url, { email: bob.email, password: 'of the second link' })

    expect((await admin(['reset-password', bob.email, '--password'], { input: 'typed by hand\n' })).code).toBe(0)
    expect((await bob.fetch(api.projects())).status).toBe(401)
    bob = await signIn(server.url, { email: bob.email, password: 'typed by hand' })
    const { data } = await ada.json<{ data: AuditEntry[] }>(api.adminAudit({ kind: 'person' }))
    expect(data.map(({ action, actor }) => [action, actor?.email]).slice(0, 4)).toEqual([
      ['person.password_set', undefined],
      ['person.password_link', ada.email],
      ['person.password_link', undefined],
      ['person.password_set', undefined],
    ])
  })

  it('A password link from an administrator needs a recent proof of identity, and the right', async () => {
    const bob = await newAccount('ben@example.org')
    const ask = async (client: Client, id: string) =>
      (await client.fetch(api.adminPersonPasswordLink(id), { method: 'POST' })).status
    expect(await ask(bob, ada.userId)).toBe(403)
    expect(await ask(ada, 'no-account')).toBe(404)
    await inDatabase(server, "update session set proved_at = now() - interval '16 minutes' where user_id = $1", [
      ada.userId,
    ])
    expect(await ask(ada, bob.userId)).toBe(403)
    ada = await signIn(server.url, { email: ada.email })
  })

  it('The command grants the admin right and disables an account, except the last admin', async () => {
    const bob = await newAccount('bea@example.org')
    expect(await admin(['disable', ada.email])).toEqual({
      code: 1,
      printed: 'The last admin cannot lose the admin right.\n',
    })
    expect((await admin(['grant', bob.email])).printed).toBe('bea@example.org is now an admin.\n')
    expect((await bob.fetch(api.adminPeople())).status).toBe(200)
    expect((await admin(['disable', bob.email])).code).toBe(0)
    expect((await bob.fetch(api.projects())).status).toBe(401)
    await ada.json(api.adminPerson(bob.userId), { method: 'PATCH', body: { disabled: false } })
    const enabled = await signIn(server.url, { email: bob.email })
    expect((await enabled.fetch(api.projects())).status).toBe(200)
    expect((await admin(['revoke', bob.email])).code).toBe(0)
  })

  it('The documents and imports of an account that the command disables are no longer in progress after the jobs end', async () => {
    const bob = await newAccount('bora@example.org')
    const { data: project } = await bob.json<{ data: Project }>(api.projects(), { body: { name: 'Naps' } })
    const { id } = await bob.upload(project.id, new File([onePagePdf(['Naps.'])], 'naps.pdf'))
    await inDatabase(server, "update documents set status = 'processing' where id = $1", [id])
    const importing = `insert into imports (project_id, created_by, kind, state) values ($1, $2, 'file', 'waiting') returning id`
    const [waiting] = await inDatabase(server, importing, [project.id, bob.userId])
    // Jobs that no process has fetched. A server fetches them at its start.
    const queue = `insert into jobs (kind, created_by, document_id, project_id, input)
      values ('extract', $1, $2, $3, '{}'), ('import', $1, null, $3, $4)`
    const input = { import_ids: [waiting!['id']], choices: {}, fetch_pdfs: false }
    await inDatabase(server, queue, [bob.userId, id, project.id, input])
    expect((await admin(['disable', bob.email])).code).toBe(0)
    // A job that a request queued at the same moment.
    await inDatabase(server, "insert into jobs (kind, created_by) values ('research', $1)", [bob.userId])
    await server.restart()
    const states = `select (select status from documents where id = $1) as document,
      (select state from imports where project_id = $2 and kind = 'file') as import,
      array(select kind || ': ' || error from jobs where created_by = $3 and status = 'failed' order by kind) as errors`
    await expect
      .poll(() => inDatabase(server, states, [id, project.id, bob.userId]), { timeout: 60_000 })
      .toEqual([
        {
          document: 'pending',
          import: 'cancelled',
          errors: ['extract: Cancelled', 'import: Cancelled', 'research: Cancelled'],
        },
      ])
  })

  it('The command deletes a disabled admin while one admin remains', async () => {
    const bob = await newAccount('bart@example.org')
    expect((await admin(['grant', bob.email])).code).toBe(0)
    expect((await admin(['disable', bob.email])).code).toBe(0)
    expect(await admin(['delete', bob.email, '--yes'])).toMatchObject({ code: 0 })
    expect(await inDatabase(server, 'select from profiles where id = $1', [bob.userId])).toEqual([])
  })

  it('The command queues failed jobs again', async () => {
    const bob = await newAccount('bill@example.org')
    const { data: project } = await bob.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Naps' } })
    const truncated = await readFile(new URL('../fixtures/truncated.pdf', import.meta.url))
    const document = await bob.upload(project.id, new File([truncated], 'a.pdf', { type: 'application/pdf' }))
    const { data } = await bob.json<{ data: Job }>(api.documentExtract(document.id), { body: { method: 'text' } })
    expect((await bob.job(data.id)).status).toBe('failed')
    const { queued } = await json<{ queued: string[] }>(['requeue', 'all', '--kind', 'extract'])
    expect(queued).toEqual([expect.not.stringContaining(data.id)])
    expect((await bob.job(queued[0]!)).status).toBe('failed')
  })

  it('The command deletes an account with its rows and files only with --yes', async () => {
    const bob = await newAccount('bo@example.org')
    const { data: naps } = await bob.json<{ data: Project }>(api.projects(), { body: { name: 'Naps' } })
    const paper = await readFile(new URL('../fixtures/paper.pdf', import.meta.url))
    await bob.upload(naps.id, new File([paper], 'a.pdf', { type: 'application/pdf' }))
    const stored = async () =>
      (await inDatabase(server, 'select 1 from documents where created_by = $1', [bob.userId])).length
    expect(await admin(['delete', bob.email])).toMatchObject({ code: 1, printed: expect.stringContaining('--yes') })
    expect(await stored()).toBe(1)
    const { data: shared } = await bob.json<{ data: Project }>(api.projects(), { body: { name: 'Shared' } })
    const join = "insert into project_members (project_id, user_id, role) values ($1, $2, 'viewer')"
    await inDatabase(server, join, [shared.id, ada.userId])
    expect((await admin(['delete', bob.email, '--yes'])).code).toBe(0)
    // A member becomes the owner, and all members get a notice (SHR-34).
    const { data: inherited } = await ada.json<{ data: Project }>(api.project(shared.id))
    expect(inherited).toMatchObject({ owner_id: ada.userId, role: 'owner' })
    const { data: notices } = await ada.json<{ data: Notice[] }>(api.notices())
    expect(notices).toMatchObject([{ kind: 'owner_changed', data: { project: 'Shared' } }])
    expect((await ada.fetch(api.project(naps.id))).status).toBe(404)
    expect(await stored()).toBe(0)
    expect(await inDatabase(server, 'select key from removed_files')).toEqual([])
  })
})

describe('check', () => {
  const lines = (printed: string) => printed.trim().split('\n')

  it('The command check prints one line for each part and changes nothing', async () => {
    const { code, printed } = await admin(['check'])
    expect(code, printed).toBe(0)
    expect(lines(printed)).toEqual([
      'ok      settings: valid',
      expect.stringMatching(
        /^ok {6}database: (PostgreSQL|embedded database) \d+.*, pgvector 0\.\d+\.\d+, schema current$/,
      ),
      expect.stringMatching(/^ok {6}storage: folder .*\/files, [\d.]+ GB free$/),
      expect.stringContaining('ok      mail: not set'),
      'ok      sign-in provider: not set',
      'ok      models: the built-in models',
    ])
  })

  it('The command check creates no database and no folder before the first start', async () => {
    const parent = await mkdtemp(join(tmpdir(), 'lectern-check-'))
    const env = { DATA_DIR: join(parent, 'data'), DATABASE_URL: '' }
    const { code, printed } = await adminCommandWith(server, { env }, 'check')
    expect(code, printed).toBe(0)
    expect(printed).toContain(`database: none in ${env.DATA_DIR}/database yet: the first start creates`)
    expect(printed).toMatch(/^ok {6}storage: folder .*\/data\/files, [\d.]+ GB free: the first start creates it$/m)
    expect(await readdir(parent)).toEqual([])
    await rm(parent, { recursive: true })
  })

  it('The command check names every part that fails', async () => {
    const env = {
      DATABASE_URL: 'postgres://lectern:x@127.0.0.1:9/lectern',
      DATABSE_URL: 'x',
      SMTP_URL: 'smtp://127.0.0.1:9',
      MAIL_FROM: 'room@example.org',
      AI_BASE_URL: 'http://127.0.0.1:9/v1',
      OIDC_ISSUER: 'http://127.0.0.1:9',
      OIDC_CLIENT_ID: 'x',
      OIDC_CLIENT_SECRET: 'x',
    }
    const { code, printed } = await adminCommandWith(server, { env }, 'check', '--json')
    const { checks } = JSON.parse(printed) as { checks: { name: string; ok: boolean; message: string }[] }
    expect([code, checks.filter(({ ok }) => ok).map(({ name }) => name)]).toEqual([1, ['storage']])
    expect(checks[0]!.message).toBe('DATABSE_URL is no setting; is DATABASE_URL meant?')
    expect(checks[1]!.message).toContain('ECONNREFUSED')
    expect(await adminCommandWith(server, { env: { PORT: 'many' } }, 'check')).toEqual({
      code: 1,
      printed: expect.stringMatching(/^PORT: .*\n$/),
    })
  })

  it('The command prints its usage for missing arguments and unknown options', async () => {
    for (const words of [['create'], ['list', '--wrong']])
      expect(await adminCommand(server, ...words)).toEqual({
        code: 2,
        printed: expect.stringMatching(/^Usage: npm run admin -- <command>/),
      })
  })

  it('The page of the commands shows each command of --help with its options and an example', async () => {
    const { code, printed } = await adminCommand(server, '--help')
    expect(code).toBe(0)
    const usages = printed.trim().split('\n').slice(1)
    expect(usages.length).toBeGreaterThan(9)
    const page = await readFile(new URL('../../docs/commands.md', import.meta.url), 'utf8')
    for (const usage of usages) {
      expect(page.split('\n')).toContain(usage)
      expect(page).toContain(`\n$ npm run admin -- ${usage.trim().split(' ')[0]}`)
    }
    // No other command has an example.
    const names = new Set(usages.map((usage) => usage.trim().split(' ')[0]))
    expect([...page.matchAll(/^\$ npm run admin -- ([a-z-]+)/gm)].filter(([, name]) => !names.has(name))).toEqual([])
  })
})
