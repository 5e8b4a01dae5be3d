import { AppError } from '#server/lib/errors.ts'
import { notAnImage } from './reencode.ts'

/** Number of bytes by which a multipart body may be larger than the file in it. */
const AROUND_BYTES = 16 * 1024
const NO_FILE = 'Please select an image file'

/**
 * Reads the single field `file` of a multipart body. Drops what exceeds `maxBytes`, so that memory stays limited, and throws
 * 'too_large' with the message `tooLarge`. Does not check the content: `reencodeImage` does.
 */
export async function receivePicture(
  request: Request,
  limit: { maxBytes: number; tooLarge: string },
): Promise<Uint8Array> {
  const type = request.headers.get('content-type') ?? ''
  if (!/^multipart\/form-data\s*;/i.test(type)) throw new AppError('wrong_type', 'The upload must be a multipart form.')
  if (!request.body) throw new AppError('refused', NO_FILE, { fields: { file: NO_FILE } })
  const tooLarge = () => new AppError('too_large', limit.tooLarge, { fields: { file: 'File too large' } })
  const most = limit.maxBytes + AROUND_BYTES
  if (Number(request.headers.get('content-length') ?? 0) > most) throw tooLarge()
  let size = 0
  const counted = request.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        size += chunk.length
        // Drops the excess instead of ending the body: a client that is still sending would not read the response.
        if (size <= most) controller.enqueue(chunk)
      },
      flush(controller) {
        if (size > most) controller.error(tooLarge())
      },
    }),
  )
  const form = await new Response(counted, { headers: { 'content-type': type } }).formData().catch((error: unknown) => {
    if (size > most) throw tooLarge()
    throw new AppError('malformed', 'The upload ended before it was complete.', { cause: error })
  })
  const file = form.get('file')
  if (!(file instanceof File)) throw new AppError('refused', NO_FILE, { fields: { file: NO_FILE } })
  if (file.size > limit.maxBytes) throw tooLarge()
  if (file.size === 0) throw notAnImage()
  return new Uint8Array(await file.arrayBuffer())
}
