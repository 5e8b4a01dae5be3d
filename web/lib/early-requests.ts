interface Early {
  response: Promise<Response>
  control: AbortController
}

const requests = new Map<string, Early>()
/** Paths that were requested early; each is requested once. */
const requested = new Set<string>()
let isOpen = true

/** Whether a user has signed in with this browser before: a sign-in stores the theme (`applyAppearance`). */
const hasSignedIn = () => localStorage.getItem('lectern.theme') !== null

/**
 * Sends a GET request of the first screen while its code and the session load. `request` takes the response. Does nothing
 * after `endEarlyRequests`, for a path that was requested before, and in a browser without an earlier sign-in, because the
 * server would refuse the request.
 */
export function requestEarly(path: string): void {
  if (!isOpen || requested.has(path) || !hasSignedIn()) return
  const control = new AbortController()
  const { signal } = control
  const response = fetch(path, { credentials: 'same-origin', headers: { accept: 'application/json' }, signal })
  // The screen reports a failure.
  response.catch(() => undefined)
  requested.add(path)
  requests.set(path, { response, control })
}

/** Returns the response to an early request of this path, once; otherwise undefined. `signal` aborts the request. */
export function takeEarly(path: string, signal: AbortSignal | undefined): Promise<Response> | undefined {
  const early = requests.get(path)
  if (!early) return undefined
  requests.delete(path)
  if (signal?.aborted) early.control.abort(signal.reason)
  signal?.addEventListener('abort', () => early.control.abort(signal.reason), { once: true })
  return early.response
}

/** Aborts the early requests whose responses no screen has taken, because their data may be out of date, and allows no more. */
export function endEarlyRequests(): void {
  isOpen = false
  for (const { control } of requests.values()) control.abort()
  requests.clear()
}
