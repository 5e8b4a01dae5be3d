import { AppError } from '#server/lib/errors.ts'
import { pictureKeys } from '#server/pictures/index.ts'
import { isStoredPicture, PROJECT_IMAGE_WIDTHS } from '#shared/contract/pictures.ts'

/** Storage folder of hero images (the cover pictures of projects). */
export const HERO_BUCKET = 'project_hero'

/**
 * Returns the storage keys of a project's hero image. Returns an empty list if the image at `url` does not belong to the
 * project.
 */
export const heroImageKeys = (projectId: string, url: string | null) =>
  pictureKeys(HERO_BUCKET, `${projectId}-`, url, PROJECT_IMAGE_WIDTHS)

/**
 * Throws 'refused' if `url` is the address of a stored image other than `own`, the current image of the project. An image
 * belongs to only one project.
 */
export function refuseForeignPicture(url: string | null | undefined, own: string | null): void {
  if (!url || url === own || !isStoredPicture(url)) return
  const message = 'This is not an image of this project. Please upload the image instead.'
  throw new AppError('refused', message, { fields: { hero_image: message } })
}
