import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { ApiKey, CreatedKey, KeyCall } from '#shared/contract/api-keys.ts'
import { api } from '#shared/contract/paths.ts'
import { inDatabase } from '#tests/helpers/database.ts'
import { onePagePdf } from '#tests/helpers/one-page-pdf.ts'
import { importForm } from '#tests/helpers/reference-file.ts'
import { type Client, signUp, startServer, type TestServer } from '#tests/helpers/server.ts'
import { startSmtpServer } from '#tests/helpers/smtp-server.ts'

const ORIGIN = 'https://notebook.example.org'

let server: TestServer
let mail: Awaited<ReturnType<typeof startSmtpServer>>
let root: Client
let ada: Client
let first: string
let second: string

beforeAll(async () => {
  mail = await startSmtpServer()
  server = await startServer({
    env: {
      RATE_LIMIT: 'on',
      API_KEY_REQUESTS_PER_MINUTE: '25',
      API_KEY_UPLOADS_PER_HOUR: '2',
      API_KEY_ASKS_PER_MINUTE: '2',
      API_ORIGINS: `${ORIGIN},https://other.example.org/`,
    },
  })
  root = await signUp(server.url)
  ada = await signUp(server.url)
  first = await newProject('First')
  second = await newProject('Second')
})
afterAll(async () => {
  await server.stop()
  await mail.stop()
})

const newProject = async (name: string) =>
  (await ada.json<{ data: { id: string } }>(api.projects(), { body: { name } })).data.id

async function newKey(client: Client, body: object = {}): Promise<CreatedKey> {
  const all = { name: 'Notebook', scopes: ['read', 'ask', 'write'], project_ids: null, ...body }
  return (await client.json<{ data: CreatedKey }>(api.keys(), { body: all })).data
}

/** Calls the server with an API key and without a session. */
const call = (key: string, path: string, init: RequestInit = {}, url = server.url) =>
  fetch(url + path, { ...init, headers: { ...(init.headers as object), authorization: `Bearer ${key}` } })

const refusal = async (response: Response) => {
  const { error } = (await response.json()) as { error: { code: string; message: string } }
  return [response.status, error.code, error.message]
}

const INVALID = [401, 'invalid_key', 'This key is not valid.']

it('A key is shown once, stored as a hash, listed without its text and audited (KEY-01, KEY-02, KEY-03, KEY-04, KEY-10)', async () => {
  const created = await newKey(ada, { name: ' Desk ', scopes: ['write', 'read'], project_ids: [first] })
  expect(created).toMatchObject({ name: 'Desk', scopes: ['read', 'write'], projects: [{ id: first, name: 'First' }] })
  expect(created.key).toMatch(/^lct_[0-9A-Za-z]{8}_[\w-]{43}[0-9A-Za-z]{6}$/)
  expect(Date.parse(created.expires_at!) - Date.parse(created.created_at)).toBeCloseTo(90 * 86_400_000, -5)
  const list = await (await ada.fetch(api.keys())).text()
  expect(list).toContain(created.prefix)
  expect(list).not.toContain(created.key.slice(13))
  const [row] = await inDatabase(server, 'select * from api_keys where id = $1', [created.id])
  expect(JSON.stringify(row)).not.toContain(created.key.slice(13, 40))
  expect(row!['hash']).toMatch(/^[0-9a-f]{64}$/)
  const { data: entries } = await root.json<{ data: { action: string; subject: string; actor_id: string }[] }>(
    `${api.adminAudit()}?kind=key`,
  )
  expect(entries[0]).toMatchObject({ action: 'key.created', subject: created.prefix, actor_id: ada.userId })
  expect(server.output()).not.toContain(created.key)
})

