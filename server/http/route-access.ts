import type { MiddlewareHandler } from 'hono'
import { matchedRoutes } from 'hono/route'
import { type KeyScope, KEY_SCOPES } from '#shared/contract/api-keys.ts'
import type { ProjectRight } from '#shared/contract/roles.ts'
import type { LimitName } from './rate-limit.ts'
import type { AppBindings, AppContext } from './router.ts'

/**
 * Callers of a route.
 * visitor: everyone. pending: signed in, or with an unanswered second factor. user: signed in; the response contains only data
 * that the caller may read. A right in a project (shared/contract/roles.ts): members of the project of the object that the path,
 * the query or the body names, whose role has the right; other members get 403, and other users 404, admins included. The creator
 * of an object without a project has all rights. owner: signed in, and owner of the object; other users get 404. owner or admin:
 * as owner, and every admin. admin: admins; others get 403.
 */
export type Role = 'visitor' | 'pending' | 'user' | ProjectRight | 'owner' | 'owner or admin' | 'admin'

const KB = 1024
const MB = 1024 * KB

/**
 * The largest body in bytes, by kind. none: the route reads no body; some clients send an empty object. json: a form or a list.
 * text: JSON with the whole text of a paper. file: the handler streams it to disk and counts the bytes as they arrive.
 */
const BODY_BYTES = { none: 64 * KB, json: 2 * MB, text: 64 * MB, file: Infinity } as const

/** The access rule of a route; the guards check it before the room gets the request. */
export interface RouteAccess {
  role: Role
  body: keyof typeof BODY_BYTES
  /** The largest body in bytes, if it is smaller than BODY_BYTES of its kind. */
  maxBytes?: number
  /** The rate limit that counts the calls by user and by client address (rate-limit.ts). */
  limit: LimitName | 'none'
  /**
   * The scopes that an API key needs. none: no key may call the route. Without effect on a route for visitors, which does
   * not read the key.
   */
  scope: KeyScope | 'ask write' | 'none'
}

/** Returns the scopes that an API key needs for a route; null: no key may call it. */
export const scopesOf = ({ scope }: RouteAccess): KeyScope[] | null =>
  scope === 'none' ? null : KEY_SCOPES.filter((one) => scope.split(' ').includes(one))

/** Returns the largest body in bytes that a rule allows. */
export const maxBytesOf = ({ body, maxBytes }: RouteAccess): number => maxBytes ?? BODY_BYTES[body]

const recorded = new WeakMap<object, RouteAccess>()

/** Returns a middleware that records the access rule of the route for which it is registered. */
export function access(rule: RouteAccess): MiddlewareHandler<AppBindings> {
  // A new function for each call: it is the key of the rule.
  const record: MiddlewareHandler<AppBindings> = (_, next) => next()
  recorded.set(record, rule)
  return record
}

/** Returns the access rule of the route that answers a request; null for an address without a route. */
export function accessOf(context: AppContext): RouteAccess | null {
  for (const { handler } of matchedRoutes(context)) {
    const rule = recorded.get(handler)
    if (rule) return rule
  }
  return null
}

interface MountedHandler {
  method: string
  path: string
  handler: object
}

/** Middleware of the whole application, which needs no rule. It is registered before the first route. */
const isForAll = ({ method, path }: MountedHandler) => method === 'ALL' && path === '/*'

/**
 * Returns the access rule of every mounted route, as 'GET /api/projects/:id', in alphabetical order. Throws an error
 * that names each route without a rule: the server must not start with it.
 */
export function accessTable({ routes }: { routes: readonly MountedHandler[] }): Record<string, RouteAccess> {
  const mounted = routes.slice(routes.findIndex((one) => !isForAll(one)))
  const table = new Map<string, RouteAccess | undefined>()
  for (const { method, path, handler } of mounted) {
    const name = `${method} ${path}`
    const rule = recorded.get(handler)
    // Node does not check types, so that at run time a rule can lack its scope.
    table.set(name, table.get(name) ?? (rule?.scope === undefined ? undefined : rule))
  }
  const missing = [...table].filter(([, rule]) => rule === undefined).map(([name]) => name)
  if (missing.length > 0)
    throw new Error(
      `Routes without role, body, limit and scope (see server/http/define-route.ts): ${missing.join(', ')}`,
    )
  const rows = [...table] as [string, RouteAccess][]
  return Object.fromEntries(rows.toSorted(([one], [other]) => (one < other ? -1 : 1)))
}
