import { queryClient } from './query-client.ts'

/** Key of the query that returns the session. */
export const SESSION_KEY = ['session'] as const

/** Returns true if the server has reported that there is no session; false while this is unknown. */
export const isSignedOut = (): boolean => queryClient.getQueryData(SESSION_KEY) === null