it('A new key needs a name, the scope read, known projects and a recent proof of identity (KEY-02)', async () => {
  const wrong: [object, number, string][] = [
    [{ name: ' ' }, 422, 'Enter a name.'],
    [{ name: 'x'.repeat(61) }, 422, 'A name has at most 60 characters.'],
    [{ scopes: ['write'] }, 422, 'Every key has the scope "read".'],
    [{ scopes: ['read', 'screen'] }, 422, ''],
    [{ project_ids: [] }, 422, 'Choose at least one project.'],
    [{ project_ids: [crypto.randomUUID()] }, 404, 'Project not found'],
    [{ expires_in_days: 1000 }, 422, ''],
    [{ user_id: root.userId }, 422, ''],
  ]
  for (const [body, status, message] of wrong) {
    const response = await ada.fetch(api.keys(), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'K', scopes: ['read'], project_ids: null, ...body }),
    })
    expect([body, response.status, await response.text()]).toEqual([
      body,
      status,
      expect.stringContaining(message.replaceAll('"', '\\"')),
    ])
  }
  const late = await signUp(server.url)
  await inDatabase(server, `update session set proved_at = now() - interval '11 minutes' where user_id = $1`, [
    late.userId,
  ])
  await expect(newKey(late)).rejects.toThrow('proof_required')
})

it('A user has at most 20 keys', async () => {
  const busy = await signUp(server.url)
  for (let n = 0; n < 20; n += 1) await newKey(busy)
  await expect(newKey(busy)).rejects.toThrow('You have 20 keys. Revoke one that you no longer use.')
})

it('A key acts as its user in its projects, opens no session and reaches no route of the account (KEY-05, KEY-06, KEY-07, KEY-12)', async () => {
  const { key } = await newKey(ada, { project_ids: [first], scopes: ['read', 'write'] })
  const { data } = (await (await call(key, api.projects())).json()) as { data: { id: string }[] }
  expect(data.map(({ id }) => id)).toEqual([first])
  expect((await call(key, api.project(second))).status).toBe(404)
  const response = await call(key, api.session())
  expect(await response.text()).not.toContain(ada.userId)
  expect(response.headers.get('set-cookie')).toBeNull()
  const body = JSON.stringify({ name: 'x' })
  const patch = { method: 'PATCH', headers: { 'content-type': 'application/json' }, body }
  expect(await refusal(await call(key, api.project(first), patch))).toEqual([
    403,
    'scope',
    'No key may do that. Sign in instead.',
  ])
  // The libraries of Zotero belong to no project.
  const limited = [403, 'scope', 'This key is limited to projects. Only a key for all projects may do that.']
  expect(await refusal(await call(key, api.zoteroCollections()))).toEqual(limited)
  const chat = { ...patch, method: 'POST' }
  const library = JSON.stringify({ project_id: first, libraries: [{ library: 'users/1', collections: null }] })
  expect(await refusal(await call(key, api.zoteroImports(), { ...chat, body: library }))).toEqual(limited)
  expect(await refusal(await call(key, api.documentChat(crypto.randomUUID()), chat))).toEqual([
    403,
    'scope',
    'This key may not do that. It needs the scope "ask".',
  ])
  // The cookie of the same request adds no right.
  const cookie = `lectern.session_token=${encodeURIComponent(ada.token)}`
  expect((await call(key, api.keys(), { headers: { cookie } })).status).toBe(403)
  const loose = { method: 'DELETE', headers: { cookie } }
  expect((await call(key, api.account(), loose)).status).toBe(403)
})

it('A key loses rights at once when its user loses a role, a membership or the account, or when its project is deleted (KEY-06)', async () => {
  const ben = await signUp(server.url)
  await inDatabase(server, `insert into project_members (project_id, user_id, role) values ($1, $2, 'editor')`, [
    first,
    ben.userId,
  ])
  const { key } = await newKey(ben, { project_ids: [first] })
  const read = () => call(key, api.project(first))
  expect((await read()).status).toBe(200)
  await ada.json(`${api.projectMembers(first)}/${ben.userId}`, { method: 'PATCH', body: { role: 'viewer' } })
  const upload = new FormData()
  upload.append('project_id', first)
  upload.append('file', new File([onePagePdf(['Text'])], 'a.pdf', { type: 'application/pdf' }))
  expect((await call(key, api.documents(), { method: 'POST', body: upload })).status).toBe(403)
  await ada.json(`${api.projectMembers(first)}/${ben.userId}`, { method: 'DELETE' })
  expect((await read()).status).toBe(404)
  const disable = (disabled: boolean) => root.json(api.adminPerson(ben.userId), { method: 'PATCH', body: { disabled } })
  await disable(true)
  await vi.waitFor(async () => expect(await refusal(await read())).toEqual(INVALID), { timeout: 60_000, interval: 50 })
  await disable(false)
  expect((await read()).status).toBe(404)
  // A key whose projects were all deleted reaches none.
  const deletedProject = await newProject('Gone')
  const limited = await newKey(ada, { project_ids: [deletedProject] })
  await inDatabase(server, 'delete from projects where id = $1', [deletedProject])
  expect(await (await call(limited.key, api.projects())).json()).toEqual({ data: [], count: 0 })
})

