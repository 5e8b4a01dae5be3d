import { createRoute, type RouteConfig } from '@hono/zod-openapi'
import { ZodObject, type ZodType } from 'zod'
import type { Handler, MiddlewareHandler } from 'hono'
import { projectRight } from '#shared/contract/roles.ts'
import { refusal } from './respond.ts'
import { access, type RouteAccess } from './route-access.ts'
import type { AppBindings, createRouter } from './router.ts'

/** The content type of each kind of body. */
const CONTENT = { json: 'application/json', text: 'application/json', file: 'multipart/form-data' } as const

/**
 * The descriptions of the response 403: NOT_ADMIN for a caller without admin rights, MISSING_RIGHT for a caller without the
 * required right in the project.
 */
export const NOT_ADMIN = 'Not an admin'
export const MISSING_RIGHT = 'The role in the project does not include the action'

/**
 * Defines a route of the API together with its access rule: role, kind of body, rate limit and scope. The guards apply the rule
 * before they call the handler. The other fields are those of `createRoute` (@hono/zod-openapi). Unknown query parameters are
 * refused. Throws if the kind of body differs from the content type of the schema.
 *
 * @example
 *   defineRoute({
 *     method: 'get',
 *     path: '/notes/{id}',
 *     access: { role: 'owner', body: 'none', limit: 'none', scope: 'none' },
 *     request: idOf('Note'),
 *     responses: { 200: one(note, 'The note'), ...refusals },
 *   })
 */
export function defineRoute<const R extends RouteConfig>({ access: rule, ...config }: R & { access: RouteAccess }) {
  const declared = Object.keys(config.request?.body?.content ?? {})
  const expected = rule.body === 'none' ? [] : [CONTENT[rule.body]]
  if (String(declared) !== String(expected))
    throw new Error(`${config.method} ${config.path}: body '${rule.body}' but the schema has '${String(declared)}'`)
  const isForAdmins = rule.role === 'admin'
  const needsRight = projectRight.exclude(['read']).safeParse(rule.role).success
  const { query } = config.request ?? {}
  return createRoute<string, R & { middleware: MiddlewareHandler<AppBindings> }>({
    ...(config as unknown as R),
    ...(query ? { request: { ...config.request, query: strict(query) } } : undefined),
    ...(isForAdmins
      ? { responses: { ...config.responses, 403: refusal(NOT_ADMIN) }, 'x-admins-only': true }
      : undefined),
    ...(needsRight ? { responses: { ...config.responses, 403: refusal(MISSING_RIGHT) } } : undefined),
    middleware: access(rule),
  })
}

/**
 * Returns a schema of the query parameters that refuses unknown parameters. Otherwise a misspelled filter would be ignored, and
 * the response would contain all rows.
 */
function strict(query: ZodType): ZodObject {
  if (!(query instanceof ZodObject)) throw new Error('The query of a route is a zod object.')
  return query.strict()
}

/**
 * Registers a route whose handler reads the body itself, so that it can stop a file that is too large while it arrives. The API
 * document contains the route, but no validator reads the request.
 */
export function streamRoute(
  routes: ReturnType<typeof createRouter>,
  route: ReturnType<typeof defineRoute>,
  handler: Handler<AppBindings>,
): void {
  const { middleware, ...documented } = route
  routes.openAPIRegistry.registerPath(documented)
  routes.on(route.method, route.getRoutingPath(), middleware, handler)
}
