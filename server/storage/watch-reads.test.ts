import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { watchReads } from './watch-reads.ts'

const LIMIT_MS = 20_000

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Returns a stream that sends the bytes 1 and 2, and then ends or stays silent, and whether it was cancelled. */
function source(ends: boolean) {
  const seen = { isCancelled: false }
  let sent = 0
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(sink) {
        sent += 1
        if (sent <= 2) return sink.enqueue(Uint8Array.of(sent))
        if (ends) return sink.close()
        return new Promise<void>(() => undefined)
      },
      cancel: () => void (seen.isCancelled = true),
    },
    { highWaterMark: 0 },
  )
  return { reader: watchReads(stream, LIMIT_MS).getReader(), seen }
}

it('watchReads returns all bytes to a reader that pauses', async () => {
  const { reader } = source(true)
  for (const byte of [1, 2]) {
    expect((await reader.read()).value).toEqual(Uint8Array.of(byte))
    await vi.advanceTimersByTimeAsync(10 * LIMIT_MS)
  }
  expect((await reader.read()).done).toBe(true)
})

it('watchReads ends with an error, and cancels its source, if a read takes too long', async () => {
  const { reader, seen } = source(false)
  for (const byte of [1, 2]) expect((await reader.read()).value).toEqual(Uint8Array.of(byte))
  const silent = reader.read().catch((error: Error) => error.message)
  await vi.advanceTimersByTimeAsync(LIMIT_MS)
  expect(await silent).toBe('No bytes arrived for 20000 ms.')
  expect(seen.isCancelled).toBe(true)
})

it('watchReads cancels its source when the reader leaves', async () => {
  const { reader, seen } = source(true)
  await reader.read()
  await reader.cancel()
  expect(seen.isCancelled).toBe(true)
})
