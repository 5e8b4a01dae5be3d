import { AsyncLocalStorage } from 'node:async_hooks'

/** What is known of the request that is being answered; the log adds it to every line. */
interface RequestContext {
  /** Also sent to the client, as X-Request-Id. */
  request: string
  /** The account's id, once the session has been read. An id says nothing to who has no database. */
  user?: string
}

const current = new AsyncLocalStorage<RequestContext>()

/** Runs `work` as (part of) the answer to one request. */
export const inRequest = <T>(context: RequestContext, work: () => T): T => current.run(context, work)

/** Runs `work` as nobody's, where a request sets off what serves all: it is neither logged nor counted as that request's. */
export const outsideRequests = <T>(work: () => T): T => current.exit(work)

/** The request that is being answered here; undefined in jobs and at the start. */
export const currentRequest = (): RequestContext | undefined => current.getStore()

/** Says whose request this is, for the log. */
export function noteUser(userId: string): void {
  const context = current.getStore()
  if (context) context.user = userId
}
