import type { MiddlewareHandler } from 'hono'

/**
 * Answers HEAD with the headers of GET, and ends what GET would have sent: a stream that nobody reads would keep its file, its
 * place among a person's event streams or its connection for ever.
 */
export const headWithoutBody: MiddlewareHandler = async (context, next) => {
  await next()
  if (context.req.method !== 'HEAD' || !context.res.body) return
  await context.res.body.cancel().catch(() => undefined)
  context.res = new Response(null, context.res)
}
