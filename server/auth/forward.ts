import { publicUrl } from '#server/lib/env.ts'
import { AppError } from '#server/lib/errors.ts'
import { addressOf } from '#server/http/request.ts'
import { type AppContext, refuseUnstorable } from '#server/http/router.ts'
import { auth, CLIENT_ADDRESS_HEADER } from './auth.ts'
import { isPage } from './send-session.ts'
import { asRefusal } from './refusals.ts'

/** Returns the JSON object of a request body. Throws 'malformed' if the body is not a JSON object. */
export async function readBody(context: AppContext): Promise<Record<string, unknown>> {
  const body: unknown = await context.req.json().catch(() => {
    throw new AppError('malformed', 'The request is not valid JSON.')
  })
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new AppError('malformed', 'The request must be a JSON object.')
  refuseUnstorable(body)
  return body as Record<string, unknown>
}

/** Posts `body` to a path of the auth library, by default the path of the request, and returns the library's response. */
export async function forward(
  context: AppContext,
  body: Record<string, unknown>,
  path = new URL(context.req.url).pathname,
): Promise<Response> {
  const headers = headersOf(context)
  headers.delete('content-length')
  headers.set('content-type', 'application/json')
  const request = new Request(new URL(path, context.req.url), { method: 'POST', headers, body: JSON.stringify(body) })
  return withoutToken(context, await asRefusal(await auth().handler(request)))
}

/**
 * Forwards a GET request with the query `search` to the auth library and returns its response. The browser itself opens such a
 * URL, so the response is a redirect.
 */
export async function forwardGet(context: AppContext, search: string): Promise<Response> {
  refuseUnstorable(Object.fromEntries(new URLSearchParams(search)), 'malformed')
  const url = new URL(context.req.url)
  url.search = search
  return asRefusal(await auth().handler(new Request(url, { headers: headersOf(context) })))
}

/** Returns the response with an additional cookie. */
export function withCookie(answer: Response, cookie: string): Response {
  const headers = new Headers(answer.headers)
  headers.append('set-cookie', cookie)
  return new Response(answer.body, { status: answer.status, headers })
}

/**
 * Returns the response without the session token if the client is a browser: it has its session only in the httpOnly cookie.
 */
async function withoutToken(context: AppContext, response: Response): Promise<Response> {
  if (!isPage(context) || !response.headers.get('content-type')?.includes('json')) return response
  const answer: unknown = await response.json()
  const headers = new Headers(response.headers)
  headers.delete('set-auth-token')
  headers.delete('content-length')
  const shown = typeof answer === 'object' && answer !== null && 'token' in answer ? { ...answer, token: null } : answer
  return new Response(JSON.stringify(shown), { status: response.status, headers })
}

/**
 * Returns the headers for the auth library: those of the request, with the client address and this server's origin. The origin
 * of the request has been checked before (refuseOtherSites in app.ts). Without a replaced origin, the library would refuse
 * clients that send Sec-Fetch-Mode but no Origin, such as Node's `fetch`.
 */
function headersOf(context: AppContext): Headers {
  const headers = new Headers(context.req.raw.headers)
  headers.set('origin', publicUrl())
  headers.set(CLIENT_ADDRESS_HEADER, addressOf(context))
  return headers
}
