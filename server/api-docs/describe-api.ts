import type { OpenAPIHono } from '@hono/zod-openapi'
import { accessTable } from '#server/http/route-access.ts'
import { env } from '#server/lib/env.ts'
import type { AppBindings } from '#server/http/router.ts'
import { version } from '#server/lib/version.ts'
import { EXAMPLES } from './examples.ts'
import { nameSchemas } from './named-schemas.ts'
import { errorResponse, functionError, sharedResponses } from './refusals.ts'

type ApiDocument = ReturnType<OpenAPIHono<AppBindings>['getOpenAPI31Document']>
type PathItem = NonNullable<ApiDocument['paths']>[string]
type Operation = NonNullable<PathItem['get']>

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const
const ABOUT = `Resources under /api, server functions under /functions/v1, accounts under /auth/v1.

Sign up and sign in under /auth/v1, then send the token of the \`set-auth-token\` header as \`Authorization: Bearer …\`; the web app uses the session cookie instead.
Programs send an API key in the same header. \`x-scope\` of an operation names the scopes that the key needs; \`none\`: no key may call it.
Lists answer \`{ data, count }\` with the exact count of all pages; a single row answers \`{ data }\`. Long operations answer 202 with a job; \`GET /api/jobs/{id}\` and the event stream \`GET /api/events\` report its progress.
A resource that does not exist and one that belongs to another user answer the same 404.`

/** Returns the OpenAPI 3.1 document of every route of `app`. Adds names, examples and the common errors to each operation. */
export function describeApi(app: OpenAPIHono<AppBindings>): ApiDocument {
  const { app: described, schemas } = nameSchemas(app)
  const document = described.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: `${env.PRODUCT_NAME} API`,
      version,
      description: ABOUT,
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }, { cookie: [] }],
  })
  const rules = accessTable(app)
  for (const [path, item] of Object.entries(document.paths ?? {}))
    for (const method of METHODS) {
      const operation = item[method]
      if (!operation) continue
      completeOperation(operation, method, path)
      const scope = rules[`${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`]?.scope
      Object.assign(operation, { 'x-scope': scope })
    }
  const operations = Object.values(document.paths ?? {}).flatMap((item) => METHODS.flatMap((one) => item[one] ?? []))
  const tags = new Set(operations.flatMap((operation) => operation.tags ?? []))
  const components = {
    ...document.components,
    schemas: { ...document.components?.schemas, ...schemas, ...functionError },
    responses: sharedResponses(JSON.stringify(document.paths)),
  } as ApiDocument['components']
  completeTuples(document.paths)
  completeTuples(components)
  return { ...document, components, tags: [...tags].map((name) => ({ name })) }
}

/** Adds `items` to arrays of fixed length, because many generators of clients do not know `prefixItems`. */
function completeTuples(value: unknown): void {
  if (value === null || typeof value !== 'object') return
  if ('prefixItems' in value && Array.isArray(value.prefixItems) && !('items' in value && value.items)) {
    const { length } = value.prefixItems
    Object.assign(value, { items: { anyOf: value.prefixItems }, minItems: length, maxItems: length })
  }
  for (const one of Object.values(value)) completeTuples(one)
}

function completeOperation(operation: Operation, method: string, path: string): void {
  const responses = (operation.responses ??= {}) as Record<string, { description?: string }>
  operation.operationId ??= nameOf(method, path)
  operation.summary ??= Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1].description ?? ''
  const json = (operation.requestBody as { content?: Record<string, object> } | undefined)?.content?.[
    'application/json'
  ]
  const example = EXAMPLES[`${method.toUpperCase()} ${path}`]
  if (json && example !== undefined) Object.assign(json, { example })
  const shared = [
    ...(operation.parameters?.some((one) => 'in' in one && one.in === 'query') || operation.requestBody ? ['400'] : []),
    ...(operation.requestBody ? ['413', '415'] : []),
    ...(method === 'get' ? [] : ['403']),
    '500',
  ]
  for (const status of shared) responses[status] ??= { description: '' }
  for (const [status, { description }] of Object.entries(responses)) {
    const response = errorResponse(path, status, description)
    if (response) responses[status] = response
  }
}

/**
 * Returns the operation id for generated clients. For example, 'post' and '/api/documents/{id}/extract' return
 * 'postDocumentsIdExtract'.
 */
function nameOf(method: string, path: string): string {
  const words = path.replace(/^\/(api|functions\/v1)\//, '').match(/[A-Za-z0-9]+/g) ?? []
  return method + words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('')
}
