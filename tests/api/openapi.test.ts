import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signUp, startServer, type Client, type TestServer } from '#tests/helpers/server.ts'
import { signUpAdmin } from '#tests/helpers/admin.ts'
import { api, functionPath } from '#shared/contract/paths.ts'

/** A JSON Schema. Only the fields that these checks read are declared. */
interface Schema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  required?: string[]
  properties?: Record<string, Schema>
  items?: Schema
  prefixItems?: Schema[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  additionalProperties?: Schema | boolean
}
interface Content {
  schema?: Schema
  example?: unknown
}
interface Operation {
  operationId: string
  summary: string
  tags: string[]
  security?: object[]
  parameters?: { name: string; in: string; required?: boolean; schema: Schema }[]
  requestBody?: { required?: boolean; content: Record<string, Content> }
  responses: Record<string, { description: string; content?: Record<string, Content> }>
}
interface Document {
  openapi: string
  info: { title: string; version: string; description: string }
  servers: { url: string }[]
  security: Record<string, string[]>[]
  components: {
    securitySchemes: Record<string, { type: string }>
    schemas: Record<string, Schema>
    responses: Record<string, object>
  }
  paths: Record<string, Record<string, Operation>>
}

let server: TestServer
let ada: Client
/**
 * `served`: the API description as the server sends it. `document`: the same, with each reference replaced by its component.
 */
let served: string
let document: Document
let operations: { name: string; path: string; method: string; operation: Operation }[]
beforeAll(async () => {
  server = await startServer()
  ada = await signUp(server.url)
  served = await (await fetch(`${server.url}/api/openapi.json`)).text()
  const { components } = JSON.parse(served) as Document
  document = withoutReferences(JSON.parse(served), components) as Document
  operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      path,
      method,
      operation,
    })),
  )
})
afterAll(() => server.stop())

/**
 * Replaces each `$ref` in a value by the component. A `$ref` to a missing component is not changed, so that `problems` reports
 * it.
 */
function withoutReferences(value: unknown, components: Document['components']): unknown {
  if (Array.isArray(value)) return value.map((one) => withoutReferences(one, components))
  if (value === null || typeof value !== 'object') return value
  const { $ref, ...others } = value as { $ref?: string }
  const [kind, name] = $ref?.split('/').slice(2) ?? []
  const component = components[kind as keyof Document['components']]?.[name!]
  const expanded = component ? { ...(withoutReferences(component, components) as object), ...others } : value
  return Object.fromEntries(Object.entries(expanded).map(([key, part]) => [key, withoutReferences(part, components)]))
}

const TYPES = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'])

/** Returns the violations of JSON Schema 2020-12 in a schema and its parts, one line each. `at`: the path of the schema. */
function problems(schema: Schema, at: string): string[] {
  const found: string[] = []
  const types = schema.type === undefined ? [] : [schema.type].flat()
  for (const type of types) if (!TYPES.has(type)) found.push(`${at}: unknown type ${type}`)
  if ('nullable' in schema) found.push(`${at}: nullable is a word of OpenAPI 3.0`)
  if (schema.enum && types.includes('null') && !schema.enum.includes(null))
    found.push(`${at}: null is a type but no value of the enum`)
  if (types.includes('array') && !schema.items) found.push(`${at}: an array of what?`)
  for (const name of schema.required ?? [])
    if (!schema.properties?.[name]) found.push(`${at}: ${name} is required but not described`)
  if (schema.$ref) found.push(`${at}: ${schema.$ref} does not exist`)
  for (const [name, one] of Object.entries(schema.properties ?? {})) found.push(...problems(one, `${at}.${name}`))
  for (const one of [schema.items ?? [], schema.prefixItems ?? []].flat()) found.push(...problems(one, `${at}[]`))
  for (const one of [schema.anyOf, schema.oneOf, schema.allOf].flatMap((several) => several ?? []))
    found.push(...problems(one, `${at}|`))
  return found
}

