import { SESSION_TIMING } from '#shared/contract/sign-in-paths.ts'

interface Early {
  response: Promise<Response>
  control: AbortController
}

const requests = new Map<string, Early>()
/** Paths that `requestEarly` has requested. Each is requested once. */
const requested = new Set<string>()
let isOpen = true

/**
 * Returns whether the browser has a session cookie, which scripts cannot read: the server reports it in a header of the page.
 * Over HTTP, browsers show this header for localhost only; then a stored theme is the sign of an earlier sign-in.
 */
function hasSession(): boolean {
  const [page] = performance.getEntriesByType('navigation') as { serverTiming?: readonly { name: string }[] }[]
  return (
    page?.serverTiming?.some(({ name }) => name === SESSION_TIMING) ?? localStorage.getItem('lectern.theme') !== null
  )
}

/**
 * Sends a GET request for data of the first screen at once, before the code of the screen is loaded. When the screen later
 * requests the path, `takeEarly` returns the response. Sends nothing if the browser has no session, if `requestEarly` was
 * called with this path before, or after a call of `endEarlyRequests`.
 */
export function requestEarly(path: string): void {
  if (!isOpen || requested.has(path) || !hasSession()) return
  const control = new AbortController()
  const { signal } = control
  const response = fetch(path, { credentials: 'same-origin', headers: { accept: 'application/json' }, signal })
  // The screen reports a failure.
  response.catch(() => undefined)
  requested.add(path)
  requests.set(path, { response, control })
}

/**
 * Returns the response to the request that `requestEarly` sent for this path. Returns undefined if it sent none, or if the
 * response was already returned once. `signal` aborts the request.
 */
export function takeEarly(path: string, signal: AbortSignal | undefined): Promise<Response> | undefined {
  const early = requests.get(path)
  if (!early) return undefined
  requests.delete(path)
  if (signal?.aborted) early.control.abort(signal.reason)
  signal?.addEventListener('abort', () => early.control.abort(signal.reason), { once: true })
  return early.response
}

/**
 * Makes `requestEarly` send no more requests. Aborts requests of `requestEarly` whose responses no screen has used yet. Called
 * before a change of data, because these responses may contain the data of the time before the change.
 */
export function endEarlyRequests(): void {
  isOpen = false
  for (const { control } of requests.values()) control.abort()
  requests.clear()
}
