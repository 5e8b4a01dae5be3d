import { OpenAPIHono } from '@hono/zod-openapi'
import { describeApi } from '#server/api-docs/index.ts'
import { SESSION_COOKIE } from '#server/auth/index.ts'
import {
  boundBodies,
  checkAccess,
  defaultPolicies,
  headWithoutBody,
  limitBody,
  refuseOtherHosts,
  refuseOtherSites,
  securityHeaders,
  shareWithOrigins,
  watchRequests,
} from '#server/guard/index.ts'
import { asAppError, errorInit } from '#server/http/error-response.ts'
import { AppError } from '#server/lib/errors.ts'
import { access, accessTable } from '#server/http/route-access.ts'
import { type AppBindings, type AppContext } from '#server/http/router.ts'
import { routes as account } from './account/routes.ts'
import { routes as analysis } from './analysis/routes.ts'
import { routes as apiDocs } from './api-docs/routes.ts'
import { routes as audit } from './audit/routes.ts'
import { routes as auth } from './auth/routes.ts'
import { routes as chat } from './chat/routes.ts'
import { routes as citations } from './citations/routes.ts'
import { routes as conversations } from './conversations/routes.ts'
import { routes as copies } from './copies/routes.ts'
import { routes as exports } from './exports/routes.ts'
import { routes as documents } from './documents/routes.ts'
import { routes as drive } from './drive/routes.ts'
import { routes as duplicates } from './duplicates/routes.ts'
import { routes as evidence } from './evidence/routes.ts'
import { routes as extraction } from './extraction/routes.ts'
import { routes as feeds } from './feeds/routes.ts'
import { routes as functions } from './functions/routes.ts'
import { routes as health } from './health/routes.ts'
import { routes as identifiers } from './identifiers/routes.ts'
import { routes as imports } from './imports/routes.ts'
import { routes as invitations } from './invitations/routes.ts'
import { routes as jobs } from './jobs/routes.ts'
import { routes as journals } from './journals/routes.ts'
import { routes as keys } from './keys/routes.ts'
import { routes as lookup } from './lookup/routes.ts'
import { routes as mcp } from './mcp/routes.ts'
import { routes as notices } from './notices/routes.ts'
import { routes as people } from './people/routes.ts'
import { routes as pictures } from './pictures/routes.ts'
import { routes as profiles } from './profiles/routes.ts'
import { routes as processing } from './processing/routes.ts'
import { routes as projects } from './projects/routes.ts'
import { routes as prompts } from './prompts/routes.ts'
import { routes as recommendations } from './recommendations/routes.ts'
import { routes as references } from './references/routes.ts'
import { routes as retrieval } from './retrieval/routes.ts'
import { routes as runs } from './runs/routes.ts'
import { routes as search } from './search/routes.ts'
import { routes as site } from './site/routes.ts'
import { routes as staticFiles } from './static-files/routes.ts'
import { routes as trash } from './trash/routes.ts'
import { routes as usage } from './usage/routes.ts'
import { routes as system } from './system/routes.ts'
import { routes as zotero } from './zotero/routes.ts'

/** Creates the HTTP application: the middleware for every request, then all routes. Throws if a route has no access rule. */
export function createApp() {
  const app = new OpenAPIHono<AppBindings>()

  app.onError((error, context) => {
    const { init, ...refused } = describe(error, context as AppContext)
    // Server functions report every error as a message only.
    if (context.req.path.startsWith('/functions/'))
      return Response.json({ error: refused.code === 'internal' ? 'Unknown error' : refused.message }, init)
    // JSON omits undefined members.
    return Response.json({ error: refused }, init)
  })
  for (const guard of [
    watchRequests,
    readWholeBody,
    headWithoutBody,
    securityHeaders,
    defaultPolicies,
    shareWithOrigins,
    refuseOtherHosts,
    refuseOtherSites,
    checkAccess,
    boundBodies,
    limitBody,
  ])
    app.use('*', guard)

  app.route('/', health)
  app.route('/auth/v1', auth)
  app.route('/', pictures)
  for (const room of [
    site,
    profiles,
    account,
    keys,
    projects,
    invitations,
    imports,
    references,
    copies,
    documents,
    citations,
    exports,
    duplicates,
    evidence,
    trash,
    lookup,
    identifiers,
    drive,
    zotero,
    processing,
    extraction,
    analysis,
    retrieval,
    runs,
    search,
    chat,
    conversations,
    jobs,
    notices,
    prompts,
    journals,
    feeds,
    recommendations,
    audit,
    usage,
    people,
    system,
  ])
    app.route('/api', room)
  app.route('/api', apiDocs)
  app.route('/functions/v1', functions)
  app.route('/', mcp)
  app.openAPIRegistry.registerComponent('securitySchemes', 'bearer', {
    type: 'http',
    scheme: 'bearer',
    description:
      'An API key (Settings, API keys), which needs the scopes in x-scope of the operation, or the set-auth-token header of POST /auth/v1/sign-in/email',
  })
  app.openAPIRegistry.registerComponent('securitySchemes', 'cookie', {
    type: 'apiKey',
    in: 'cookie',
    name: SESSION_COOKIE,
    description: 'The session cookie of a signed-in browser',
  })
  const open = access({ role: 'visitor', body: 'none', limit: 'none', scope: 'none' })
  let description: string | undefined
  app.get('/api/openapi.json', open, (context) => {
    // Created once: visitors can call this route, and the server answers no other request during the creation.
    description ??= JSON.stringify(describeApi(app))
    return context.body(description, 200, { 'content-type': 'application/json' })
  })
  app.all('/api/*', access({ role: 'user', body: 'none', limit: 'none', scope: 'read' }), () => {
    throw new AppError('not_found', 'There is nothing at this address.')
  })
  app.route('/', staticFiles)
  accessTable(app)
  return app
}

function describe(error: unknown, context: AppContext) {
  const known = asAppError(error, context)
  const { code, message, fields, current } = known
  return { code, message, fields, current, init: errorInit(known) }
}

/** Time limit in milliseconds for reading the rest of a request's body after the request was refused. */
const LEFTOVER_MS = 10_000

/**
 * Middleware that reads the rest of a request's body before an error response is sent. If the connection closed while the
 * client still sends the body, the client would report a broken connection instead of the error.
 */
async function readWholeBody(context: AppContext, next: () => Promise<void>) {
  await next()
  if (context.res.status < 400 || ['GET', 'HEAD'].includes(context.req.method)) return
  const { body, bodyUsed } = context.req.raw
  if (!body || bodyUsed || body.locked) return
  // Fails when the client disconnected or is too slow; the response is sent anyway.
  await body.pipeTo(new WritableStream(), { signal: AbortSignal.timeout(LEFTOVER_MS) }).catch(() => undefined)
}
