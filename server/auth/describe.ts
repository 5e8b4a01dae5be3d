import type { OpenAPIHono } from '@hono/zod-openapi'
import { z } from 'zod'
import type { AppBindings } from '#server/http/router.ts'
import { factor, newPassword as password, passwordChange } from '#shared/contract/accounts.ts'
import { profile } from '#shared/contract/profiles.ts'

const tags = ['Accounts']
const user = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  emailVerified: z.boolean(),
  image: z.string().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
})
const signedIn = z.object({
  second_step: z.boolean().describe('true: the session gives no access until a factor has been verified'),
  redirect: z.boolean(),
  token: z.string().nullable().describe('null for a page of the web app, which has only the cookie'),
  user,
})
const session = z
  .object({
    user: z.object({
      id: z.string(),
      email: z.string(),
      name: z.string(),
      emailVerified: z.boolean(),
      factors: z.array(factor),
    }),
    session: z.object({
      id: z.string(),
      expiresAt: z.string(),
      aal: z.enum(['aal1', 'aal2']),
      token: z.string().optional().describe('for a caller with a bearer token'),
    }),
    profile: profile.nullable(),
  })
  .nullable()
const invitation = z.string().optional().describe('the token of an invitation, which opens afterwards')
const body = (schema: z.ZodType) => ({ body: { required: true, content: { 'application/json': { schema } } } })
const answer = (schema: z.ZodType, description: string) => ({
  description,
  content: { 'application/json': { schema } },
})

/** Adds the routes of the auth library to the OpenAPI document. */
export function describeAccounts({ openAPIRegistry: registry }: OpenAPIHono<AppBindings>): void {
  registry.registerPath({
    method: 'post',
    path: '/sign-up/email',
    tags,
    security: [],
    request: body(
      z.object({
        email: z.email(),
        password,
        name: z.string().optional().describe("default: the e-mail's first part"),
        invitation,
      }),
    ),
    responses: {
      200: answer(z.object({ token: z.null(), user }), 'The new account'),
      422: {
        description: 'A field is wrong, or the e-mail is taken; a server that sends e-mail does not report the latter',
      },
      429: { description: 'Slow down' },
    },
  })
  registry.registerPath({
    method: 'post',
    path: '/sign-in/email',
    tags,
    security: [],
    request: body(z.object({ email: z.email(), password, rememberMe: z.boolean().optional(), invitation })),
    responses: {
      200: {
        ...answer(signedIn, 'Signed in: sets the session cookie, and the set-auth-token header'),
        headers: z.object({ 'set-auth-token': z.string().describe('the bearer token, for API clients') }),
      },
      401: { description: 'Wrong e-mail or password' },
      429: { description: 'Slow down' },
    },
  })
  registry.registerPath({
    method: 'post',
    path: '/sign-out',
    tags,
    responses: { 200: answer(z.object({ success: z.boolean() }), 'Signed out') },
  })
  registry.registerPath({
    method: 'get',
    path: '/get-session',
    tags,
    responses: { 200: answer(session, 'The session, or null without one') },
  })
  registry.registerPath({
    method: 'post',
    path: '/change-password',
    tags,
    request: body(passwordChange),
    responses: {
      200: answer(z.object({ token: z.null(), user }), 'Changed; every other session of the account has ended'),
      400: { description: 'The current password is wrong' },
      401: { description: 'No session' },
      429: { description: 'Too many wrong passwords' },
    },
  })
  describeEmailLinks(registry)
}

function describeEmailLinks(registry: OpenAPIHono<AppBindings>['openAPIRegistry']): void {
  const noMail = { 501: { description: 'This server sends no e-mail' } }
  registry.registerPath({
    method: 'get',
    path: '/verify-email',
    summary: 'Redirects to the page that confirms an e-mail address',
    tags,
    security: [],
    request: { query: z.object({ token: z.string() }) },
    responses: { 302: { description: 'To /auth/confirm with the token' }, ...noMail },
  })
  registry.registerPath({
    method: 'post',
    path: '/verify-email',
    summary: 'Confirms an e-mail address and signs in: by the link that was sent to it and the password of the account',
    tags,
    security: [],
    request: body(z.object({ token: z.string(), password })),
    responses: {
      200: {
        ...answer(signedIn, 'Confirmed and signed in, as by POST /auth/v1/sign-in/email'),
        headers: z.object({ 'set-auth-token': z.string().describe('the bearer token, for API clients') }),
      },
      400: { description: 'The link is invalid or has expired' },
      422: { description: 'The password is not that of the account' },
      429: { description: 'Slow down' },
      ...noMail,
    },
  })
  registry.registerPath({
    method: 'post',
    path: '/request-password-reset',
    tags,
    security: [],
    request: body(z.object({ email: z.email(), invitation })),
    responses: {
      200: answer(z.object({ status: z.boolean() }), 'The same response with and without an account'),
      429: { description: 'Slow down' },
      ...noMail,
    },
  })
  registry.registerPath({
    method: 'post',
    path: '/reset-password',
    tags,
    security: [],
    request: body(z.object({ token: z.string(), newPassword: password })),
    responses: {
      200: answer(z.object({ status: z.boolean() }), 'Changed; every session of the account has ended'),
      400: { description: 'The token has been used or has expired, or the password is too short' },
      ...noMail,
    },
  })
  registry.registerPath({
    method: 'post',
    path: '/sign-in/social',
    tags,
    security: [],
    request: body(
      z.object({
        redirect_to: z.string().optional().describe('a page of this site'),
        again: z
          .boolean()
          .optional()
          .describe('true: the provider asks for the credentials even if its own session is active'),
      }),
    ),
    responses: {
      200: answer(z.object({ url: z.url(), redirect: z.boolean() }), "The provider's address to open, with PKCE"),
      501: { description: 'No OpenID Connect provider is configured' },
      502: { description: 'The provider cannot be reached' },
    },
  })
  registry.registerPath({
    method: 'get',
    path: '/callback/oidc',
    summary: 'The redirect address for the OpenID Connect provider',
    tags,
    security: [],
    request: { query: z.object({ code: z.string().optional(), state: z.string().optional() }) },
    responses: {
      302: { description: 'To a page of this site; sets the session cookie' },
      404: { description: 'No OpenID Connect provider is configured' },
    },
  })
}
