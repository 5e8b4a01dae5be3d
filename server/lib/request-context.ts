import { AsyncLocalStorage } from 'node:async_hooks'

/** The context of the current request or job; the log adds it to every line. */
interface RequestContext {
  /** Also sent to the client, as X-Request-Id. A job has none. */
  request?: string
  /** The id of the account, once the session has been read. It identifies no person without the database. */
  user?: string
  /** The id of the API key of the request, or of the request that started the job. */
  key?: string
}

const current = new AsyncLocalStorage<RequestContext>()

/** Runs `work` with the context of a request, which the log adds to every line. */
export const inRequest = <T>(context: RequestContext, work: () => T): T => current.run(context, work)

/**
 * Runs `work` outside the request that triggers it, for work that serves all: it is not logged or counted as that
 * request's.
 */
export const outsideRequests = <T>(work: () => T): T => current.exit(work)

/** Runs a job with the API key of the request that started it; null: the request had no key. */
export const inJob = <T>(key: string | null, work: () => T): T => current.run(key === null ? {} : { key }, work)

/** Returns the context of the current request or job; undefined at the start. */
export const currentRequest = (): RequestContext | undefined => current.getStore()

/** Records the user of the request, for the log, and its API key, for the costs of the key. */
export function noteUser(userId: string, keyId?: string): void {
  const context = current.getStore()
  if (!context) return
  context.user = userId
  if (keyId !== undefined) context.key = keyId
}
