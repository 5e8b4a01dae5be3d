import { createAuthEndpoint } from 'better-auth/api'
import { setSessionCookie } from 'better-auth/cookies'
import { z } from 'zod'

/**
 * Returns a plugin of Better Auth with the function `sendSession`. It sends the session of a token like a sign-in, with the
 * cookie and the token header. It has no route, so clients cannot call it.
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
