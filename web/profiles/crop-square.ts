/** Width and height of the cropped picture in pixels. A larger one is not needed for display. */
const SIDE = 512

/**
 * Cuts the square `area` (in pixels) out of the picture at `url` and returns it as a new PNG file. Throws if the picture cannot
 * be read.
 */
export async function cropSquare(
  url: string,
  area: { x: number; y: number; width: number; height: number },
): Promise<File> {
  const image = new Image()
  image.src = url
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = SIDE
  canvas.getContext('2d')?.drawImage(image, area.x, area.y, area.width, area.height, 0, 0, SIDE, SIDE)
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'))
  if (!blob) throw new Error('The picture cannot be read.')
  return new File([blob], 'avatar.png', { type: 'image/png' })
}
