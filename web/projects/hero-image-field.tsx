import { ImagePlus } from 'lucide-react'
import { useEffect, useMemo, useRef } from 'react'
import { PROJECT_IMAGE_MAX_BYTES } from '#shared/contract/pictures.ts'
import { PROJECT_IMAGE_TOO_LARGE, PROJECT_IMAGE_WRONG_TYPE } from '#shared/contract/projects.ts'
import { toast } from '#web/lib/toasts.tsx'
import { Button } from '#web/ui/button.tsx'
import { CoverFrame } from '#web/ui/cover.tsx'
import { Field } from '#web/ui/field.tsx'
import { ProjectCover } from './project-cover.tsx'
import styles from './projects.module.css'

/** The user's choice for the image: a new file, null to remove the image, or undefined for no change. */
export type ChosenPicture = File | null | undefined

/**
 * The image field of a project form. The user can choose, replace or remove the image. Nothing is uploaded before the form is
 * saved.
 */
export function HeroImageField({
  name,
  current,
  chosen,
  onChange,
}: {
  /** The name of the project, from which the cover is generated if there is no image. */
  name: string
  current: string | null
  chosen: ChosenPicture
  onChange: (chosen: ChosenPicture) => void
}) {
  const input = useRef<HTMLInputElement>(null)
  const preview = useMemo(() => (chosen instanceof File ? URL.createObjectURL(chosen) : null), [chosen])
  useEffect(() => () => void (preview && URL.revokeObjectURL(preview)), [preview])
  const shown = chosen === undefined ? current : preview
  const take = async (file: File | undefined) => {
    if (!file) return
    const refusal = await whyRefused(file)
    if (refusal) toast({ ...refusal, destructive: true })
    else onChange(file)
  }
  return (
    <Field
      label="Hero image"
      hint={
        shown
          ? 'PNG or JPEG, at most 5 MB.'
          : 'PNG or JPEG, at most 5 MB. Without an image, the project has a drawn cover.'
      }
    >
      {(ids) => (
        <div className={styles.imageField}>
          <CoverFrame>
            {shown ? <img src={shown} alt="" /> : <ProjectCover project={{ name, hero_image: null }} shape="wide" />}
          </CoverFrame>
          <input
            {...ids}
            ref={input}
            type="file"
            className="sr-only"
            // The buttons replace it visually; the label is for assistive technology.
            tabIndex={-1}
            accept=".png,.jpg,.jpeg"
            onChange={(event) => {
              void take(event.target.files?.[0])
              // Allows choosing the same file again after removing it.
              event.target.value = ''
            }}
          />
          <div className="flex flex-wrap gap-2">
            <Button size="sm" onClick={() => input.current?.click()}>
              <ImagePlus aria-hidden />
              {shown ? 'Replace image' : 'Choose image'}
            </Button>
            {shown ? (
              <Button variant="ghost" size="sm" onClick={() => onChange(current ? null : undefined)}>
                Remove image
              </Button>
            ) : null}
            {current && chosen !== undefined ? (
              <Button variant="ghost" size="sm" onClick={() => onChange(undefined)}>
                Keep the current image
              </Button>
            ) : null}
          </div>
        </div>
      )}
    </Field>
  )
}

/**
 * Returns the reason why a file cannot be used as an image, or null. Decodes the file, because its declared type can be wrong.
 */
async function whyRefused(file: File) {
  if (!file.type.startsWith('image/')) return PROJECT_IMAGE_WRONG_TYPE
  if (file.size > PROJECT_IMAGE_MAX_BYTES) return PROJECT_IMAGE_TOO_LARGE
  const picture = await createImageBitmap(file).catch(() => null)
  picture?.close()
  return picture ? null : PROJECT_IMAGE_WRONG_TYPE
}
