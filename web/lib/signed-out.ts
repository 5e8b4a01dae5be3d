import { queryClient } from './query-client.ts'

/** Key of the query that returns the session. */
export const SESSION_KEY = ['session'] as const

/** Returns true if the server has reported that there is no session; false while this is unknown. */
export const isSignedOut = (): boolean => queryClient.getQueryData(SESSION_KEY) === null

/**
 * Calls `act` when the session has ended in this tab. `act` can be called several times for one end. Returns a function that
 * unsubscribes.
 */
export const onSessionEnd = (act: () => void): (() => void) =>
  queryClient.getQueryCache().subscribe(() => {
    if (isSignedOut()) act()
  })
