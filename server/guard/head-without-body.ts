import type { MiddlewareHandler } from 'hono'

/**
 * Answers HEAD with the headers of the response to GET, and cancels the body of that response. An unread body would never
 * release its file, event stream or connection.
 */
export const headWithoutBody: MiddlewareHandler = async (context, next) => {
  await next()
  if (context.req.method !== 'HEAD' || !context.res.body) return
  await context.res.body.cancel().catch(() => undefined)
  context.res = new Response(null, context.res)
}
