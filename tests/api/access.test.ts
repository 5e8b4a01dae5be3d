import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Role } from '#server/http/route-access.ts'
import type { JoinResult } from '#shared/contract/duplicates.ts'
import type { AddedPaper } from '#shared/contract/lookup.ts'
import { api, functionPath } from '#shared/contract/paths.ts'
import { readAccessTable } from '#tests/helpers/access-table.ts'
import { body, type FeedServer, item, rss, startFeedServer } from '#tests/helpers/feed-server.ts'
import { inDatabase } from '#tests/helpers/database.ts'
import { importReferences } from '#tests/helpers/reference-file.ts'
import { IS_LONG_RUN } from '#tests/helpers/long-run.ts'
import { onePagePdf } from '#tests/helpers/one-page-pdf.ts'
import { type Client, signIn, signUp, startServer, type TestServer } from '#tests/helpers/server.ts'
import { codeFor } from '#tests/helpers/totp.ts'

/**
 * This file tries every route with every kind of caller, by cookie, by bearer token and by API key, and compares the status
 * with the role that the route requires. tests/laws/access.test.ts checks the role of each route.
 */

/** How a caller authenticates. 'key': with an API key that has every scope. */
type Way = 'cookie' | 'bearer' | 'key'
const WAYS = ['cookie', 'bearer', 'key'] as const
interface Person {
  client: Client
  cookie: string
  key: string
}
interface Operation {
  parameters?: { name: string; in: string; required?: boolean }[]
  requestBody?: { content: Record<string, { example?: Record<string, unknown>; schema?: { properties?: object } }> }
}

/**
 * Functions that return the id of an object of the owner, by the part of a route up to the id. Most of them create the object.
 */
const OBJECTS: Record<string, () => Promise<string> | string> = {
  '/api/conversations/:id': () => newConversation(),
  '/api/documents/:id': () => newDocument(),
  '/api/messages/:id': () => newMessage(),
  '/api/projects/:id': () => newProject(),
  '/api/trash/documents/:id': () => deleted(() => newDocument(), api.document),
  '/api/trash/projects/:id': () => deleted(newProject, api.project),
  '/api/profiles/:id': () => ada.client.userId,
  '/api/jobs/:id': () => jobId,
  '/api/feed/articles/:id': () => articleId,
  '/api/imports/:id': () => newImport(),
  '/api/import-records/:id': async () => {
    const { data } = await ada.client.json<{ data: { id: string }[] }>(api.importRecords(await newImport()))
    return data[0]!.id
  },
  '/api/recommendations/:id': () => newRecommendation(),
  '/api/uploads/:id': () => uploadId,
  '/api/keys/:id': async () => (await newKey(ada.client)).id,
  '/api/zotero/imports/:id': () => newZoteroLibrary(),
  '/api/joined-papers/:id': () => newJoinedPaper(),
  '/api/evidence/:id': () => newEvidence(),
  '/api/runs/:id': () => newRun(),
  '/api/saved-searches/:id': async () => {
    const body = { name: 'Naps', query: { q: 'naps' } }
    const path = api.savedSearches(ids['project_id']!)
    return (await ada.client.json<{ data: { id: string } }>(path, { body })).data.id
  },
  '/auth/v1/factors/:factorId': () => newFactor(ada.client),
  '/files/project_hero/:name': () => `${crypto.randomUUID()}.webp`,
  '/files/avatars/profiles/:name': () => `${crypto.randomUUID()}.webp`,
  '/api/docs/:asset': () => 'swagger-ui.css',
}

const uploadId = crypto.randomUUID()

/**
 * Request bodies that replace the examples of the API description, by route. A name that `ids` contains is replaced by its id.
 */
