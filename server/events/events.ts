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
/** Milliseconds after which events are read without a notification, because a notification can be lost. */
const LOOK_AGAIN_MS = 10_000

/** An event of the stream. If `event` is null, it has no content: it only advances the id and keeps the connection open. */
export type StreamedEvent = ({ id: string } & LiveEvent) | { id: string; event: null }

let stopping = new AbortController()
let stopListening: (() => Promise<void>) | undefined
let forgetting: NodeJS.Timeout | undefined

/**
 * Returns the position at which a stream starts. `afterId` is the id of the last event that the client received before its
 * connection broke; the stream then starts with the events that it missed (up to an hour). Without a valid `afterId`, the
 * stream starts with the events of the last `pastMs` milliseconds.
 */
export const findStart = async (afterId: string | undefined, pastMs = 0): Promise<Cursor> =>
  readCursor(afterId) ?? { seen: await snapshotBefore(pastMs) }

/** Starts to listen to the notifications of the database. Call it once per process. */
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

/** Returns a signal that is aborted when the server stops. Responses that stream to a client must then end. */
export const streamsEnd = (): AbortSignal => stopping.signal

/** Publishes an event to the streams of its readers when the transaction commits. Row-level security may apply to `tx`. */
export function publish(tx: Tx, readers: Readers, event: LiveEvent): Promise<void> {
  return publishAll(tx, readers, [event])
}

/** Publishes several events to the streams of their readers when `tx` commits, in the given order and with one statement. */
export async function publishAll(tx: Tx, readers: Readers, events: readonly LiveEvent[]): Promise<void> {
  if (events.length > 0) await withOwnerRole(tx, () => insertEvents(tx, readers, events))
}

/** Ends the event streams of an account when `tx`, which disables the account, commits. */
export const endStreams = (tx: Tx, ownerId: string): Promise<void> => wakeStreams(tx, ownerId)

/**
 * Yields the committed events of an account after `start`, each once, until `signal` is aborted, the account is disabled or the
 * server stops. Only one batch of events is in memory; the next batch is read when it is needed. The id of an event is the
 * position after it. Also yields an id without an event at the start and at least every ten seconds.
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
