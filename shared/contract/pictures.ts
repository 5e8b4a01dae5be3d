/** Maximum size of an uploaded project picture in bytes. */
export const PROJECT_IMAGE_MAX_BYTES = 5 * 1024 * 1024
/** Maximum size of an uploaded profile picture in bytes. */
export const AVATAR_MAX_BYTES = 2 * 1024 * 1024

/**
 * Widths in pixels of a stored project picture, smallest first. The address of a project picture without a suffix returns the
 * last width. The addresses of the other widths have a suffix such as `.w480`.
 */
export const PROJECT_IMAGE_WIDTHS = [480, 960, 1600] as const
/**
 * Side lengths in pixels of a stored profile picture, smallest first. The address of a profile picture without a suffix returns
 * the last size. The addresses of the other sizes have a suffix such as `.w96`.
 */
export const AVATAR_WIDTHS = [96, 256] as const

/**
 * Returns the address of a stored picture in another width. `url` is the address of the picture in its largest width. `width`
 * is one of the smaller stored widths in pixels.
 */
export const pictureAt = (url: string, width: number) => url.replace(/\.webp$/, `.w${width}.webp`)

/** Returns true for the address of a picture that the server stores in several widths. */
export const isStoredPicture = (url: string) => /^\/files\/(?:project_hero|avatars)\/.+\.webp$/.test(url)

/** Returns the `srcset` of a stored picture; undefined for a picture on another server. */
export function pictureSet(url: string, widths: readonly number[]): string | undefined {
  if (!isStoredPicture(url)) return undefined
  const last = widths.length - 1
  return widths.map((width, at) => `${at === last ? url : pictureAt(url, width)} ${width}w`).join(', ')
}
