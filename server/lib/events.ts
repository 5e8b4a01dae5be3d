import type { Tx } from '#server/db/client.ts'
import { log } from '#server/lib/log.ts'
import type { LiveEvent } from '#shared/jobs.ts'
import { type Cursor, readCursor, writeCursor } from './events/cursor.ts'
import { currentSnapshot, deleteOldEvents, insertEvents, readEvents, wakeStreams } from './events/event-queries.ts'
import { CHANNELS, listen, onNotice } from './events/listen.ts'
import { withOwnerRole } from './events/owner-role.ts'

const FORGET_MS = 5 * 60_000
/** Also asked without a notification, in case one was lost. */
const LOOK_AGAIN_MS = 10_000

/** An event of the stream. Without `event` nothing happened: `id` alone moves on, and the connection is kept alive. */
export type StreamedEvent = ({ id: string } & LiveEvent) | { id: string; event: null }

let stopping = new AbortController()
let stopListening: (() => Promise<void>) | undefined
let forgetting: NodeJS.Timeout | undefined

/** Starts to listen to the database, once per process. */
export async function startEvents(): Promise<void> {
  stopping = new AbortController()
  stopListening = await listen()
  const forget = () =>
    deleteOldEvents().catch((error: unknown) => log.error({ err: error }, 'old events cannot be deleted'))
  forgetting = setInterval(() => void forget(), FORGET_MS)
  void forget()
}

/** Ends every stream and the listening connection. */
export async function stopEvents(): Promise<void> {
  stopping.abort()
  clearInterval(forgetting)
  await stopListening?.()
  stopListening = undefined
}

/** Fires when the server stops: what streams to a client ends then. */
export const streamsEnd = (): AbortSignal => stopping.signal

/** Tells an account's open pages about a change, when and if the transaction commits. `tx` may be bound by row-level security. */
export function publish(tx: Tx, ownerId: string, event: LiveEvent): Promise<void> {
  return publishAll(tx, ownerId, [event])
}

/** `publish` for several events, in their order: one statement, one notification. */
export async function publishAll(tx: Tx, ownerId: string, events: readonly LiveEvent[]): Promise<void> {
  if (events.length > 0) await withOwnerRole(tx, () => insertEvents(tx, ownerId, events))
}

/** Ends the live streams of an account that `tx` disables, when it commits. */
export const endStreams = (tx: Tx, ownerId: string): Promise<void> => wakeStreams(tx, ownerId)

/**
 * An account's events as they are committed, each once, until `signal` fires, the account is disabled or the server stops. `afterId` is the id
 * of the last event a broken connection heard: what was missed since (up to an hour) comes first; without it, or
 * when it is none of ours, the stream begins now. Nothing is held in memory but a batch: the database is the buffer, and the
 * next batch is read when the consumer asks for it. Yields an eventless id at the start and at least every ten seconds.
 */
export async function* subscribe(
  ownerId: string,
  afterId: string | null | undefined,
  signal: AbortSignal,
): AsyncGenerator<StreamedEvent> {
  const ended = AbortSignal.any([signal, stopping.signal])
  let hasNews = true
  let wake: () => void = () => undefined
  const stopHearing = onNotice((channel, text) => {
    if (channel !== 'reconnected' && !(channel === CHANNELS.event && text === ownerId)) return
    hasNews = true
    wake()
  })
  const end = () => wake()
  ended.addEventListener('abort', end)
  try {
    let cursor: Cursor = readCursor(afterId) ?? { seen: await currentSnapshot() }
    yield { id: writeCursor(cursor), event: null }
    while (!ended.aborted) {
      hasNews = false
      const heard = await readEvents(ownerId, cursor)
      if (heard.isEnded) return
      for (const [index, { id: row, ...event }] of heard.rows.entries()) {
        if (ended.aborted) return
        const isDone = heard.isLast && index === heard.rows.length - 1
        const next: Cursor = isDone
          ? { seen: heard.snapshot }
          : { seen: cursor.seen, part: { upTo: heard.snapshot, row } }
        yield { id: writeCursor(next), ...event } as StreamedEvent
      }
      const last = heard.rows.at(-1)
      // The rest of an older batch was read: what came after it is still to be read.
      const isPresent = heard.isLast && !cursor.part
      cursor =
        heard.isLast || !last
          ? { seen: heard.snapshot }
          : { seen: cursor.seen, part: { upTo: heard.snapshot, row: last.id } }
      if (!isPresent) continue
      if (heard.rows.length === 0) yield { id: writeCursor(cursor), event: null }
      if (hasNews || ended.aborted) continue
      await new Promise<void>((resume) => {
        const timer = setTimeout(resume, LOOK_AGAIN_MS)
        wake = () => {
          clearTimeout(timer)
          resume()
        }
      })
      wake = () => undefined
    }
  } finally {
    stopHearing()
    ended.removeEventListener('abort', end)
  }
}
