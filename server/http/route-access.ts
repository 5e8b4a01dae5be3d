import type { MiddlewareHandler } from 'hono'
import { matchedRoutes } from 'hono/route'
import { type KeyScope, KEY_SCOPES } from '#shared/contract/api-keys.ts'
import type { ProjectRight } from '#shared/contract/roles.ts'
import type { LimitName } from './rate-limit.ts'
import type { AppBindings, AppContext } from './router.ts'

/**
 * Callers of a route. visitor: everyone. pending: signed in, or with an unanswered second factor. user: signed in; the response
 * contains only data that the caller may read. A right in a project (shared/contract/roles.ts): a member whose role has the
 * right in the project of the requested object. A member without the right gets 403; other users, admins included, get 404. The
 * creator of an object without a project has all rights. owner: the signed-in owner of the object; other users get 404. owner
 * or admin: the owner and every admin. admin: admins; other users get 403.
 */
export type Role = 'visitor' | 'pending' | 'user' | ProjectRight | 'owner' | 'owner or admin' | 'admin'

const KB = 1024
const MB = 1024 * KB

/**
 * Maximum size of a body in bytes, by kind. none: the route reads no body, but some clients send an empty object. json: a form
 * or a list. text: JSON with the whole text of a paper. file: the handler streams the file to disk and counts the bytes as they
 * arrive.
 */
const BODY_BYTES = { none: 64 * KB, json: 2 * MB, text: 64 * MB, file: Infinity } as const

/** The access rule of a route. The guards check it before the handler is called. */
export interface RouteAccess {
  role: Role
  body: keyof typeof BODY_BYTES
  /** Maximum size of a body in bytes, if it is smaller than BODY_BYTES of the kind of body. */
  maxBytes?: number
  /** The rate limit that counts the calls by user and by client address (rate-limit.ts). */
  limit: LimitName | 'none'
  /**
   * The scopes that an API key needs for the route. none: no key may call the route. It has no effect on a route for visitors,
   * because such a route does not read the key.
   */
  scope: KeyScope | 'ask write' | 'none'
}

/** Returns the scopes that an API key needs for a route, or null if no key may call the route. */
export const scopesOf = ({ scope }: RouteAccess): KeyScope[] | null =>
  scope === 'none' ? null : KEY_SCOPES.filter((one) => scope.split(' ').includes(one))

/** Returns the maximum size of a body in bytes that an access rule allows. */
export const maxBytesOf = ({ body, maxBytes }: RouteAccess): number => maxBytes ?? BODY_BYTES[body]

const recorded = new WeakMap<object, RouteAccess>()

/**
 * Returns a middleware without effect on requests. It connects the access rule with the route for which it is registered, so
 * that `accessOf` finds the rule.
 */
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

/**
 * Returns whether a handler is middleware of the whole application, which needs no access rule. Such middleware is registered
 * before the first route.
 */
const isForAll = ({ method, path }: MountedHandler) => method === 'ALL' && path === '/*'

/**
 * Returns the access rule of every mounted route, with keys such as 'GET /api/projects/:id', in alphabetical order. Throws an
 * error with the names of the routes without a rule, because the server must not start with such a route.
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
