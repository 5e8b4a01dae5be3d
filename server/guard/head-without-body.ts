import type { MiddlewareHandler } from 'hono'

/**
 * Answers HEAD with the headers of GET, and cancels the body of GET: an unread stream would never release its file, event stream
 * slot or connection.
 */
export const headWithoutBody: MiddlewareHandler = async (context, next) => {
  await next()
  if (context.req.method !== 'HEAD' || !context.res.body) return
  await context.res.body.cancel().catch(() => undefined)
  context.res = new Response(null, context.res)
}
