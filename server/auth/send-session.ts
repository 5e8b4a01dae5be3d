import type { AppContext } from '#server/http/router.ts'
import { auth } from './auth.ts'

/**
 * Returns whether the client is a page in a browser. Such a client has its session only in an httpOnly cookie, and gets no
 * token that scripts can read.
 */
export const isPage = (context: AppContext) =>
  context.req.header('origin') !== undefined || context.req.header('sec-fetch-site') !== undefined

/**
 * Sends the session with this token to the client, as a sign-in does: in a cookie, and for API clients in the header
 * set-auth-token.
 */
export async function sendSession(context: AppContext, token: string): Promise<void> {
  const request = { body: { token }, headers: context.req.raw.headers, returnHeaders: true as const }
  const { headers } = await auth().api.sendSession(request)
  for (const cookie of headers.getSetCookie()) context.header('set-cookie', cookie, { append: true })
  const signed = headers.get('set-auth-token')
  if (signed && !isPage(context)) context.header('set-auth-token', signed)
  context.header('cache-control', 'no-store')
}
