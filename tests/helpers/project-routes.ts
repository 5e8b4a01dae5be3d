import type { Client } from './client.ts'
import { readAccessTable } from './access-table.ts'

/** A route in the API description whose path, query or body contains the id of a project or a document. */
export interface ProjectRoute {
  method: string
  path: string
  /** The right in the project that the route needs, such as 'edit'. */
  right: string
  of: 'project' | 'document'
  query: string[]
  body: Record<string, unknown> | undefined
  isForm: boolean
}

interface Operation {
  parameters?: { name: string; in: string }[]
  requestBody?: { content: Record<string, { example?: Record<string, unknown> }> }
}

const RIGHTS = new Set(['read', 'comment', 'ask', 'review', 'edit', 'resolve', 'manage'])
/** Example bodies by route, for routes that have no example in the API description. */
const BODIES: Record<string, Record<string, unknown>> = {
  'POST /functions/v1/ocr-pdf': { document_url: '' },
  'POST /api/documents/process': { document_ids: [''], steps: ['vectorize'] },
}
/** Matches routes that copy documents into a project. They need the right in the target project, whose id is in the body. */
const INTO_PROJECT = /\/api\/documents\/copy$/
/**
 * Matches routes of objects other than projects and documents (jobs, imports, runs …), and routes of Google Drive, which check
 * the settings of the service before the rights.
 */
const OF_OBJECTS =
  /\/api\/(?:(?:jobs|recommendations|invitations|zotero\/imports|imports|import-records|runs|joined-papers|evidence|conversations|messages|saved-searches)\/\{|runs\/compare|trash\/)|drive/

/**
 * Returns the routes in the API description that need a right in a project. Without 'all', excludes the routes that OF_OBJECTS
 * matches. With 'all', includes them and the routes with the role 'owner'.
 */
export async function readProjectRoutes(client: Client, wanted?: 'all'): Promise<ProjectRoute[]> {
  const { paths } = await client.json<{ paths: Record<string, Record<string, Operation>> }>('/api/openapi.json')
  const table = readAccessTable()
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([verb, operation]) => {
      const method = verb.toUpperCase()
      const route = `${method} ${path}`
      const right = table[route.replaceAll(/\{(\w+)\}/g, ':$1')]?.role ?? ''
      const isWanted = wanted ? RIGHTS.has(right) || right === 'owner' : RIGHTS.has(right) && !OF_OBJECTS.test(route)
      if (!isWanted) return []
      const content = operation.requestBody?.content ?? {}
      const body = BODIES[route] ?? content['application/json']?.example
      const query = (operation.parameters ?? []).filter((one) => one.in === 'query').map(({ name }) => name)
      const names = `${path.includes('/documents/{id}') ? 'document_id' : ''} ${Object.keys(body ?? {}).join(' ')}`
      const isOfDocument = /\b(?:document_ids?|doc_id|document_url|ids|join_ids)\b/.test(names)
      const of = isOfDocument && !INTO_PROJECT.test(route) ? 'document' : 'project'
      return [{ method, path, right, of, query, body, isForm: 'multipart/form-data' in content } as const]
    }),
  )
}

/**
 * Builds a call of a route with the ids of a project, a document and a user. Returns the path and the options of `fetch`.
 * `objects` has the ids of other objects by the part of the path before the id, such as '/api/runs'.
 */
export function callOf(
  { path, query, body, isForm, method }: ProjectRoute,
  ids: { project: string; document: string; user: string },
  objects: Readonly<Record<string, string>> = {},
): { path: string; init: RequestInit } {
  const own =
    objects[path.slice(0, path.indexOf('/{'))] ?? (path.startsWith('/api/projects/') ? ids.project : ids.document)
  const address = path
    .replace('{id}', own)
    .replace('{user_id}', ids.user)
    .replaceAll(/\{\w+\}/g, crypto.randomUUID())
  const run = objects['/api/runs'] ?? crypto.randomUUID()
  const params: Record<string, string> = {
    one: run,
    other: run,
    project_id: ids.project,
    journal_id: crypto.randomUUID(),
    format: 'json',
  }
  const given = query.flatMap((name) => (params[name] ? `${name}=${params[name]}` : []))
  const search = given.length > 0 ? `?${given.join('&')}` : ''
  if (isForm) {
    const form = new FormData()
    form.append('project_id', ids.project)
    form.append('file', new File(['%PDF-1.4'], 'paper.pdf', { type: 'application/pdf' }))
    return { path: address, init: { method, body: form } }
  }
  if (!body) return { path: address + search, init: { method } }
  const values: Record<string, unknown> = {
    project_id: ids.project,
    projectId: ids.project,
    from_project_id: ids.project,
    document_id: ids.document,
    doc_id: ids.document,
    document_url: ids.document,
    document_ids: [ids.document],
    ids: [ids.document],
    keep_id: ids.document,
    join_ids: [ids.document],
    user_id: ids.user,
  }
  const filled = Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, value === null ? null : (values[name] ?? value)]),
  )
  return {
    path: address + search,
    init: { method, body: JSON.stringify(filled), headers: { 'content-type': 'application/json' } },
  }
}
