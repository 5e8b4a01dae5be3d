/**
 * `{"content": <base64>, "name": <name>}` as a stream, so that a file of any size passes without being held in memory.
 * Base64 takes three bytes at a time: what is left over of one piece begins the next (RFC 4648, 4).
 */
export function base64Json(bytes: ReadableStream<Uint8Array>, name: string): ReadableStream<Uint8Array> {
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
