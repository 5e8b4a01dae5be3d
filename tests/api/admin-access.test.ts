import { afterAll, beforeAll, expect, it } from 'vitest'
import { api } from '#shared/contract/paths.ts'
import { readAccessTable } from '#tests/helpers/access-table.ts'
import { type Client, signUp, startServer, type TestServer } from '#tests/helpers/server.ts'

/**
 * This file calls every route that the API description marks as for admins only, as a visitor, a user, a disabled user, a
 * disabled admin and an admin. New routes are included automatically.
 */

/** An operation of the API description. */
interface Operation {
  'x-admins-only'?: boolean
  responses: Record<string, unknown>
  requestBody?: { content: Record<string, { example?: unknown }> }
}

const ID = '00000000-0000-4000-8000-000000000000'
let server: TestServer
let root: Client
let eve: Client
let disabledUser: Client
let disabledAdmin: Client
let calls: { name: string; path: string; init: RequestInit; operation: Operation }[]
let marked: string[]

beforeAll(async () => {
  // No outside service is available.
  server = await startServer({ env: { OPENALEX_URL: 'http://127.0.0.1:9' } })
  root = await signUp(server.url)
  ;[eve, disabledUser, disabledAdmin] = [await signUp(server.url), await signUp(server.url), await signUp(server.url)]
  await change(disabledAdmin.userId, { is_admin: true })
  await change(disabledAdmin.userId, { disabled: true })
  await change(disabledUser.userId, { disabled: true })
  const { paths } = await root.json<{ paths: Record<string, Record<string, Operation>> }>('/api/openapi.json')
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
  const admins = operations.filter(({ operation }) => operation['x-admins-only'])
  marked = admins.map(({ method, path }) => `${method} ${path}`)
  calls = admins.map(({ method, path, operation }) => {
    const json = operation.requestBody?.content['application/json']
    const body = json ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(json.example) } : {}
    return { name: `${method} ${path}`, path: path.replaceAll(/\{\w+\}/g, ID), init: { method, ...body }, operation }
  })
})
afterAll(() => server.stop())

const change = (id: string, body: object) => root.json(api.adminPerson(id), { method: 'PATCH', body })

/** Returns the status of a response without reading its body, because some responses are streams that do not end. */
async function statusOf(answer: Promise<Response>): Promise<number> {
  const { status, body } = await answer
  await body?.cancel()
  return status
}

it('The admin calls are the routes of the access table, and all routes under /api/admin', () => {
  const table = readAccessTable()
  const named = Object.keys(table).filter((route) => table[route]!.role === 'admin')
  expect(marked.map((name) => name.replaceAll(/\{(\w+)\}/g, ':$1')).toSorted()).toEqual(named.toSorted())
  expect(marked.filter((name) => name.includes(' /api/admin/')).length).toBeGreaterThanOrEqual(3)
  expect(Object.keys(table).filter((route) => / \/api\/admin\//.test(route) && !named.includes(route))).toEqual([])
})

it('The API description states that the admin calls refuse other users', () => {
  for (const { name, operation } of calls)
    expect([name, Object.keys(operation.responses)]).toEqual([name, expect.arrayContaining(['401', '403'])])
})

it('The admin calls refuse all other users for any input, and accept an admin (SEC-04, SEC-11, NAV-04)', async () => {
  for (const { name, path, init } of calls) {
    const as = (client: Client) => statusOf(client.fetch(path, init))
    const bare = { ...init, body: null }
    expect([name, 'visitor', await statusOf(fetch(server.url + path, init))]).toEqual([name, 'visitor', 401])
    expect([name, 'user', await as(eve)]).toEqual([name, 'user', 403])
    expect([name, 'user, without a body', await statusOf(eve.fetch(path, bare))]).toEqual([
      name,
      'user, without a body',
      403,
    ])
    expect([name, 'disabled user', await as(disabledUser)]).toEqual([name, 'disabled user', 401])
    expect([name, 'disabled admin', await as(disabledAdmin)]).toEqual([name, 'disabled admin', 401])
    const admin = await as(root)
    expect([name, 'admin', admin === 401 || admin === 403]).toEqual([name, 'admin', false])
  }
})
