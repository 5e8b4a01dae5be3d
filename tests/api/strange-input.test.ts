import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { api } from '#shared/contract/paths.ts'
import { signUpAdmin } from '#tests/helpers/admin.ts'
import { IS_LONG_RUN } from '#tests/helpers/long-run.ts'
import { onePagePdf } from '#tests/helpers/one-page-pdf.ts'
import { importForm } from '#tests/helpers/reference-file.ts'
import { type Client, startServer, type TestServer } from '#tests/helpers/server.ts'

/**
 * This file sends invalid values in every field, path parameter and query parameter of the API description. It acts as an
 * admin, because admins have the most rights. Each response must be a success or an error with a message, and never a server
 * error. `npm test` sends one value in eleven, `npm run test:hostile` sends all values.
 */

/** A JSON Schema. Only the fields that this file reads are declared. */
interface Schema {
  type?: string | string[]
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
}
interface Operation {
  parameters?: { name: string; in: string; required?: boolean; schema: Schema }[]
  requestBody?: { content: Record<string, { schema?: Schema; example?: unknown }> }
}
interface Call {
  name: string
  method: string
  path: string
  body?: string
}

/**
 * Only one call in this number is sent. It is a prime that does not divide the number of values per field, so that a sample
 * uses every field and every value.
 */
const ONE_IN = IS_LONG_RUN ? 1 : 11

/** An address without a server, which is set for all outside services. */
const NOWHERE = 'http://127.0.0.1:9'
/** Statuses that are accepted from calls that need an outside service. */
const OUTSIDE = new Set([501, 502])
/** Calls that are not tried, because their response is an endless stream or because they end sessions. */
const LEFT_OUT = new Set([
  'GET /api/events',
  'GET /api/admin/update-journals-status',
  'POST /auth/v1/sign-out',
  'POST /auth/v1/revoke-other-sessions',
])
const LONG = 'x'.repeat(1_000_000)
const VALUES: unknown[] = [
  'a\0b',
  'a\uD800b',
  '\u202Efdp.exe',
  '',
  '{{7*7}}\'";--',
  '99999-12-31T00:00:00Z',
  '0000-00-00',
  null,
  true,
  0,
  -1,
  1e308,
  [],
  ['a\0b', null, {}],
  {},
  { __proto__: null, constructor: { prototype: {} } },
]
const TEXTS = [
  '0',
  '-1',
  '1e30',
  'NaN',
  '9'.repeat(30),
  '1.5',
  '%00',
  '%ED%A0%80',
  '%FF',
  '',
  '%E2%80%AE',
  '99999-01-01',
  '0000-01-01',
]
const QUERIES = [...TEXTS, 'x'.repeat(6000), '__proto__', '%5B%5D', '../..', "'%3B--"]
const PATHS = [
  ...TEXTS.filter((one) => one !== ''),
  'x'.repeat(3000),
  '__proto__',
  '%2e%2e%2f%2e%2e%2fetc',
  '..%00',
  '%',
]

let server: TestServer
let ada: Client
let operations: { name: string; method: string; path: string; operation: Operation }[]
let ids: Record<string, string>
beforeAll(async () => {
  const outside = [
    'OPENALEX_URL',
    'CROSSREF_URL',
    'UNPAYWALL_URL',
    'ARXIV_URL',
    'OPENLIBRARY_URL',
    'ZOTERO_URL',
    'GOOGLE_AUTH_URL',
    'GOOGLE_TOKEN_URL',
    'GOOGLE_DRIVE_URL',
  ]
  server = await startServer({ env: Object.fromEntries(outside.map((name) => [name, NOWHERE])) })
  // The account has another password than the examples, because with the right one an example deletes the account.
  ada = await signUpAdmin(server, { password: 'own words alone' })
  const { paths } = (await (await fetch(`${server.url}/api/openapi.json`)).json()) as {
    paths: Record<string, Record<string, Operation>>
  }
  operations = Object.entries(paths)
    .flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({
        name: `${method.toUpperCase()} ${path}`,
        method: method.toUpperCase(),
        path,
        operation,
      })),
    )
    .filter(({ name }) => !LEFT_OUT.has(name))
  const project = (await ada.json<{ data: { id: string } }>(api.projects(), { body: { name: 'Mine' } })).data.id
  const file = new File([onePagePdf(['Mine'])], 'mine.pdf', { type: 'application/pdf' })
  const document = (await ada.upload(project, file)).id
  ids = { projects: project, documents: document, profiles: ada.userId, project_id: project, document_id: document }
})
afterAll(() => server.stop())

/**
 * Replaces the parameters in a path by ids: of existing objects of the caller, or of a missing object if the caller has none of
 * this kind.
 */
const addressOf = (path: string) =>
  path.replace(/\{(\w+)\}/g, () => ids[path.split('/')[2] ?? ''] ?? '00000000-0000-4000-8000-000000000000')