const BODIES: Record<string, unknown> = {
  'POST /functions/v1/proxy-rss': { url: 'http://127.0.0.1:9/feed' },
  'POST /api/documents/delete': { document_ids: ['spare_document_id'] },
  'POST /api/documents/restore': { document_ids: ['spare_document_id'] },
  'POST /api/documents/process': { document_ids: ['document_id'], steps: ['vectorize'] },
  'POST /api/citations': { ids: ['document_id'], style: 'apa' },
  'POST /api/duplicates/join': { keep_id: 'spare_document_id', join_ids: ['joined_document_id'], fields: {} },
  'POST /api/duplicates/accept': { ids: ['document_id', 'spare_document_id'] },
  'POST /api/duplicates/later': { ids: ['document_id', 'spare_document_id'] },
  'POST /api/duplicates/refuse': { ids: ['document_id', 'spare_document_id'] },
  'POST /functions/v1/ocr-pdf': { document_url: 'document_id' },
  'POST /auth/v1/revoke-session': { id: 'session_id' },
  'POST /functions/v1/rpc/update_profile': { user_id: 'ada_id', full_name_val: 'Ada Lovelace' },
}

/** Calls that end sessions or delete the account of the caller. Each call therefore uses a new account. */
const SPENDS = new Set([
  'DELETE /api/account',
  'POST /auth/v1/sign-out',
  'POST /auth/v1/change-password',
  'POST /auth/v1/revoke-other-sessions',
])

const follow = async () => {
  const { project_id, journal_id } = ids
  await ada.client.json(api.subscriptions(), { body: { project_id, journal_id } })
}
/** Functions by route that restore the data that a call of the owner needs, because an earlier call has removed it. */
const PREPARE: Record<string, () => Promise<void>> = {
  'DELETE /api/subscriptions': follow,
  'POST /api/subscriptions/try': follow,
  'POST /api/documents/delete': async () => {
    ids['spare_document_id'] = await newDocument()
  },
  'POST /api/duplicates/join': async () => {
    ids['spare_document_id'] = await newDocument()
    ids['joined_document_id'] = await newDocument()
  },
  'POST /auth/v1/revoke-session': async () => {
    await signIn(server.url, ada.client)
    const { data } = await ada.client.json<{ data: { id: string; current: boolean }[] }>(api.sessions())
    const kept = new Set(adaSessions)
    ids['session_id'] = data.find(({ id }) => !kept.has(id))!.id
  },
}

/** Returns fields that a request body must not be able to set. */
const stolen = () => ({
  id: '00000000-0000-4000-8000-00000000000a',
  owner_id: eve.client.userId,
  user_id: eve.client.userId,
  is_admin: true,
  role: 'admin',
  level: 'aal2',
  emailVerified: true,
  disabled_at: null,
  status: 'completed',
  vectorized_at: '2020-01-01T00:00:00Z',
  created_at: '2020-01-01T00:00:00Z',
  source_url: 'documents/x.pdf',
})

const paper = onePagePdf(['Naps helped older adults.'])
const table = readAccessTable()
// Rows that begin with 'ALL' are addresses without a route.
const routes = Object.keys(table).filter((route) => !route.startsWith('ALL '))
const roleOf = (route: string): Role => table[route]!.role

let server: TestServer
let feed: FeedServer
let operations: Record<string, Operation>
let root: Person
let ada: Person
let eve: Person
let viewer: Person
let editor: Person
let disabled: Person
let waiting: Person & { factorId: string }
let ids: Record<string, string>
let jobId: string
let articleId: string
let adaSessions: string[]

