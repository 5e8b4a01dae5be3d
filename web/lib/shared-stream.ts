import { MOST_PAST_MS } from '#shared/contract/jobs.ts'
import { api } from '#shared/contract/paths.ts'

const RECONNECT_MS = 3000

interface Listener {
  /** Event kinds to subscribe to. */
  kinds: readonly string[]
  onEvent: (kind: string, data: string) => void
  /** Events may have been missed: the shown data must be refetched. */
  onGap: () => void
  /** The time (`performance.now`) since when the page shows data. Its first stream begins with the events since then. */
  since: number
}

/**
 * Receives the server's live events over one connection for all tabs of a user. Browsers allow six connections to a
 * server over HTTP/1.1, so one stream per tab would block the seventh tab. The tab with the lock owns the stream and
 * forwards events to the others; when it closes, the next tab takes over. A hidden page releases its part at once,
 * because the browser can cache the page together with its connection. Without the Web Locks API (plain HTTP to another
 * machine), every tab opens its own stream. Returns a function that unsubscribes.
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

/** Requests the lock and leads the stream once it is granted. Returns a function that gives up both. */
function take(userId: string, listener: Listener): () => void {
  if (!('locks' in navigator)) return openStream(listener, false)
  const name = `lectern-events-${userId}`
  const channel = new BroadcastChannel(name)
  channel.addEventListener('message', ({ data }: MessageEvent<{ kind: string; data: string } | 'gap'>) =>
    data === 'gap' ? listener.onGap() : listener.onEvent(data.kind, data.data),
  )
  const left = new AbortController()
  const lead = (again: boolean) =>
    new Promise<void>((resolve) => {
      if (left.signal.aborted) return resolve()
      const stop = openStream(
        {
          ...listener,
          onEvent: (kind, data) => {
            channel.postMessage({ kind, data })
            listener.onEvent(kind, data)
          },
          onGap: () => {
            channel.postMessage('gap')
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
    channel.close()
  }
}

/**
 * Opens the event stream. The browser reconnects a broken stream; a refused one is reopened here. `again`: another tab
 * had the stream before.
 */
function openStream({ kinds, onEvent, onGap, since }: Listener, again: boolean): () => void {
  let reopening: ReturnType<typeof setTimeout> | undefined
  let source: EventSource
  const open = (isLater: boolean) => {
    const pastMs = Math.min(Math.ceil(performance.now() - since), MOST_PAST_MS)
    source = new EventSource(api.events(isLater ? {} : { past_ms: pastMs }))
    source.addEventListener('open', () => isLater && onGap())
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
