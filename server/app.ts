import { OpenAPIHono } from '@hono/zod-openapi'
import { bodyLimit } from 'hono/body-limit'
import { secureHeaders } from 'hono/secure-headers'
import { describeApi } from '#server/api-docs/index.ts'
import { readActor, SESSION_COOKIE } from '#server/auth/index.ts'
import { publicUrl } from '#server/lib/env.ts'
import { asAppError, errorInit } from '#server/lib/error-response.ts'
import { AppError } from '#server/lib/errors.ts'
import { actorOf, type AppBindings, type AppContext } from '#server/lib/router.ts'
import { routes as account } from './account/routes.ts'
import { routes as analysis } from './analysis/routes.ts'
import { routes as apiDocs } from './api-docs/routes.ts'
import { routes as auth } from './auth/routes.ts'
import { routes as chat } from './chat/routes.ts'
import { routes as documents } from './documents/routes.ts'
import { routes as drive } from './drive/routes.ts'
import { routes as extraction } from './extraction/routes.ts'
import { routes as feeds } from './feeds/routes.ts'
import { routes as functions } from './functions/routes.ts'
import { routes as health } from './health/routes.ts'
import { routes as jobs } from './jobs/routes.ts'
import { routes as journals } from './journals/routes.ts'
import { routes as papers } from './papers/routes.ts'
import { routes as pictures } from './pictures/routes.ts'
import { routes as profiles } from './profiles/routes.ts'
import { routes as processing } from './processing/routes.ts'
import { routes as projects } from './projects/routes.ts'
import { routes as prompts } from './prompts/routes.ts'
import { routes as site } from './site/routes.ts'
import { routes as vectors } from './vectors/routes.ts'
import { routes as web } from './web/routes.ts'

const MB = 1024 * 1024
/** Addresses that take a file and count its bytes themselves. */
const UPLOADS = /^\/api\/(?:documents(?:\/[^/]+\/file)?|projects\/[^/]+\/hero-image|profiles\/[^/]+\/avatar)$/

/** The whole HTTP surface: what every request passes, then each room's routes. */
export function createApp() {
  const app = new OpenAPIHono<AppBindings>()

  app.onError((error, context) => {
    const { code, message, fields, ...known } = describe(error, context as AppContext)
    return Response.json({ error: { code, message, ...(fields ? { fields } : {}) } }, known.init)
  })
  app.use('*', readWholeBody)
  app.use(
    '*',
    secureHeaders({
      strictTransportSecurity: publicUrl().startsWith('https://') ? 'max-age=31536000; includeSubDomains' : false,
      crossOriginEmbedderPolicy: false,
      referrerPolicy: 'same-origin',
      xFrameOptions: 'DENY',
    }),
  )
  app.use('*', setPolicy)
  app.use('*', refuseOtherSites)

  app.route('/', health)
  // Nobody's session is needed here, so little is read.
  app.use('/auth/v1/*', bodyLimit({ maxSize: 64 * 1024, onError: tooLarge }))
  app.route('/auth/v1', auth)

  app.route('/', pictures)

  app.use('/api/*', readSession)
  app.use('/api/*', refuseVisitors)
  app.use('/functions/v1/*', readSession)
  const small = bodyLimit({ maxSize: 2 * MB, onError: tooLarge })
  const large = bodyLimit({ maxSize: 64 * MB, onError: tooLarge })
  // Uploads are streamed and count their own bytes; a text from a signed-in browser is large; everything else is small.
  app.use('/api/*', (context: AppContext, next) => {
    if (context.req.method === 'POST' && UPLOADS.test(context.req.path)) return next()
    return context.get('actor') && context.req.method === 'PUT' && context.req.path.endsWith('/text')
      ? large(context, next)
      : small(context, next)
  })
  for (const room of [
    site,
    profiles,
    account,
    projects,
    documents,
    papers,
    drive,
    processing,
    extraction,
    analysis,
    vectors,
    chat,
    jobs,
    prompts,
    journals,
    feeds,
  ])
    app.route('/api', room)
  app.route('/api', apiDocs)
  app.route('/functions/v1', functions)
  app.openAPIRegistry.registerComponent('securitySchemes', 'bearer', {
    type: 'http',
    scheme: 'bearer',
    description: 'The set-auth-token header of POST /auth/v1/sign-in/email',
  })
  app.openAPIRegistry.registerComponent('securitySchemes', 'cookie', {
    type: 'apiKey',
    in: 'cookie',
    name: SESSION_COOKIE,
    description: 'What a browser holds after signing in',
  })
  app.get('/api/openapi.json', (context) => context.json(describeApi(app)))
  app.all('/api/*', () => {
    throw new AppError('not_found', 'There is nothing at this address.')
  })
  app.route('/', web)
  return app
}

function describe(error: unknown, context: AppContext) {
  const known = asAppError(error, context)
  return { code: known.code, message: known.message, fields: known.fields, init: errorInit(known) }
}

/** Scripts come from this server alone; WebAssembly is what pdf.js decodes images with. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' blob: data:",
  "worker-src 'self' blob:",
  "connect-src 'self' blob:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

/** Sets the policy where a route did not set a stricter or fitting one of its own. */
async function setPolicy(context: AppContext, next: () => Promise<void>) {
  await next()
  if (!context.res.headers.has('content-security-policy'))
    context.res.headers.set('content-security-policy', CONTENT_SECURITY_POLICY)
}

/** How long a refused body may go on arriving. */
const LEFTOVER_MS = 10_000

/**
 * Takes in what a refusal left unread of a body before it is sent: a client that is still sending when the connection
 * closes sees a broken connection, and never the reason.
 */
async function readWholeBody(context: AppContext, next: () => Promise<void>) {
  await next()
  if (context.res.status < 400 || ['GET', 'HEAD'].includes(context.req.method)) return
  const { body, bodyUsed } = context.req.raw
  if (!body || bodyUsed || body.locked) return
  // Fails when the client is gone or too slow; the answer is sent all the same.
  await body.pipeTo(new WritableStream(), { signal: AbortSignal.timeout(LEFTOVER_MS) }).catch(() => undefined)
}

/**
 * Refuses changes that another site's page asks for with this person's cookie (OWASP: verifying origin with standard
 * headers). API clients send no such headers and are unaffected.
 */
async function refuseOtherSites(context: AppContext, next: () => Promise<void>) {
  if (!['GET', 'HEAD', 'OPTIONS'].includes(context.req.method)) {
    const site = context.req.header('sec-fetch-site')
    const origin = context.req.header('origin')
    const own = origin === undefined || origin === publicUrl() || URL.parse(origin)?.host === context.req.header('host')
    if ((site !== undefined && !['same-origin', 'none'].includes(site)) || !own)
      throw new AppError('forbidden', 'This request came from another site.')
  }
  await next()
}

/** What anyone may ask of the API: how the site is called, and how the API works. An upload says its own sentence. */
const isOpen = (method: string, path: string) =>
  /^\/api\/(?:site|openapi\.json|docs(?:\/.*)?)$/.test(path) || (method === 'POST' && path === '/api/documents')

/** Refuses who is not signed in before anything of the request is looked at. */
async function refuseVisitors(context: AppContext, next: () => Promise<void>) {
  if (!isOpen(context.req.method, context.req.path)) actorOf(context)
  await next()
}

async function readSession(context: AppContext, next: () => Promise<void>) {
  context.set('actor', await readActor(context.req.raw.headers))
  await next()
}

function tooLarge(): never {
  throw new AppError('too_large', 'Request too large')
}