async function send(all: Call[]) {
  const calls = all.filter((_, index) => index % ONE_IN === 0)
  const wrong: string[] = []
  let tried = 0
  const next = async (): Promise<void> => {
    for (let input = calls.pop(); input; input = calls.pop()) {
      const { name, method, path, body } = input
      const call = () =>
        ada.fetch(path, {
          method,
          redirect: 'manual',
          ...(body === undefined ? {} : { body, headers: { 'content-type': 'application/json' } }),
        })
      // The server closes the connection after it has refused a large body. A client that still writes can lose the response.
      const response = await call().catch(call).catch(call)
      const text = await response.text()
      tried += 1
      const line = `${response.status} ${name} ${path.slice(0, 120)} ${body?.slice(0, 200) ?? ''}: ${text.slice(0, 200)}`
      if (response.status >= 500 && !OUTSIDE.has(response.status)) wrong.push(line)
      else if (response.status >= 400 && !/"(?:message|error)":"[^"]/.test(text)) wrong.push(`no words: ${line}`)
      if (/node_modules|\bat async\b|insert into |SQLSTATE/.test(text)) wrong.push(`the inside of the server: ${line}`)
    }
  }
  await Promise.all(Array.from({ length: 6 }, next))
  return { wrong, tried }
}

/** Yields copies of a JSON body that each have one changed value, up to two levels deep. */
function* changed(body: unknown, schema: Schema | undefined): Generator {
  yield* [null, [], 'text', 1, { ['__proto__']: { x: 1 } }]
  const base =
    typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as Record<string, unknown>) : {}
  for (const name of new Set([...Object.keys(base), ...Object.keys(schema?.properties ?? {})])) {
    for (const value of [...VALUES, LONG]) yield { ...base, [name]: value }
    yield { ...base, [name]: [base[name], base[name]] }
    const inner = base[name]
    if (Array.isArray(inner)) for (const value of VALUES) yield { ...base, [name]: [value] }
    else if (typeof inner === 'object' && inner !== null)
      for (const part of Object.keys(inner))
        for (const value of VALUES) yield { ...base, [name]: { ...inner, [part]: value } }
  }
}

const withIds = (example: unknown): unknown =>
  example && typeof example === 'object' && !Array.isArray(example)
    ? Object.fromEntries(Object.entries(example).map(([name, value]) => [name, ids[name] ?? value]))
    : example

describe('invalid input', () => {
  it('Invalid input in a body is refused with a message', async () => {
    const calls: Call[] = []
    for (const { name, method, path, operation } of operations) {
      const content = operation.requestBody?.content['application/json']
      if (!content) continue
      for (const body of changed(withIds(content.example), content.schema))
        calls.push({ name, method, path: addressOf(path), body: JSON.stringify(body) })
    }
    const { wrong, tried } = await send(calls)
    expect(wrong).toEqual([])
    expect(tried).toBeGreaterThan(3000 / ONE_IN)
  }, 300_000)

  it('Invalid input in a query or an address is refused with a message', async () => {
    const calls: Call[] = []
    for (const { name, method, path, operation } of operations) {
      const parameters = operation.parameters ?? []
      const required = parameters
        .filter((one) => one.in === 'query' && one.required)
        .map((one) => `${one.name}=${ids[one.name] ?? 'x'}`)
      for (const one of parameters)
        if (one.in === 'query' && method === 'GET')
          for (const value of QUERIES) {
            const others = required.filter((other) => !other.startsWith(`${one.name}=`))
            calls.push({ name, method, path: `${addressOf(path)}?${[...others, `${one.name}=${value}`].join('&')}` })
          }
        else if (one.in === 'path')
          for (const value of PATHS)
            calls.push({ name, method, path: addressOf(path.replace(`{${one.name}}`, value.replaceAll('{', ''))) })
      for (const query of ['__proto__[x]=1', 'a=1&'.repeat(1500), `x=${'%00'.repeat(50)}`])
        if (method === 'GET') calls.push({ name, method, path: `${addressOf(path)}?${[...required, query].join('&')}` })
    }
    const { wrong, tried } = await send(calls)
    expect(wrong).toEqual([])
    expect(tried).toBeGreaterThan(1000 / ONE_IN)
  }, 300_000)

  it('A time in a year that the database does not accept is refused with the name of its parameter', async () => {
    const project = ids['projects']!
    for (const time of [
      '0000-01-01T00:00:00Z',
      '0001-01-01T00:00:00+01:00',
      '2023-02-30T00:00:00Z',
      '99999-01-01T00:00:00Z',
    ])
      for (const [name, method, path] of [
        ['added_after', 'GET', api.search({ q: 'nap', added_after: time })],
        ['since', 'GET', api.projectProgress(project, { since: time })],
        ['unread_at', 'GET', api.feedArticles({ project_id: project, unread: 'true', unread_at: time })],
        ['since', 'POST', api.projectDocumentsRestore(project, { since: time })],
        ['before', 'DELETE', api.trash({ before: time })],
        ['from', 'GET', api.adminAudit({ from: time })],
      ] as const) {
        const response = await ada.fetch(path, { method })
        expect([path, response.status, await response.json()]).toEqual([
          path,
          400,
          { error: expect.objectContaining({ message: `${name}: This value is not valid.` }) },
        ])
      }
    const body = importForm(
      { 'a.ris': 'TY  - JOUR\nTI  - Naps\nER  - \n' },
      { project_id: project, searched_on: '0000-01-01' },
    )
    expect((await ada.fetch(api.imports(), { method: 'POST', body })).status).toBe(422)
  })

  it('Invalid input caused no unexpected error, and the caller is signed in to the end', async () => {
    expect((await ada.fetch(api.adminPeople({}))).status).toBe(200)
    expect(server.output()).not.toMatch(/a request failed unexpectedly|[Uu]nhandled|the database refused a value/)
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
  })
})
