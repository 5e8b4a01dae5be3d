import { setImmediate } from 'node:timers/promises'
import type { Cursor } from './cursor.ts'
import { type Heard, type Listener, readEventsOf } from './event-queries.ts'

/** Maximum number of accounts in one read. It limits the memory, because a read returns a batch of events for each account. */
const MOST_TOGETHER = 25

interface Waiting extends Listener {
  resolve: (heard: Heard) => void
  reject: (error: unknown) => void
}

const waiting: Waiting[] = []
let isReading = false

/**
 * Returns the events of an account after a cursor. Concurrent calls share one transaction, because a change of a project wakes
 * the streams of all its members, and the embedded database runs transactions one after the other.
 */
export function readEvents(ownerId: string, cursor: Cursor): Promise<Heard> {
  const { promise, resolve, reject } = Promise.withResolvers<Heard>()
  waiting.push({ ownerId, cursor, resolve, reject })
  if (!isReading) void readWaiting()
  return promise
}

async function readWaiting(): Promise<void> {
  isReading = true
  // The notifications of one commit arrive together.
  await setImmediate()
  while (waiting.length > 0) {
    const together = waiting.splice(0, MOST_TOGETHER)
    try {
      const heard = await readEventsOf(together)
      for (const [at, { resolve }] of together.entries()) resolve(heard[at]!)
    } catch (error) {
      for (const { reject } of together) reject(error)
    }
  }
  isReading = false
}