beforeAll(async () => {
  feed = await startFeedServer()
  const services = ['OPENALEX_URL', 'CROSSREF_URL', 'UNPAYWALL_URL', 'ZOTERO_URL', 'ARXIV_URL', 'OPENLIBRARY_URL']
  const outside = Object.fromEntries(services.map((name) => [name, feed.url]))
  server = await startServer({ env: { ...outside, GUARDED_FETCH_ALLOW: feed.host } })
  root = await newPerson()
  ada = await newPerson()
  eve = await newPerson()
  viewer = await newPerson()
  editor = await newPerson()
  disabled = await newPerson()
  await root.client.json(api.adminPerson(disabled.client.userId), { method: 'PATCH', body: { disabled: true } })
  waiting = await personWithFactor()
  const { paths } = await ada.client.json<{ paths: Record<string, Record<string, Operation>> }>('/api/openapi.json')
  operations = Object.fromEntries(
    Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, one]) => [`${method.toUpperCase()} ${colons(path)}`, one]),
    ),
  )
  const project_id = await newProject()
  const { data: journal } = await root.client.json<{ data: { id: string } }>(api.journals(), {
    body: { name: 'Journal of Sleep', url: feed.set('/feed', body(rss(item('First')))) },
  })
  ids = { project_id }
  const document_id = await newDocument()
  shared['/api/projects/:id'] = project_id
  shared['/api/documents/:id'] = document_id
  await ada.client.json(api.documentText(document_id), {
    method: 'PUT',
    body: { extracted_text: '[Page 1]\nNaps helped older adults fall asleep.' },
  })
  const { data: job } = await ada.client.json<{ data: { id: string } }>(api.documentVectorize(document_id), {
    body: {},
  })
  jobId = job.id
  await ada.client.job(jobId)
  await ada.client.json(api.subscriptions(), { body: { project_id, journal_id: journal.id } })
  articleId = await firstArticle(project_id)
  ids = { project_id, from_project_id: project_id, document_id, journal_id: journal.id }
  ids = {
    ...ids,
    doc_id: document_id,
    spare_document_id: await newDocument({ upload_id: uploadId }),
    one: await newRun(),
    other: await newRun(),
    joined_document_id: await newDocument(),
    ada_id: ada.client.userId,
    session_id: 'none',
    since: '2026-01-01T00:00:00Z',
  }
  const { data: sessions } = await ada.client.json<{ data: { id: string }[] }>(api.sessions())
  adaSessions = sessions.map(({ id }) => id)
})
afterAll(async () => {
  await server.stop()
  await feed.stop()
})

const colons = (path: string) => path.replaceAll(/\{(\w+)\}/g, ':$1')

/** Creates an API key of a user. By default, it has every scope and is valid for all projects of the user. */
async function newKey(client: Client, scopes = ['read', 'ask', 'write'], project_ids: string[] | null = null) {
  // On a busy machine this file runs for longer than a sign-in counts as a proof of identity.
  await inDatabase(server, 'update session set proved_at = now()')
  const body = { name: 'Key', scopes, project_ids }
  return (await client.json<{ data: { id: string; key: string } }>(api.keys(), { body })).data
}

async function newPerson(): Promise<Person> {
  const client = await signUp(server.url)
  return person(client, (await newKey(client)).key)
}

/** Returns a caller that can use one session both by cookie and by bearer token: the cookie contains the same token. */
const person = (client: Client, key = ''): Person => ({
  client,
  key,
  cookie: `lectern.session_token=${encodeURIComponent(client.token)}`,
})

/**
 * Returns a user with a verified second factor who has signed in with the password only, so that the session is not complete.
 */
async function personWithFactor(): Promise<Person & { factorId: string }> {
  const client = await signUp(server.url)
  const { data: factor } = await client.json<{ data: { id: string; totp: { secret: string } } }>(api.factors(), {
    body: { friendly_name: 'Phone', factor_type: 'totp' },
  })
  const { data: check } = await client.json<{ data: { id: string } }>(api.factorChallenge(factor.id), { body: {} })
  await client.json(api.factorVerify(factor.id), {
    body: { challenge_id: check.id, code: codeFor(factor.totp.secret) },
  })
  return { ...person(await signIn(server.url, client)), factorId: factor.id }
}

/** Waits until the server has read the feed of a project. Returns the id of its first article. */
async function firstArticle(project_id: string): Promise<string> {
  const articles = async () =>
    (await ada.client.json<{ data: { id: string }[] }>(api.feedArticles({ project_id }))).data
  return vi.waitFor(async () => (await articles())[0]!.id, { timeout: 60_000 })
}

