import { MOST_PAST_MS } from '#shared/contract/jobs.ts'
import { api } from '#shared/contract/paths.ts'

const RECONNECT_MS = 3000
/**
 * Assumed maximum duration of the request that opens the stream, in ms. It is added to `past_ms`, because the server counts
 * `past_ms` from the receipt of the request. If the request takes longer, events may be missed, and `onGap` is called.
 */
const MOST_REQUEST_MS = 300
/**
 * Time in ms since a stream opened, after which a reconnect by the browser may have missed events: the server deletes events
 * that are older than an hour. It counts from the opening and not from the last message, because a page that the browser had
 * suspended receives old messages late.
 */
const MOST_RESUMED_MS = 50 * 60_000

interface Listener {
  /** Event kinds to subscribe to. */
  kinds: readonly string[]
  onEvent: (kind: string, data: string) => void
  /** Called when events may have been missed. The listener must refetch the shown data. */
  onGap: () => void
  /**
   * The time (`performance.now`, in ms) from which events are needed. The first stream also delivers the events between this
   * time and its start.
   */
  since: number
}

interface Message {
  userId: string
  event: { kind: string; data: string } | 'gap'
}

/**
 * Forwards events to the other tabs. Closed while the page is hidden in the browser's history; undefined without the Web Locks
 * API.
 */
let channel = openChannel()
const listeners = new Map<string, Listener>()
/** Ids of users for whom another tab forwarded an event while this page had no listener, for example while it loaded. */
const missed = new Set<string>()

// Registered before the listeners of `joinStream`, so that the channel is open again when a restored page rejoins the stream.
addEventListener('pagehide', () => {
  channel?.close()
  channel = undefined
})
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) channel = openChannel()
})

function openChannel(): BroadcastChannel | undefined {
  if (!('locks' in navigator)) return undefined
  const opened = new BroadcastChannel('lectern-events')
  opened.addEventListener('message', ({ data: { userId, event } }: MessageEvent<Message>) => {
    const listener = listeners.get(userId)
    if (!listener) missed.add(userId)
    else if (event === 'gap') listener.onGap()
    else listener.onEvent(event.kind, event.data)
  })
  return opened
}

/**
 * Receives the server's live events over one connection for all tabs of a user, because browsers allow only six connections to
 * a server over HTTP/1.1. The tab with a Web Lock opens the stream and forwards events to the other tabs; when it closes,
 * another tab gets the lock. A page that the user leaves releases the lock at once, because the browser can cache the page
 * together with its connection. Without the Web Locks API (plain HTTP to another machine), every tab opens its own stream.
 * Returns a function that unsubscribes.
 */
export function joinStream(userId: string, listener: Listener): () => void {
  let leave = take(userId, listener)
  const hide = () => leave()
  const show = (event: PageTransitionEvent) => {
    if (!event.persisted) return
    leave = take(userId, listener)
    listener.onGap()
  }
  addEventListener('pagehide', hide)
  addEventListener('pageshow', show)
  return () => {
    removeEventListener('pagehide', hide)
    removeEventListener('pageshow', show)
    leave()
  }
}

/**
 * Requests the lock and opens the stream when the lock is granted. Returns a function that releases the lock and the stream.
 */
function take(userId: string, listener: Listener): () => void {
  if (!('locks' in navigator)) return openStream(listener, false)
  const name = `lectern-stream-${userId}`
  const forward = (event: Message['event']) => channel?.postMessage({ userId, event } satisfies Message)
  listeners.set(userId, listener)
  if (missed.delete(userId)) listener.onGap()
  const left = new AbortController()
  const lead = (again: boolean) =>
    new Promise<void>((resolve) => {
      if (left.signal.aborted) return resolve()
      const stop = openStream(
        {
          ...listener,
          onEvent: (kind, data) => {
            forward({ kind, data })
            listener.onEvent(kind, data)
          },
          onGap: () => {
            forward('gap')
            listener.onGap()
          },
        },
        again,
      )
      left.signal.addEventListener('abort', () => {
        stop()
        resolve()
      })
    })
  void navigator.locks
    .request(name, { ifAvailable: true }, async (lock) => {
      if (lock) await lead(false)
      return lock !== null
    })
    .then((led) => (led ? undefined : navigator.locks.request(name, { signal: left.signal }, () => lead(true))))
    .catch((error: unknown) => {
      if (!left.signal.aborted) throw error
    })
  return () => {
    left.abort()
    if (listeners.get(userId) === listener) listeners.delete(userId)
  }
}

/**
 * Opens the event stream. The browser reconnects a broken stream, and the server then sends the events after the last one; a
 * stream that the server refused is reopened here. `again`: another tab had the stream before, so events may have been missed.
 * Returns a function that closes the stream.
 */
function openStream({ kinds, onEvent, onGap, since }: Listener, again: boolean): () => void {
  let reopening: ReturnType<typeof setTimeout> | undefined
  let source: EventSource
  const open = (isLater: boolean) => {
    const pastMs = Math.min(Math.ceil(performance.now() - since) + MOST_REQUEST_MS, MOST_PAST_MS)
    const requestedAt = performance.now()
    source = new EventSource(api.events(isLater ? {} : { past_ms: pastMs }))
    // Wall clock, because `performance.now` can stop while the computer sleeps. Undefined until the stream first opens.
    let openedAt: number | undefined
    source.addEventListener('open', () => {
      const isLate =
        openedAt === undefined
          ? performance.now() - requestedAt > MOST_REQUEST_MS
          : Date.now() - openedAt > MOST_RESUMED_MS
      openedAt = Date.now()
      if (isLater || isLate) onGap()
    })
    source.addEventListener('error', () => {
      if (source.readyState !== EventSource.CLOSED) return
      reopening = setTimeout(() => open(true), RECONNECT_MS)
    })
    for (const kind of kinds) source.addEventListener(kind, (event: MessageEvent<string>) => onEvent(kind, event.data))
  }
  open(again)
  return () => {
    source.close()
    clearTimeout(reopening)
  }
}
