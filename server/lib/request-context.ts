import { AsyncLocalStorage } from 'node:async_hooks'

/** Data about the current request or job. The log adds it to every line. */
interface RequestContext {
  /** The id of the request, which the client receives as X-Request-Id. Undefined in a job. */
  request?: string
  /** The id of the account, after the session was read. Without the database, it does not identify a person. */
  user?: string
  /** The id of the API key of the request, or of the request that started the job. */
  key?: string
}

const current = new AsyncLocalStorage<RequestContext>()

/** Runs `work` with the context of a request, which the log adds to every line. */
export const inRequest = <T>(context: RequestContext, work: () => T): T => current.run(context, work)

/**
 * Runs `work` outside the request that started it. For work that serves all users: it is not logged or counted for this
 * request.
 */
export const outsideRequests = <T>(work: () => T): T => current.exit(work)

/** Runs a job with the id of the API key of the request that started it, or null if the request had no key. */
export const inJob = <T>(key: string | null, work: () => T): T => current.run(key === null ? {} : { key }, work)

/** Returns the context of the current request or job. Returns undefined outside of both. */
export const currentRequest = (): RequestContext | undefined => current.getStore()

/** Records the user of the current request, for the log, and the API key, for the costs of the key. */
export function noteUser(userId: string, keyId?: string): void {
  const context = current.getStore()
  if (!context) return
  context.user = userId
  if (keyId !== undefined) context.key = keyId
}