/** Creates a project with a viewer and an editor. Returns its id. */
async function newProject(): Promise<string> {
  const body = { name: `P ${crypto.randomUUID()}` }
  const { id } = (await ada.client.json<{ data: { id: string } }>(api.projects(), { body })).data
  for (const [role, { client }] of Object.entries({ viewer, editor }))
    await inDatabase(server, 'insert into project_members (project_id, user_id, role) values ($1, $2, $3)', [
      id,
      client.userId,
      role,
    ])
  return id
}

async function newDocument(fields: Record<string, string> = {}): Promise<string> {
  const file = new File([paper], 'paper.pdf', { type: 'application/pdf' })
  return (await ada.client.upload(ids['project_id']!, file, fields)).id
}

async function newImport(): Promise<string> {
  const file = { 'naps.ris': `TY  - JOUR\nTI  - Naps ${crypto.randomUUID()}\nER  - \n` }
  const { result } = await importReferences(ada.client, await newProject(), file)
  return (result as { import_ids: string[] }).import_ids[0]!
}

/** Creates an object with `make` and deletes it by its address. Returns its id. */
async function deleted(make: () => Promise<string>, address: (id: string) => string): Promise<string> {
  const id = await make()
  await ada.client.json(address(id), { method: 'DELETE' })
  return id
}

async function newRecommendation(): Promise<string> {
  const body = { project_id: ids['project_id'], papers: [{ title: `Naps ${crypto.randomUUID()}` }] }
  return (await ada.client.json<{ data: { id: string }[] }>(api.recommendations(), { body })).data[0]!.id
}

async function newJoinedPaper(): Promise<string> {
  const project_id = await newProject()
  const newPaper = async () => {
    const body = { project_id, title: `Naps ${crypto.randomUUID()}` }
    return (await ada.client.json<{ data: AddedPaper }>(api.papers(), { body })).data.document.id
  }
  const body = { keep_id: await newPaper(), join_ids: [await newPaper()], fields: {} }
  return (await ada.client.json<{ data: JoinResult }>(api.duplicatesJoin(), { body })).data.joined[0]!.id
}

async function newConversation(): Promise<string> {
  const body = { visibility: 'project' }
  const path = api.conversations(ids['project_id']!)
  return (await ada.client.json<{ data: { id: string } }>(path, { body })).data.id
}

async function newMessage(): Promise<string> {
  const [row] = await inDatabase(
    server,
    `insert into messages (conversation_id, project_id, asked_by, question, scope, leave_out_retracted, status)
      values ($1, $2, $3, 'Q', '{"kind":"all"}', true, 'done') returning id`,
    [await newConversation(), ids['project_id'], ada.client.userId],
  )
  return String(row!['id'])
}

async function newEvidence(): Promise<string> {
  const [row] = await inDatabase(
    server,
    `insert into evidence (project_id, created_by, document_id, subject_kind, subject_id, visibility, text_version, quote, prefix,
      suffix, match, score) values ($1, $2, $3, 'message', gen_random_uuid(), 'project', 0, 'q', '', '', 'exact', 1) returning id`,
    [ids['project_id'], ada.client.userId, ids['document_id']],
  )
  return String(row!['id'])
}

async function newRun(): Promise<string> {
  const [row] = await inDatabase(
    server,
    `insert into runs (project_id, number, created_by, via, kind, title, model, model_settings, prompt_text, prompt_text_hash,
      code_version, input, input_hash) values ($1, (select coalesce(max(number), 0) + 1 from runs), $2, 'web', 'library_answer', 'Q', 'm', '{}', '', '', '',
      '{"documents":[]}', 'h') returning id`,
    [ids['project_id'], ada.client.userId],
  )
  return String(row!['id'])
}