it('Unknown, changed, revoked and expired keys get the same error, and a revocation reaches all servers (KEY-04, KEY-09, KEY-12)', async () => {
  const env = { DATABASE_URL: server.databaseUrl! }
  const other = server.databaseUrl ? await startServer({ dataDir: server.dataDir, env }) : undefined
  const created = await newKey(ada)
  const { key } = created
  try {
    for (const url of [server.url, other?.url ?? server.url])
      expect((await call(key, api.projects(), {}, url)).status).toBe(200)
    for (const text of [`${key.slice(0, -1)}!`, key.slice(0, -6), `lct_${'a'.repeat(8)}`]) {
      const response = await call(text, api.projects())
      expect(response.headers.get('www-authenticate')).toBe('Bearer')
      expect(await refusal(response)).toEqual(INVALID)
    }
    expect((await ada.fetch(api.key(created.id), { method: 'DELETE' })).status).toBe(200)
    // The server of the revocation refuses the key at once, other servers after the notification.
    expect(await refusal(await call(key, api.projects()))).toEqual(INVALID)
    const url = other?.url ?? server.url
    await vi.waitFor(async () => expect(await refusal(await call(key, api.projects(), {}, url))).toEqual(INVALID), {
      timeout: 60_000,
      interval: 20,
    })
    expect((await ada.fetch(api.key(created.id), { method: 'DELETE' })).status).toBe(404)
    expect(await inDatabase(server, 'select hash from api_keys where id = $1', [created.id])).toEqual([{ hash: '' }])
  } finally {
    await other?.stop()
  }
  const old = await newKey(ada)
  await inDatabase(server, `update api_keys set expires_at = now() - interval '1 second' where id = $1`, [old.id])
  expect(await refusal(await call(old.key, api.projects()))).toEqual(INVALID)
})

it('The last calls of a key are listed without content, with the network in short form (KEY-01, KEY-10)', async () => {
  const { key, id, name } = await newKey(ada, { name: 'Watched', scopes: ['read'] })
  await call(key, `${api.documents()}?search=secret-words`)
  await call(key, api.projects(), { method: 'POST' })
  const calls = await ada.json<{ data: KeyCall[]; count: number }>(api.keyCalls({ key_id: id }))
  expect(calls.count).toBe(2)
  expect(calls.data.map((one) => [one.route, one.status, one.network, one.key_name])).toEqual([
    ['POST /api/projects', 403, '127.0.0.0/24', name],
    ['GET /api/documents', 200, '127.0.0.0/24', name],
  ])
  expect(JSON.stringify(calls)).not.toContain('secret-words')
  const { data } = await ada.json<{ data: ApiKey[] }>(api.keys())
  expect(data.find((one) => one.id === id)).toMatchObject({
    last_used_at: calls.data[0]!.called_at,
    last_network: '127.0.0.0/24',
  })
  expect((await root.json<{ count: number }>(api.keyCalls({ key_id: id }))).count).toBe(0)
})

const upload = (key: string, name: string, fields: Record<string, string> = {}) => {
  const form = new FormData()
  for (const [field, value] of Object.entries({ project_id: first, ...fields })) form.append(field, value)
  form.append('file', new File([onePagePdf([name])], `${name}.pdf`, { type: 'application/pdf' }))
  return call(key, api.documents(), { method: 'POST', body: form })
}
const chat = (key: string) => call(key, api.documentChat(crypto.randomUUID()), { method: 'POST' })

it('An upload that starts the analysis counts as a request to the model (KEY-08)', async () => {
  const { key } = await newKey(ada, { project_ids: [first] })
  for (const name of ['five', 'six'])
    expect((await upload(key, name, { process_automatically: 'true' })).status).toBe(201)
  expect((await chat(key)).status).toBe(429)
})

