import sharp from 'sharp'
import { AppError } from '#server/lib/errors.ts'

/** One size of a picture, made anew by this server. */
export interface PictureVariant {
  /** The width that was asked for; a smaller original is not enlarged. */
  width: number
  bytes: Buffer
}

/** More than any camera of a phone takes; a file of a few kilobytes can claim thousands of times as many. */
const MAX_PIXELS = 64_000_000
const TIMEOUT_SECONDS = 20
const QUALITY = 82

// Only these decoders are ever reached, whatever a file claims to be: no SVG, no PDF, no rarely used format.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: [
    'VipsForeignLoadJpegBuffer',
    'VipsForeignLoadPngBuffer',
    'VipsForeignLoadWebpBuffer',
    'VipsForeignLoadNsgifBuffer',
  ],
})
// Nothing is read twice, so nothing is worth keeping.
sharp.cache(false)

/** One picture at a time: decoding takes memory by the hundred megabytes. */
let before: Promise<unknown> = Promise.resolve()

/**
 * Makes a picture anew in each of the widths, as WebP: what is stored has been drawn from pixels, without the metadata
 * (place, camera) and without whatever else the file carried. Upright as the camera meant it; square when asked for.
 * Refuses what is no JPEG, PNG, WebP or GIF, what moves, and what has too many pixels. Runs outside the main thread.
 */
export function reencodeImage(
  bytes: Uint8Array,
  options: { widths: readonly number[]; square?: boolean },
): Promise<PictureVariant[]> {
  const made = before.then(() => reencode(bytes, options))
  before = made.catch(() => undefined)
  return made
}

async function reencode(
  bytes: Uint8Array,
  { widths, square = false }: { widths: readonly number[]; square?: boolean },
) {
  const open = () =>
    sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error' }).timeout({ seconds: TIMEOUT_SECONDS })
  try {
    const { pages = 1 } = await open().metadata()
    if (pages > 1) throw new AppError('wrong_type', 'Moving pictures are not accepted. Please select a still image.')
    const largest = Math.max(...widths)
    // Decoded once, into the largest size; the others are made from those pixels.
    const { data, info } = await open()
      .autoOrient()
      .resize({
        width: largest,
        height: square ? largest : largest * 2,
        fit: square ? 'cover' : 'inside',
        withoutEnlargement: !square,
      })
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true })
    const { width: across, height, channels } = info
    const variants: PictureVariant[] = []
    for (const width of widths) {
      const drawn = sharp(data, { raw: { width: across, height, channels } })
      const bytes = await drawn.resize({ width, withoutEnlargement: true }).webp({ quality: QUALITY }).toBuffer()
      variants.push({ width, bytes })
    }
    return variants
  } catch (error) {
    if (error instanceof AppError) throw error
    if (/pixel limit/i.test(String(error)))
      throw new AppError(
        'too_large',
        `The image has too many pixels. At most ${MAX_PIXELS / 1e6} megapixels are accepted.`,
        {
          cause: error,
        },
      )
    throw notAnImage(error)
  }
}

/** Refuses what cannot be read as a picture. */
export const notAnImage = (cause?: unknown) =>
  new AppError('wrong_type', 'Please select an image file', { cause, fields: { file: 'Invalid file type' } })
