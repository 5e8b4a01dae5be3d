import { setTimeout as pause } from 'node:timers/promises'
import { streamsEnd } from '#server/lib/events.ts'
import { CHANNELS, onNotice } from '#server/lib/events/listen.ts'
import type { Actor } from '#server/lib/session.ts'
import { streamBody } from '#server/lib/stream-body.ts'
import { mayAdminister } from '#server/profiles/index.ts'
import { toProgress } from '#shared/journal-import.ts'
import { latestImport } from './import-service.ts'

/** Also looked at without a notice, in case one was lost; the connection is kept alive with it. */
const LOOK_AGAIN_MS = 10_000
/** Nobody reads faster, and nothing is asked more often. */
const LEAST_MS = 250

/**
 * The latest run's progress as server-sent events: as it is now, and again whenever it gets further, until the client
 * leaves or is an admin no longer. Each event tells everything, and its id says which state it was, so a client that comes
 * back with the last id hears the present state, or nothing where that is what it heard last.
 */
export const importStream = (
  actor: Actor,
  lastEventId: string | undefined,
  request: AbortSignal,
): ReadableStream<Uint8Array> =>
  streamBody((signal) => follow(actor, lastEventId, AbortSignal.any([signal, streamsEnd()])), request)

async function* follow({ userId }: Actor, heard: string | undefined, signal: AbortSignal): AsyncGenerator<string> {
  let last = heard
  let hasNews = true
  let wake: () => void = () => undefined
  const stopHearing = onNotice((channel, text) => {
    const isOwn = channel === CHANNELS.event && text === userId
    if (channel !== CHANNELS.import && channel !== 'reconnected' && !isOwn) return
    hasNews = true
    wake()
  })
  const end = () => wake()
  signal.addEventListener('abort', end)
  try {
    while (!signal.aborted) {
      hasNews = false
      if (!(await mayAdminister(userId))) return
      const row = await latestImport()
      const id = row && `${row.id}.${row.revision}`
      if (row && id !== last) {
        last = id
        yield `id: ${id}\ndata: ${JSON.stringify(toProgress(row, Date.now()))}\n\n`
      } else yield ': \n\n'
      await pause(LEAST_MS, undefined, { signal }).catch(() => undefined)
      if (hasNews || signal.aborted) continue
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
    signal.removeEventListener('abort', end)
  }
}
