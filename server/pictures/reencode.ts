import type Sharp from 'sharp'
import { AppError } from '#server/lib/errors.ts'

/** One size of an image, encoded by this server. */
export interface PictureVariant {
  /** The requested width in pixels. A smaller original is not enlarged. */
  width: number
  bytes: Buffer
}

/** Maximum number of pixels: more than a phone camera takes. A file of a few kilobytes can declare thousands of times as many. */
const MAX_PIXELS = 64_000_000
const TIMEOUT_SECONDS = 20
const QUALITY = 82

let loaded: Promise<typeof Sharp> | undefined

/** Loads sharp at the first image, because it needs 10 MB and many servers never read one. */
const loadSharp = () => (loaded ??= import('sharp').then(({ default: sharp }) => restrict(sharp)))

/** Allows only four decoders, regardless of the declared type: no SVG, no PDF, no rare formats. */
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

/** Encodes one image at a time: decoding can need hundreds of megabytes. */
let before: Promise<unknown> = Promise.resolve()

/**
 * Decodes an image and encodes it as WebP in each of the widths. The result has no metadata (place, camera) and no other
 * embedded data of the file. Applies the EXIF orientation; crops to a square if `square`. Throws 'wrong_type' for other
 * formats than JPEG, PNG, WebP and GIF and for animations, and 'too_large' for too many pixels. Runs outside the main
 * thread.
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

/** The error for content that cannot be read as an image. */
export const notAnImage = (cause?: unknown) =>
  new AppError('wrong_type', 'Please select an image file', { cause, fields: { file: 'Invalid file type' } })