/** The id in the paths of CALLS, which list every call of the contract. The API description has '{id}' in its place. */
const ID = '00000000-0000-4000-8000-000000000000'
const CALLS: readonly (readonly [method: string, path: string])[] = [
  ['GET', api.site()],
  ['POST', api.signUp()],
  ['POST', api.signIn()],
  ['POST', api.signOut()],
  ['GET', api.session()],
  ['GET', api.profile(ID)],
  ['PATCH', api.profile(ID)],
  ['GET', api.projects()],
  ['POST', api.projects()],
  ['GET', api.project(ID)],
  ['PATCH', api.project(ID)],
  ['DELETE', api.project(ID)],
  ['GET', api.tags()],
  ['GET', api.documents()],
  ['POST', api.documents()],
  ['GET', api.document(ID)],
  ['PATCH', api.document(ID)],
  ['DELETE', api.document(ID)],
  ['GET', api.documentFile(ID)],
  ['PUT', api.documentText(ID)],
  ['POST', api.documentExtract(ID)],
  ['POST', api.documentAnalyze(ID)],
  ['POST', api.documentVectorize(ID)],
  ['POST', api.documentChat(ID)],
  ['GET', '/api/documents/filters'],
  ['GET', api.jobs()],
  ['GET', api.job(ID)],
  ['POST', api.jobCancel(ID)],
  ['GET', api.events()],
  ['GET', api.prompts()],
  ['GET', api.journals()],
  ['GET', api.models()],
  ...[
    'analyze-pdf',
    'extract-pdf-text',
    'ocr-pdf',
    'generate-embeddings',
    'generate-query-embedding',
    'similarity-search',
    'generate-answer',
  ].map((name) => ['POST', functionPath(name)] as const),
]

describe('the document', () => {
  it('The API description is OpenAPI 3.1 with a title, a version, a server and both ways to sign in (API-02)', () => {
    expect(document.openapi).toMatch(/^3\.1\.\d+$/)
    expect(document.info).toMatchObject({ title: 'Lectern API', version: expect.stringMatching(/^\d+\.\d+\.\d+/) })
    expect(document.servers).toEqual([{ url: '/' }])
    expect(document.security.flatMap((one) => Object.keys(one)).toSorted()).toEqual(
      Object.keys(document.components.securitySchemes).toSorted(),
    )
    expect(document.components.securitySchemes).toMatchObject({
      bearer: { type: 'http' },
      cookie: { type: 'apiKey', name: 'lectern.session_token' },
    })
  })

  it.each(CALLS)('The API description describes %s %s (API-01)', (method, path) => {
    const described = path.replace(ID, '{id}')
    expect(Object.keys(document.paths)).toContain(described)
    expect(Object.keys(document.paths[described]!)).toContain(method.toLowerCase())
  })

  it('The API description describes only calls that exist', async () => {
    for (const { name, path, method } of operations) {
      // A stream does not end, so other tests read it.
      if (path === api.events()) continue
      const response = await ada.fetch(path.replace('{id}', ID), { method: method.toUpperCase() })
      const text = await response.text()
      expect([name, response.status, text]).not.toEqual([name, 404, expect.stringContaining('nothing at this address')])
      expect([name, response.status, text]).not.toEqual([name, 404, expect.stringContaining('No such function')])
      if (name === 'POST /auth/v1/sign-out') ada = await signUp(server.url)
    }
  })

  it('The API description gives every operation its own name, a summary and a tag', () => {
    const ids = operations.map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(ids.length)
    for (const { name, operation } of operations) {
      expect([name, operation.operationId]).toEqual([name, expect.stringMatching(/^[a-z][A-Za-z0-9]+$/)])
      expect([name, operation.summary, operation.tags]).toEqual([
        name,
        expect.stringMatching(/\w/),
        [expect.any(String)],
      ])
    }
  })

  it('The API description defines every parameter of a path, and no other', () => {
    for (const { name, path, operation } of operations) {
      const named = (operation.parameters ?? []).filter((one) => one.in === 'path')
      expect([name, named.map((one) => `{${one.name}}`)]).toEqual([name, path.match(/\{\w+\}/g) ?? []])
      expect([name, named.every((one) => one.required)]).toEqual([name, true])
    }
  })

  it('The API description has schemas of JSON Schema 2020-12', () => {
    for (const { name, operation } of operations) {
      const contents = [operation.requestBody, ...Object.values(operation.responses)].flatMap((one) =>
        Object.values(one?.content ?? {}),
      )
      const schemas = [
        ...contents.flatMap(({ schema }) => schema ?? []),
        ...(operation.parameters ?? []).map(({ schema }) => schema),
      ]
      expect([name, schemas.flatMap((schema) => problems(schema, 'schema'))]).toEqual([name, []])
    }
  })

  it('The API description names the objects of the contract, and uses each name', () => {
    const { components } = JSON.parse(served) as Document
    const references = new Set(served.match(/(?<="\$ref":")[^"]+/g))
    const names = Object.entries(components).flatMap(([kind, parts]) =>
      kind === 'securitySchemes' ? [] : Object.keys(parts).map((name) => `#/components/${kind}/${name}`),
    )
    expect([...references].toSorted()).toEqual(names.toSorted())
    expect(Object.keys(components.schemas)).toEqual(
      expect.arrayContaining(['ApiError', 'Conversation', 'DocumentDetail', 'Job', 'Passage', 'Project', 'Reference']),
    )
    const success = JSON.parse(served).paths['/api/projects/{id}'].get.responses[200]
    expect(success.content['application/json'].schema.properties.data).toEqual({ $ref: '#/components/schemas/Project' })
    expect(components.schemas['Recommendation']!.properties!['why']).toEqual({
      anyOf: [{ $ref: '#/components/schemas/RecommendationReason' }, { type: 'null' }],
    })
    expect(served.length).toBeLessThan(600_000)
  })

  it('The API description defines the body of every success and every failure', () => {
    for (const { name, path, operation } of operations) {
      const statuses = Object.keys(operation.responses)
      expect([name, statuses.some((status) => /^(2|302)/.test(status)), statuses.includes('500')]).toEqual([
        name,
        true,
        true,
      ])
      if (operation.requestBody) expect([name, statuses]).toEqual([name, expect.arrayContaining(['400', '413'])])
      const open = operation.security?.length === 0 || path === api.session() || path === api.signOut()
      expect([name, open || statuses.includes('401')]).toEqual([name, true])
      for (const [status, response] of Object.entries(operation.responses)) {
        expect([name, status, response.description]).toEqual([name, status, expect.stringMatching(/\w/)])
        if (status === '204') expect([name, response.content]).toEqual([name, undefined])
        else if (status.startsWith('2'))
          expect([name, status, Object.keys(response.content ?? {}).length > 0]).toEqual([name, status, true])
        else if (!['302', '304', '416'].includes(status))
          expect([name, status, response.content?.['application/json']?.example]).toEqual([
            name,
            status,
            expect.any(Object),
          ])
      }
    }
  })

  it('The API description states that an upload needs its file', () => {
    for (const path of [api.documents(), functionPath('extract-pdf-text')])
      expect(document.paths[path]!['post']!.requestBody).toMatchObject({
        required: true,
        content: {
          'multipart/form-data': {
            schema: { required: ['file'], properties: { file: { type: 'string', format: 'binary' } } },
          },
        },
      })
  })

  it('The API description has an example for every JSON body, with described fields', () => {
    for (const { name, operation } of operations) {
      const json = operation.requestBody?.content['application/json']
      if (!json) continue
      expect([name, Object.keys(json.example as object).length > 0]).toEqual([name, true])
      expect([name, Object.keys(json.schema!.properties!)]).toEqual([
        name,
        expect.arrayContaining(Object.keys(json.example as object)),
      ])
    }
  })
})

