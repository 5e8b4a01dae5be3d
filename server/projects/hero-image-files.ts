import { AppError } from '#server/lib/errors.ts'
import { pictureKeys } from '#server/pictures/index.ts'
import { isKeptPicture, PROJECT_IMAGE_WIDTHS } from '#shared/pictures.ts'

/** Where the pictures of projects are kept. */
export const HERO_BUCKET = 'project_hero'

/** The files of a project's picture; none when the picture is not the project's own. */
export const heroImageKeys = (projectId: string, url: string | null) =>
  pictureKeys(HERO_BUCKET, `${projectId}-`, url, PROJECT_IMAGE_WIDTHS)

/** Refuses the address of a kept picture that is not the project's own already: a picture is never shared. */
export function refuseForeignPicture(url: string | null | undefined, own: string | null): void {
  if (!url || url === own || !isKeptPicture(url)) return
  const message = 'This is not a picture of this project. Please upload the picture instead.'
  throw new AppError('refused', message, { fields: { hero_image: message } })
}