it('Rate limits count the calls of each key, and calls with a wrong key by their network address (KEY-08)', async () => {
  const { key } = await newKey(ada, { project_ids: [first] })
  expect((await upload(key, 'one')).status).toBe(201)
  // Each file of a form counts.
  const files = importForm(
    { 'a.bib': '@book{a, title = {A}}', 'b.bib': '@book{b, title = {B}}' },
    { project_id: first },
  )
  expect((await call(key, api.imports(), { method: 'POST', body: files })).status).toBe(429)
  const third = await upload(key, 'three')
  expect([third.status, Number(third.headers.get('retry-after')) > 60]).toEqual([429, true])
  const answers = [(await chat(key)).status, (await chat(key)).status, (await chat(key)).status]
  expect(answers.map((status) => status === 429)).toEqual([false, false, true])
  const all = await Promise.all(Array.from({ length: 25 }, () => call(key, api.projects())))
  expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200, 429]))
  expect((await call((await newKey(ada)).key, api.projects())).status).toBe(200)
  const wrong = await Promise.all(Array.from({ length: 35 }, () => call('lct_wrong', api.projects())))
  expect(new Set(wrong.map(({ status }) => status))).toEqual(new Set([401, 429]))
  // A valid key from the same address still works.
  expect((await call((await newKey(ada)).key, api.projects())).status).toBe(200)
})

it('A page of another site uses a key only if API_ORIGINS names its origin (KEY-07)', async () => {
  const { key } = await newKey(ada)
  const from = (origin: string) => call(key, api.projects(), { headers: { origin, 'sec-fetch-site': 'cross-site' } })
  const allowed = await from(ORIGIN)
  expect([allowed.status, allowed.headers.get('access-control-allow-origin')]).toEqual([200, ORIGIN])
  expect(allowed.headers.get('access-control-allow-credentials')).toBeNull()
  expect((await from('https://other.example.org')).status).toBe(200)
  expect(await refusal(await from('https://evil.example'))).toEqual([
    403,
    'forbidden',
    'This request came from another site.',
  ])
  const asked = {
    origin: ORIGIN,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization',
  }
  const preflight = (headers: Record<string, string>) =>
    fetch(server.url + api.documents(), { method: 'OPTIONS', headers })
  expect((await preflight(asked)).headers.get('access-control-allow-headers')).toContain('authorization')
  expect(
    (await preflight({ ...asked, origin: 'https://evil.example' })).headers.get('access-control-allow-origin'),
  ).toBeNull()
  // Without a key, such a page changes nothing.
  const cookie = `lectern.session_token=${encodeURIComponent(ada.token)}`
  const stolen = await fetch(server.url + api.projects(), { method: 'POST', headers: { cookie, origin: ORIGIN } })
  expect(stolen.status).toBe(403)
})

it('The user gets one e-mail in the week before a key ends (KEY-09)', async () => {
  const created = await newKey(ada, { expires_in_days: 30 })
  await inDatabase(server, `update api_keys set expires_at = now() + interval '6 days' where id = $1`, [created.id])
  const mailing = await startServer({
    env: {
      SMTP_URL: mail.url,
      MAIL_FROM: 'lectern@example.org',
      ...(server.databaseUrl ? { DATABASE_URL: server.databaseUrl } : {}),
    },
  })
  try {
    if (!server.databaseUrl) return
    const { message } = await mail.mailTo(ada.email)
    expect(message).toContain(created.prefix)
    expect(message).toContain('/settings?tab=keys')
    expect(mail.received.filter(({ to }) => to === ada.email)).toHaveLength(1)
  } finally {
    await mailing.stop()
  }
})

it('Every operation of the API document names its scope (KEY-11)', async () => {
  const document = await ada.json<{
    paths: Record<string, Record<string, { 'x-scope'?: string }>>
    components: { securitySchemes: Record<string, { type: string; scheme?: string }> }
  }>('/api/openapi.json')
  const scopes = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, one]) => [`${method} ${path}`, one['x-scope']] as const),
  )
  expect(scopes.length).toBeGreaterThan(120)
  expect(scopes.filter(([, scope]) => !/^(?:none|read|ask|write|ask write)$/.test(scope ?? ''))).toEqual([])
  const reachable = new Set(scopes.filter(([, scope]) => scope !== 'none').map(([name]) => name.split(' ')[1]!))
  for (const path of reachable)
    expect(path).not.toMatch(/\/(?:admin|account|keys|members|invitations|profiles)\b|^\/auth/)
  expect(document.components.securitySchemes['bearer']).toMatchObject({ type: 'http', scheme: 'bearer' })
})