async function newZoteroLibrary(): Promise<string> {
  const [row] = await inDatabase(
    server,
    `insert into zotero_libraries (project_id, created_by, server, library, library_name, with_subcollections, with_pdfs, with_tags,
      synchronize) values ($1, $2, 'http://127.0.0.1:1', $3, 'L', true, true, true, 'never') returning id`,
    [ids['project_id'], ada.client.userId, `users/${Math.ceil(Math.random() * 1e9)}`],
  )
  return String(row!['id'])
}

async function newInvitation(projectId: string): Promise<string> {
  const body = { emails: ['ben@example.org'], role: 'viewer' }
  const path = api.projectInvitations(projectId)
  return (await ada.client.json<{ data: { id: string }[] }>(path, { body })).data[0]!.id
}

const newFactor = async (client: Client) =>
  (
    await client.json<{ data: { id: string } }>(api.factors(), {
      body: { friendly_name: 'Phone', factor_type: 'totp' },
    })
  ).data.id

/**
 * Returns the address of a call of a route, with the id of an object of the owner and the required query. `byOwner`: the owner
 * makes the call, so that a DELETE needs a new object.
 */
async function addressOf(route: string, byOwner = false): Promise<string> {
  const [method = '', path = ''] = route.split(' ')
  const place = /^(.*?\/:\w+)/.exec(path)?.[1]
  // Routes for users, visitors and admins need no existing object. With a random id, a call of an admin deletes nothing.
  const nothing = ['user', 'visitor', 'admin'].includes(roleOf(route)) ? () => crypto.randomUUID() : undefined
  const make = place === undefined ? undefined : (OBJECTS[place] ?? nothing)
  if (place !== undefined && make === undefined)
    throw new Error(
      `Add to OBJECTS in tests/api/access.test.ts: '${place}': () => an id of one of ada's, as in ${route}`,
    )
  // A new factor replaces an unverified one.
  const spent = (byOwner && method === 'DELETE') || place?.includes('factor')
  const known = place === undefined ? '' : spent ? undefined : shared[place]
  const id = known ?? (await make!())
  if (place !== undefined) shared[place] ??= id
  const query = (operations[route]?.parameters ?? [])
    .filter(({ name, in: where }) => where === 'query' && (name in ids || name === 'format'))
    .map(({ name }) => `${name}=${ids[name] ?? 'json'}`)
  const invited = path.includes(':invitation_id') && roleOf(route) === 'manage' ? await newInvitation(id) : ''
  const address = path.replace(/:\w+/, id).replace(':user_id', ada.client.userId).replace(':invitation_id', invited)
  return query.length > 0 ? `${address}?${query.join('&')}` : address
}
const shared: Record<string, string> = {}

/**
 * Returns the body and headers of a call. The body is the example of the API description with ids of the owner, and the fields
 * of `more` that the schema does not define.
 */
function bodyOf(route: string, more: object = {}): { body?: BodyInit; headers?: Record<string, string> } {
  const content = operations[route]?.requestBody?.content
  if (content?.['multipart/form-data']) {
    const form = new FormData()
    form.append('project_id', ids['project_id']!)
    form.append('file', new File([paper], 'paper.pdf', { type: 'application/pdf' }))
    return { body: form }
  }
  const example = BODIES[route] ?? content?.['application/json']?.example
  if (example === undefined) return {}
  const known = content?.['application/json']?.schema?.properties ?? {}
  const added = Object.fromEntries(Object.entries(more).filter(([name]) => !(name in known)))
  return {
    body: JSON.stringify(withIds({ ...added, ...example })),
    headers: { 'content-type': 'application/json' },
  }
}

function withIds(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((one) => withIds(one, name.replace(/s$/, '')))
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withIds(one, key)]))
  if (typeof value === 'string' && value in ids) return ids[value]
  return typeof value === 'string' && name in ids ? ids[name] : value
}

