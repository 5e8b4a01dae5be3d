/**
 * Returns a stream with the bytes of `source` that ends with an error if a read of `source` takes longer than `ms`
 * milliseconds. The time between two reads does not count, because the reader of a large file can pause.
 */
export function watchReads(source: ReadableStream<Uint8Array>, ms: number): ReadableStream<Uint8Array> {
  const reader = source.getReader()
  return new ReadableStream<Uint8Array>(
    {
      async pull(stream) {
        const late = Promise.withResolvers<never>()
        const timer = setTimeout(() => late.reject(new Error(`No bytes arrived for ${ms} ms.`)), ms)
        try {
          const { done, value } = await Promise.race([reader.read(), late.promise])
          if (done) stream.close()
          else stream.enqueue(value)
        } catch (error) {
          void reader.cancel(error).catch(() => undefined)
          throw error
        } finally {
          clearTimeout(timer)
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}