describe('its examples', () => {
  const example = (name: string) =>
    operations.find((one) => one.name === name)!.operation.requestBody!.content['application/json']!.example

  it.each([
    'POST /api/projects',
    'POST /functions/v1/analyze-pdf',
    'POST /functions/v1/generate-query-embedding',
    'POST /functions/v1/generate-answer',
  ])('The example of %s works unchanged', async (name) => {
    expect(await ada.json(name.split(' ')[1]!, { body: example(name) })).toBeTruthy()
  })

  it('The examples of errors have the actual shapes (ERR-02)', async () => {
    const refused = await ada.fetch(api.projects(), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
    expect(await refused.json()).toEqual({
      error: { code: 'refused', message: expect.any(String), fields: { name: expect.any(String) } },
    })
    const account = await fetch(server.url + api.signIn(), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(example('POST /auth/v1/sign-in/email')),
    })
    expect([account.status, await account.json()]).toMatchObject([
      401,
      { error: { code: expect.any(String), message: expect.any(String) } },
    ])
  })
})

it('Every operation with query parameters refuses an unknown one and names it', async () => {
  const admin = await signUpAdmin(server)
  const asked = operations.filter(
    ({ path, operation }) =>
      path.startsWith('/api/') && operation.parameters?.some((parameter) => parameter.in === 'query'),
  )
  expect(asked.length).toBeGreaterThan(20)
  for (const { name, method, path } of asked) {
    const address = path.replaceAll(/\{\w+\}/g, crypto.randomUUID())
    const response = await admin.fetch(`${address}?colour=red`, { method: method.toUpperCase() })
    const { error } = (await response.json()) as { error: { code: string; fields?: Record<string, string> } }
    expect([name, response.status, error.code, error.fields?.['colour']]).toEqual([
      name,
      400,
      'malformed',
      'There is no such parameter.',
    ])
  }
})

it('The page of the API description loads its parts from this server only', async () => {
  const page = await fetch(`${server.url}/api/docs`)
  expect([page.status, page.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/html')])
  expect(page.headers.get('content-security-policy')).toContain("script-src 'self';")
  const html = await page.text()
  const parts = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map((found) => found[1]!)
  expect(parts.length).toBeGreaterThanOrEqual(3)
  for (const part of parts) {
    expect(part).toMatch(/^\/api\/docs\//)
    const asset = await fetch(server.url + part)
    expect([part, asset.status, (await asset.text()).length > 50]).toEqual([part, 200, true])
  }
  expect((await fetch(`${server.url}/api/docs/..%2fpackage.json`)).status).toBe(404)
})
