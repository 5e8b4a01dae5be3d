import { createAuthEndpoint } from 'better-auth/api'
import { setSessionCookie } from 'better-auth/cookies'
import { z } from 'zod'

/**
 * Returns a plugin of Better Auth (the auth library) with the function `sendSession`, which sends the session with a given
 * token to the client, as at a sign-in: in a cookie and in the token header. It is used when a session gets a new token. The
 * function has no route, so clients cannot call it.
 */
export const renewedSession = () => ({
  id: 'renewed-session',
  endpoints: {
    sendSession: createAuthEndpoint.serverOnly(
      { method: 'POST', body: z.object({ token: z.string() }), requireHeaders: true },
      async (context) => {
        const found = await context.context.internalAdapter.findSession(context.body.token)
        if (found) await setSessionCookie(context, found)
        return null
      },
    ),
  },
})
