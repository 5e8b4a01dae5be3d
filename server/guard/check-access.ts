import type { HonoRequest, MiddlewareHandler } from 'hono'
import { callerOf, readActor } from '#server/auth/index.ts'
import { checkKey, type KeyActor, keyIn, missingScope, recordCall } from '#server/keys/index.ts'
import { AppError } from '#server/lib/errors.ts'
import { KEY_NEEDED, NO_KEY_MAY, scopeNeeded } from '#shared/contract/api-keys.ts'
import { api } from '#shared/contract/paths.ts'
import { createTurns } from '#server/lib/turns.ts'
import { countRequest, type LimitName } from '#server/http/rate-limit.ts'
import { addressOf, routeOf } from '#server/http/request.ts'
import { accessOf, type RouteAccess, scopesOf } from '#server/http/route-access.ts'
import { noteUser } from '#server/lib/request-context.ts'
import { type AppBindings, type AppContext, requireAdmin } from '#server/http/router.ts'

/**
 * Maximum number of requests of one user to models that are handled at the same time. A request counts until its response
 * begins. Further requests wait.
 */
const AI_REQUESTS_AT_ONCE = 2

const inTurn = createTurns(AI_REQUESTS_AT_ONCE)

/**
 * Applies the access rule of the route before all other handlers of the request. Reads the session or the API key. Refuses
 * callers without a session or key, keys without the scope, callers without the admin right and calls above the rate limit.
 * Rights in projects and on rows are checked later, by the rooms and the database.
 */
export const checkAccess: MiddlewareHandler<AppBindings> = async (context, next) => {
  context.set('actor', null)
  const rule = accessOf(context)
  if (!rule) throw new AppError('not_found', 'There is nothing at this address.')
  const key = keyIn(context.req.raw.headers)
  if (rule.role !== 'visitor' && key !== null) return withKey(context, key, rule, next)
  if (rule.role === 'pending') await callerOf(context.req.raw.headers, { pending: true })
  else if (rule.role !== 'visitor') {
    const actor = await readActor(context.req.raw.headers)
    if (!actor) throw noSession(context.req, rule)
    context.set('actor', actor)
    noteUser(actor.userId)
  }
  if (rule.role === 'admin') requireAdmin(context)
  return withinLimit(context, rule, next)
}

/** Handles a request with an API key and records the call. A session cookie of the request has no effect. */
async function withKey(context: AppContext, text: string, rule: RouteAccess, next: () => Promise<void>) {
  const started = performance.now()
  const address = addressOf(context)
  const actor = await checkKey(text).catch(async (error: unknown) => {
    if (error instanceof AppError && error.code === 'invalid_key') await countRequest('key-failed', { address })
    throw error
  })
  context.set('actor', actor)
  noteUser(actor.userId, actor.key.id)
  let failed: AppError | undefined
  try {
    await countKey(actor, rule)
    const scopes = scopesOf(rule)
    if (scopes === null) throw new AppError('scope', NO_KEY_MAY)
    const missing = missingScope(actor, scopes)
    if (missing) throw new AppError('scope', scopeNeeded(missing))
    await withinLimit(context, rule, next)
  } catch (error) {
    if (error instanceof AppError) failed = error
    throw error
  } finally {
    const recorded = context.get('recorded')
    recordCall(actor, {
      route: [routeOf(context), ...(recorded ? [recorded.name] : [])].join(' '),
      status: failed?.status ?? recorded?.status ?? context.res.status,
      milliseconds: Math.round(performance.now() - started),
      address,
    })
  }
}

/** Counts a call with an API key against the rate limits of the key. */
async function countKey({ key }: KeyActor, { limit, body }: RouteAccess): Promise<void> {
  const person = key.id
  await countRequest('key', { person })
  if (limit === 'ai') await countRequest('key-ask', { person })
  if (body === 'file') await countRequest('key-upload', { person })
}

async function withinLimit(context: AppContext, rule: RouteAccess, next: () => Promise<void>) {
  if (rule.limit === 'none') return next()
  const person = context.get('actor')?.userId
  const handle = async () => {
    await countRequest(rule.limit as LimitName, { person, address: addressOf(context) })
    await next()
  }
  return rule.limit === 'ai' && person !== undefined ? inTurn(person, handle) : handle()
}

/** Returns the error for a call without a session. Its code and message depend on the path and on the body of the route. */
function noSession({ path }: HonoRequest, { body }: RouteAccess): AppError {
  if (path === '/mcp') return new AppError('invalid_key', KEY_NEEDED)
  if (path.startsWith('/functions/')) return new AppError('no_session', 'No active session')
  const isUpload = body === 'file' || path === api.driveImport()
  if (!isUpload) return new AppError('no_session', 'You are not logged in.')
  const uploads = path === api.documents() ? 'documents' : 'files'
  return new AppError('no_session', `You must be logged in to upload ${uploads}`)
}
