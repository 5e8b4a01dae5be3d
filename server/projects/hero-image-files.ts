import { AppError } from '#server/lib/errors.ts'
import { pictureKeys } from '#server/pictures/index.ts'
import { isStoredPicture, PROJECT_IMAGE_WIDTHS } from '#shared/contract/pictures.ts'

/** Storage folder of hero images. */
export const HERO_BUCKET = 'project_hero'

/** Storage keys of a project's hero image. Empty for an image that does not belong to the project. */
export const heroImageKeys = (projectId: string, url: string | null) =>
  pictureKeys(HERO_BUCKET, `${projectId}-`, url, PROJECT_IMAGE_WIDTHS)

/** Refuses the address of a stored image that is not the project's current one: an image belongs to one project. */
export function refuseForeignPicture(url: string | null | undefined, own: string | null): void {
  if (!url || url === own || !isStoredPicture(url)) return
  const message = 'This is not an image of this project. Please upload the image instead.'
  throw new AppError('refused', message, { fields: { hero_image: message } })
}
