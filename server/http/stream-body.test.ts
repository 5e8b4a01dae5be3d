import { expect, it } from 'vitest'
import { streamBody } from './stream-body.ts'

/** Returns an endless source of events. `held.now` is true while the source is open. */
function pieces() {
  const held = { now: false }
  const generate = async function* (signal: AbortSignal) {
    held.now = true
    try {
      for (let count = 1; !signal.aborted; count += 1) yield `data: ${count}\n\n`
    } finally {
      held.now = false
    }
  }
  return { held, generate }
}

it('streamBody closes its source when the client disconnects before it has read the last piece', async () => {
  const { held, generate } = pieces()
  const reader = streamBody(generate, new AbortController().signal).getReader()
  await reader.read()
  await expect.poll(() => held.now).toBe(true)
  await reader.cancel()
  await expect.poll(() => held.now).toBe(false)
})
