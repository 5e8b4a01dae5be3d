import { AppError } from '#server/lib/errors.ts'
import { DRIVE_FILE_INVALID } from '#shared/contract/drive.ts'

/**
 * Encodes a file as the JSON text `{"content": <base64>, "name": <name>}` and returns the text as a stream, so that memory use
 * does not depend on the file size. Base64 encodes groups of three bytes, so the one or two bytes that remain of a chunk of
 * `bytes` are encoded with the next chunk (RFC 4648, 4). Throws for an empty file, before the response starts.
 */
export async function base64Json(bytes: ReadableStream<Uint8Array>, name: string): Promise<ReadableStream<Uint8Array>> {
  const reader = bytes.getReader()
  const first = await reader.read()
  if (first.done) throw new AppError('outside_failed', DRIVE_FILE_INVALID)
  const whole = new ReadableStream<Uint8Array>(
    {
      start: (out) => out.enqueue(first.value),
      async pull(out) {
        const next = await reader.read()
        if (next.done) out.close()
        else out.enqueue(next.value)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
  return encoded(whole, name)
}

function encoded(bytes: ReadableStream<Uint8Array>, name: string): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let rest = Buffer.alloc(0)
  return bytes.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      start: (out) => out.enqueue(encoder.encode('{"content":"')),
      transform(piece, out) {
        const all = Buffer.concat([rest, piece])
        const whole = all.length - (all.length % 3)
        rest = all.subarray(whole)
        if (whole > 0) out.enqueue(encoder.encode(all.subarray(0, whole).toString('base64')))
      },
      flush: (out) => out.enqueue(encoder.encode(`${rest.toString('base64')}","name":${JSON.stringify(name)}}`)),
    }),
  )
}
