import { setTimeout as pause } from 'node:timers/promises'
import { streamsEnd } from '#server/events/events.ts'
import { CHANNELS } from '#server/events/listen.ts'
import { waitForNotice } from '#server/events/wait-for-notice.ts'
import type { Actor } from '#server/db/actor.ts'
import { streamBody } from '#server/http/stream-body.ts'
import { mayAdminister } from '#server/profiles/index.ts'
import { toProgress } from '#shared/contract/journal-import.ts'
import { latestImport } from './import-service.ts'

/**
 * Interval of checks without a notification, in milliseconds. They are necessary because a notification can be lost, and they
 * keep the connection alive.
 */
const LOOK_AGAIN_MS = 10_000
/** Minimum interval between two events, in milliseconds. A user could not read faster changes. */
const LEAST_MS = 250

/**
 * Returns the progress of the latest catalog update as server-sent events: the current state, then every change, until the
 * client disconnects or loses the admin role. Each event contains the complete state and has an id. A client that reconnects
 * with the last id gets the current state only if it has changed.
 */
export const importStream = (
  actor: Actor,
  lastEventId: string | undefined,
  request: AbortSignal,
): ReadableStream<Uint8Array> =>
  streamBody((signal) => follow(actor, lastEventId, AbortSignal.any([signal, streamsEnd()])), request)

async function* follow({ userId }: Actor, heard: string | undefined, signal: AbortSignal): AsyncGenerator<string> {
  let last = heard
  const notices = waitForNotice(
    (channel, text) => channel === CHANNELS.import || (channel === CHANNELS.event && text === userId),
    signal,
  )
  try {
    while (!signal.aborted) {
      notices.beginRead()
      if (!(await mayAdminister(userId))) return
      const row = await latestImport()
      const id = row && `${row.id}.${row.revision}`
      if (row && id !== last) {
        last = id
        yield `id: ${id}\ndata: ${JSON.stringify(toProgress(row, Date.now()))}\n\n`
      } else yield ': \n\n'
      await pause(LEAST_MS, undefined, { signal }).catch(() => undefined)
      await notices.wait(LOOK_AGAIN_MS)
    }
  } finally {
    notices.stop()
  }
}