async function call(route: string, address: string, who: Person | null, way: Way, more: object = {}) {
  const { headers, ...rest } = bodyOf(route, more)
  const proof = !who
    ? {}
    : way === 'cookie'
      ? { cookie: who.cookie }
      : { authorization: `Bearer ${way === 'key' ? who.key : who.client.token}` }
  const response = await fetch(server.url + address, {
    method: route.split(' ')[0]!,
    redirect: 'manual',
    ...rest,
    headers: { ...headers, ...proof } as Record<string, string>,
  })
  // A stream of events would not end.
  if (response.headers.get('content-type')?.includes('event-stream')) {
    await response.body?.cancel()
    return { status: response.status, text: '' }
  }
  return { status: response.status, text: await response.text() }
}

describe('access rules', () => {
  it('A rate limit counts the routes that receive a file, call a model or fetch a given address', () => {
    const files = Object.entries(operations).filter(([, one]) => one.requestBody?.content['multipart/form-data'])
    const asking = routes.filter((route) =>
      /analy[sz]e|answer|embedding|ocr|\/chat|research|proxy|google-drive/.test(route),
    )
    expect([files.length, asking.length].every((count) => count >= 4)).toBe(true)
    for (const route of [...files.map(([one]) => one), ...asking])
      expect([route, table[route]?.limit]).toEqual([route, expect.stringMatching(/^(?:ai|upload)$/)])
  })

  it('The API description names only visitor routes as routes without a session', () => {
    const open = Object.entries(operations).filter(
      ([, one]) => (one as { security?: unknown[] }).security?.length === 0,
    )
    expect(open.map(([route]) => [route, roleOf(route)])).toEqual(open.map(([route]) => [route, 'visitor']))
  })
})

/**
 * Checks of the status by caller, for routes of a project. 501 is accepted from callers without access, because it means that
 * the outside service of the route is not set up and no data was read.
 */
const ofProject = {
  visitor: is(401),
  disabled: is(401),
  waiting: is(401),
  other: is(404, 501),
  admin: is(404, 501),
  owner: not(401, 403, 404),
}

/** For each role of a route: the check of the response status by caller. A caller without a check may get any status. */
const judge: Record<Role, Partial<Record<string, (status: number) => boolean>>> = {
  visitor: {},
  pending: { visitor: is(401), disabled: is(401), owner: not(401, 403, 404), waiting: not(401, 403) },
  user: {
    visitor: is(401),
    disabled: is(401),
    waiting: is(401),
    other: not(401, 403),
    owner: not(401, 403),
    admin: not(401, 403),
  },
  owner: ofProject,
  // 409 and 422: the role is sufficient, and the state or the input is not.
  read: { ...ofProject, viewer: not(401, 403, 404), editor: not(401, 403, 404) },
  comment: ofProject,
  ask: { ...ofProject, viewer: is(403, 501) },
  review: ofProject,
  edit: { ...ofProject, viewer: is(403, 501) },
  resolve: ofProject,
  manage: { ...ofProject, viewer: is(403), editor: is(403) },
  'owner or admin': {
    visitor: is(401),
    disabled: is(401),
    waiting: is(401),
    other: is(404),
    admin: not(401, 403, 404),
    owner: not(401, 403, 404),
  },
  // tests/api/admin-access.test.ts calls these routes with a token and as an admin.
  admin: { visitor: is(401), disabled: is(401), waiting: is(401), other: is(403), owner: is(403) },
}
function is(...wanted: number[]) {
  return (status: number) => wanted.includes(status)
}
function not(...unwanted: number[]) {
  return (status: number) => !unwanted.includes(status)
}

