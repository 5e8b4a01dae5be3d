import type { MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { AppError } from '#server/lib/errors.ts'
import { accessOf, maxBytesOf, type RouteAccess } from '#server/http/route-access.ts'
import type { AppBindings } from '#server/http/router.ts'
import { parseLargeBody } from '#server/texts/index.ts'

const limits = new Map<number, MiddlewareHandler>()

/** Refuses a body that is larger than the route's access rule allows, and parses a large JSON body in a worker. */
export const limitBody: MiddlewareHandler<AppBindings> = async (context, next) => {
  const rule = accessOf(context)
  // A file is streamed, and its reader counts the bytes.
  if (!rule || rule.body === 'file') return next()
  return limitOf(rule)(context, async () => {
    if (rule.body !== 'none') await parseLargeBody(context)
    await next()
  })
}

/**
 * Returns the middleware that enforces the maximum size of a body in an access rule. Rules with equal limits share one
 * middleware.
 */
function limitOf(rule: RouteAccess): MiddlewareHandler {
  const maxSize = maxBytesOf(rule)
  const limit = limits.get(maxSize) ?? bodyLimit({ maxSize, onError: tooLarge })
  limits.set(maxSize, limit)
  return limit
}

function tooLarge(): never {
  throw new AppError('too_large', 'Request too large')
}
