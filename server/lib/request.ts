import { getConnInfo } from '@hono/node-server/conninfo'
import { matchedRoutes } from 'hono/route'
import { clientAddress } from './client-address.ts'
import type { AppContext } from './router.ts'

/** The route that answers a request, as the router knows it: 'GET /api/documents/:id'. What is called by no route is 'GET /*'. */
export function routeOf(context: AppContext): string {
  const found = matchedRoutes(context).find(({ method }) => method !== 'ALL')
  return found ? `${found.method} ${found.path}` : `${context.req.method} /*`
}

/** The address of who asks, as far as it can be trusted. */
export const addressOf = (context: AppContext): string =>
  clientAddress(getConnInfo(context).remote.address ?? '', context.req.header('x-forwarded-for'))