describe('every route', () => {
  // tests/api/mcp.test.ts tries POST /mcp, which only keys may call.
  const rows = routes.filter((route) => !route.endsWith('/*') && !['GET /metrics', 'POST /mcp'].includes(route))
  let tried = 0

  it.each(['visitor', 'waiting', 'disabled', 'other', 'admin', 'viewer', 'editor'])(
    'Every route answers %s as the table defines, and changes nothing',
    async (name) => {
      const before = await belongings()
      const wrong: string[] = []
      for (const route of rows.filter(
        (one) => !(name === 'admin' && roleOf(one) === 'admin' && one.startsWith('DELETE')),
      )) {
        const expected = judge[roleOf(route)][name]
        if (expected === undefined) continue
        const address = await addressOf(route)
        for (const way of waysOf(route, name)) {
          if (way === 'key' && ['visitor', 'waiting'].includes(name)) continue
          const spent = SPENDS.has(route) && (name === 'other' || name === 'admin')
          const who = spent ? await newPerson() : people()[name]!
          const { status, text } = await call(route, address, who, way)
          tried += 1
          const refused = way === 'key' && name !== 'disabled' && table[route]!.scopes.length === 0
          if (!(refused ? is(403) : expected)(status))
            wrong.push(`${route} (${roleOf(route)}) as ${name} by ${way}: ${status} ${text.slice(0, 120)}`)
        }
      }
      expect(wrong).toEqual([])
      expect(await belongings()).toEqual(before)
    },
  )

  it('A route for visitors requires no session', async () => {
    for (const route of rows.filter((one) => roleOf(one) === 'visitor' && !SPENDS.has(one))) {
      const { status, text } = await call(route, await addressOf(route), null, 'cookie')
      tried += 1
      const turnedAway = status === 403 || (status === 401 && text.includes('You are not logged in'))
      expect([route, turnedAway]).toEqual([route, false])
    }
  })

  it('An owner can call every route of the role, and cannot set protected fields', async () => {
    const wrong: string[] = []
    const lists = [api.projects(), api.documents(), api.jobs()]
    const eves = () => Promise.all(lists.map((path) => eve.client.json<{ count: number }>(path)))
    const before = await eves()
    const keyOf = async (scopes: readonly string[]) => {
      const wanted = ['read', ...scopes.filter((scope) => scope !== 'read')]
      return (keys[wanted.join(' ')] ??= (await newKey(ada.client, wanted)).key)
    }
    const keys: Record<string, string> = {}
    const inOrder = rows.toSorted((a, b) => Number(a.startsWith('DELETE')) - Number(b.startsWith('DELETE')))
    for (const route of inOrder) {
      const expected = judge[roleOf(route)]['owner']
      if (expected === undefined) continue
      const { scopes } = table[route]!
      // With a key that has exactly the scopes of the route.
      const ways = new Set<Way>([...waysOf(route, 'owner'), ...(scopes.length > 0 ? (['key'] as const) : [])])
      for (const way of ways) {
        const refused = way === 'key' && scopes.length === 0
        const who = SPENDS.has(route) ? await newPerson() : { ...ada, key: await keyOf(scopes) }
        await PREPARE[route]?.()
        const { status, text } = await call(route, await addressOf(route, true), who, way, stolen())
        tried += 1
        if (!(refused ? is(403) : expected)(status))
          wrong.push(`${route} as the owner by ${way}: ${status} ${text.slice(0, 120)}`)
        if (text.includes(eve.client.userId))
          wrong.push(`${route} took another person for the owner: ${text.slice(0, 200)}`)
        if (/"(?:is_admin|emailVerified)":true/.test(text)) wrong.push(`${route} took a right: ${text.slice(0, 200)}`)
        if (text.includes('2020-01-01T00:00:00')) wrong.push(`${route} took a time of its own: ${text.slice(0, 200)}`)
      }
    }
    expect(wrong).toEqual([])
    const { profile } = await ada.client.json<{ profile: { is_admin: boolean } }>(api.session())
    expect(profile.is_admin).toBe(false)
    expect(await eves()).toEqual(before)
    expect(tried).toBeGreaterThan(rows.length * (IS_LONG_RUN ? 8 : 4))
  })

  it.each([[['read']], [['read', 'ask']], [['read', 'write']]])(
    'A key with the scopes %j gets 403 on every route that needs another scope (KEY-05, KEY-12)',
    async (scopes) => {
      const who = { ...ada, key: (await newKey(ada.client, scopes)).key }
      const wrong: string[] = []
      for (const route of rows.filter((one) => roleOf(one) !== 'visitor')) {
        const missing = table[route]!.scopes.find((scope) => !scopes.includes(scope))
        if (table[route]!.scopes.length > 0 && missing === undefined) continue
        const address = route.split(' ')[1]!.replaceAll(/:\w+/g, () => crypto.randomUUID())
        const { status, text } = await call(route, address, who, 'key')
        const message = missing ? `It needs the scope "${missing}".` : 'No key may do that.'
        if (status !== 403 || !text.replaceAll('\\', '').includes(message)) wrong.push(`${route}: ${status} ${text}`)
      }
      expect(wrong).toEqual([])
    },
  )

  it('A key for another project finds nothing of this project (KEY-12)', async () => {
    const other = await newProject()
    const who = { ...ada, key: (await newKey(ada.client, ['read', 'ask', 'write'], [other])).key }
    const wrong: string[] = []
    for (const route of rows.filter((one) => table[one]!.scopes.length > 0)) {
      const { status, text } = await call(route, await addressOf(route), who, 'key')
      if (roleOf(route) !== 'user' && !is(404, 501)(status)) wrong.push(`${route}: ${status} ${text.slice(0, 120)}`)
      for (const id of [ids['project_id']!, ids['document_id']!, jobId])
        if (text.includes(id)) wrong.push(`${route} contains ${id}`)
    }
    expect(wrong).toEqual([])
  })

  /**
   * Returns the ways to authenticate that are tried for a route and a caller: all ways in a long run, otherwise one way, which
   * depends on the route and the caller.
   */
  const waysOf = (route: string, caller: string): readonly Way[] => {
    const ways: readonly Way[] = roleOf(route) === 'admin' ? ['cookie', 'key'] : WAYS
    if (IS_LONG_RUN) return ways
    return [ways[(rows.indexOf(route) + Object.keys(people()).indexOf(caller)) % ways.length]!]
  }

  const people = (): Record<string, Person | null> => ({
    visitor: null,
    waiting,
    disabled,
    other: eve,
    owner: ada,
    viewer,
    editor,
    admin: root,
  })

  /** Returns data of the owner, read as the owner. The test compares it before and after the calls of other users. */
  async function belongings(): Promise<unknown> {
    const paths = [api.project(ids['project_id']!), api.document(ids['document_id']!), api.profile(ada.client.userId)]
    const rows = await Promise.all(paths.map((path) => ada.client.json<{ data: object }>(path)))
    const sessions = await ada.client.json<{ count: number }>(api.sessions())
    return [...rows.map(({ data }) => data), sessions.count]
  }
})

it('A cut, foreign or invented cookie or token opens no session', async () => {
  const signature = ada.cookie.slice(ada.cookie.indexOf('.', ada.cookie.indexOf('=')))
  for (const headers of [
    { authorization: `Bearer ${ada.client.token.slice(0, -1)}` },
    { authorization: `Bearer ${ada.client.userId}` },
    { authorization: 'Bearer undefined' },
    { authorization: `Basic ${btoa(`${ada.client.email}:${ada.client.password}`)}` },
    { cookie: ada.cookie.slice(0, -4) },
    { cookie: ada.cookie.replace('session_token=', 'session_token=x') },
    { cookie: `lectern.session_token=${eve.client.token.split('.')[0]}${signature}` },
    { cookie: `lectern.session_token=${ada.client.token.split('.')[0]}` },
  ] as Record<string, string>[])
    expect([headers, (await fetch(server.url + api.projects(), { headers })).status]).toEqual([headers, 401])
  expect((await fetch(server.url + functionPath('list-models'))).status).toBe(401)
})
