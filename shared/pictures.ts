/** Largest file that may be chosen as a project's picture. */
export const PROJECT_IMAGE_MAX_BYTES = 5 * 1024 * 1024
/** Largest file that may be chosen as a person's picture. */
export const AVATAR_MAX_BYTES = 2 * 1024 * 1024

/** Widths in which a project's picture is kept; the last one is the picture itself. */
export const PROJECT_IMAGE_WIDTHS = [480, 960, 1600] as const
/** Sides of the square in which a person's picture is kept; the last one is the picture itself. */
export const AVATAR_WIDTHS = [96, 256] as const

/** The address of a kept picture in another of its widths. */
export const pictureAt = (url: string, width: number) => url.replace(/\.webp$/, `.w${width}.webp`)

/** Is this the address of a picture that the server keeps, and so has in several widths? */
export const isKeptPicture = (url: string) => /^\/files\/(?:project_hero|avatars)\/.+\.webp$/.test(url)

/** A `srcset` of a kept picture; undefined for a picture that stands elsewhere. */
export function pictureSet(url: string, widths: readonly number[]): string | undefined {
  if (!isKeptPicture(url)) return undefined
  const last = widths.length - 1
  return widths.map((width, at) => `${at === last ? url : pictureAt(url, width)} ${width}w`).join(', ')
}
