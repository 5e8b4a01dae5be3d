import type { Tx } from '#server/db/client.ts'
import { log } from '#server/lib/log.ts'
import type { LiveEvent } from '#shared/contract/jobs.ts'
import { type Cursor, readCursor, writeCursor } from './cursor.ts'
import { deleteOldEvents, insertEvents, type Readers, snapshotBefore, wakeStreams } from './event-queries.ts'
import { CHANNELS, listen } from './listen.ts'
import { withOwnerRole } from './owner-role.ts'
import { readEvents } from './read-events.ts'
import { waitForNotice } from './wait-for-notice.ts'

const FORGET_MS = 5 * 60_000
/** Interval of reads without a notification, because a notification can be lost. */
const LOOK_AGAIN_MS = 10_000

/** An event of the stream. With `event: null` only the id advances; it also keeps the connection alive. */
export type StreamedEvent = ({ id: string } & LiveEvent) | { id: string; event: null }

let stopping = new AbortController()
let stopListening: (() => Promise<void>) | undefined
let forgetting: NodeJS.Timeout | undefined

/**
 * Returns the position where a stream starts. `afterId` is the id of the last event that a broken connection received:
 * events missed since (up to an hour) come first. Without a valid `afterId` the stream begins `pastMs` before now.
 */
export const findStart = async (afterId: string | undefined, pastMs = 0): Promise<Cursor> =>
  readCursor(afterId) ?? { seen: await snapshotBefore(pastMs) }

/** Starts to listen to the database. Call once per process. */
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

/** Returns a signal that fires when the server stops. Responses that stream to a client end then. */
export const streamsEnd = (): AbortSignal => stopping.signal

/** Publishes an event to the open pages of its readers when the transaction commits. Row-level security may apply to `tx`. */
export function publish(tx: Tx, readers: Readers, event: LiveEvent): Promise<void> {
  return publishAll(tx, readers, [event])
}

/** Publishes several events in order, with one statement. */
export async function publishAll(tx: Tx, readers: Readers, events: readonly LiveEvent[]): Promise<void> {
  if (events.length > 0) await withOwnerRole(tx, () => insertEvents(tx, readers, events))
}

/** Ends the live streams of an account that `tx` disables, at commit. */
export const endStreams = (tx: Tx, ownerId: string): Promise<void> => wakeStreams(tx, ownerId)

/**
 * Yields an account's committed events after `start`, each once, until `signal` fires, the account is disabled or the
 * server stops. Only one batch is in memory: the database is the buffer, and the next batch is read on demand. Yields an id
 * without event at the start and at least every ten seconds.
 */
export async function* subscribe(ownerId: string, start: Cursor, signal: AbortSignal): AsyncGenerator<StreamedEvent> {
  const ended = AbortSignal.any([signal, stopping.signal])
  const notices = waitForNotice((channel, text) => channel === CHANNELS.event && text === ownerId, ended)
  try {
    let cursor = start
    yield { id: writeCursor(cursor), event: null }
    while (!ended.aborted) {
      notices.beginRead()
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
      // False after the rest of an older batch was read: later events are still to be read.
      const isPresent = heard.isLast && !cursor.part
      cursor =
        heard.isLast || !last
          ? { seen: heard.snapshot }
          : { seen: cursor.seen, part: { upTo: heard.snapshot, row: last.id } }
      if (!isPresent) continue
      if (heard.rows.length === 0) yield { id: writeCursor(cursor), event: null }
      await notices.wait(LOOK_AGAIN_MS)
    }
  } finally {
    notices.stop()
  }
}
