import { api } from '#shared/paths.ts'

const RECONNECT_MS = 3000

interface Listener {
  /** The kinds of event to listen for. */
  kinds: readonly string[]
  onEvent: (kind: string, data: string) => void
  /** Events may have been missed: what is on the page has to be read again. */
  onGap: () => void
}

/**
 * Listens to the server's live events with one connection for all tabs of a user: a browser keeps at most six to a
 * server over HTTP/1.1, and a stream in every tab would leave none to load the seventh. The tab that holds the lock has
 * the stream and tells the others; when it goes, the next one takes over. A page that is left gives its part up at once,
 * for the browser may keep it, with its connection, to go back to. Without locks (plain HTTP to another machine) every
 * tab has its own stream.
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

/** Takes the lead if it is free, and waits for it otherwise; returns how to give either up. */
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
          kinds: listener.kinds,
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

/** The browser resumes a broken stream by itself; a refused one is opened anew. `again`: others had it before. */
function openStream({ kinds, onEvent, onGap }: Listener, again: boolean): () => void {
  let reopening: ReturnType<typeof setTimeout> | undefined
  let source: EventSource
  const open = (isLater: boolean) => {
    source = new EventSource(api.events())
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
