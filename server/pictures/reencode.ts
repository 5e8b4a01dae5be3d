import type Sharp from 'sharp'
import { AppError } from '#server/lib/errors.ts'

/** One size of an image, encoded by this server. */
export interface PictureVariant {
  /** The requested width in pixels. A smaller original is not enlarged. */
  width: number
  bytes: Buffer
}

/**
 * Maximum number of pixels of an image, more than phone cameras produce. It is checked because a file of a few kilobytes can
 * declare thousands of times as many pixels.
 */
const MAX_PIXELS = 64_000_000
const TIMEOUT_SECONDS = 20
const QUALITY = 82

let loaded: Promise<typeof Sharp> | undefined

/** Loads the image library sharp at its first use. It needs 10 MB of memory, and many servers never receive an image. */
const loadSharp = () => (loaded ??= import('sharp').then(({ default: sharp }) => restrict(sharp)))

/** Allows sharp only four decoders, regardless of a file's declared type: JPEG, PNG, WebP and GIF, but not SVG or PDF. */
function restrict(sharp: typeof Sharp): typeof Sharp {
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({
    operation: [
      'VipsForeignLoadJpegBuffer',
      'VipsForeignLoadPngBuffer',
      'VipsForeignLoadWebpBuffer',
      'VipsForeignLoadNsgifBuffer',
    ],
  })
  // Each image is read once, so a cache is useless.
  sharp.cache(false)
  return sharp
}

/**
 * Completes when the latest image has been encoded. Each image waits for it, because decoding several at once could need too
 * much memory.
 */
let before: Promise<unknown> = Promise.resolve()

/**
 * Decodes an image and encodes it as WebP in each of the widths, outside the main thread. Removes metadata (place, camera) and
 * all other embedded data. Applies the EXIF orientation, and crops to a square with `square`. Throws 'wrong_type' for
 * animations and for formats except JPEG, PNG, WebP and GIF, and 'too_large' for too many pixels.
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
  const sharp = await loadSharp()
  const open = () =>
    sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error' }).timeout({ seconds: TIMEOUT_SECONDS })
  try {
    const { pages = 1 } = await open().metadata()
    if (pages > 1) throw new AppError('wrong_type', 'Animated images are not accepted. Please select a still image.')
    const largest = Math.max(...widths)
    // Decoded once, at the largest size. The other sizes are made from those pixels.
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

/** Returns the error for content that cannot be read as an image. */
export const notAnImage = (cause?: unknown) =>
  new AppError('wrong_type', 'Please select an image file', { cause, fields: { file: 'Invalid file type' } })
