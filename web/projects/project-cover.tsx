import { useState } from 'react'
import { pictureSet, PROJECT_IMAGE_WIDTHS } from '#shared/contract/pictures.ts'
import type { Project } from '#shared/contract/projects.ts'
import { Cover } from '#web/ui/cover.tsx'

/** The `sizes` attribute of the image: for a card of the list, and for the overview. Both are full width in a narrow window. */
const SIZES = {
  wide: '(width < 48rem) 100vw, 28rem',
  tall: '(width < 48rem) 100vw, 24rem',
}

/** The project's image, or the generated cover for a swatch and if there is no image or it cannot be loaded. */
export function ProjectCover({
  project,
  shape,
}: {
  project: Pick<Project, 'name' | 'hero_image'>
  shape: 'wide' | 'tall' | 'swatch'
}) {
  const [broken, setBroken] = useState<string | null>(null)
  const url = project.hero_image
  if (!url || broken === url || shape === 'swatch') return <Cover name={project.name} shape={shape} />
  return (
    <img
      src={url}
      srcSet={pictureSet(url, PROJECT_IMAGE_WIDTHS)}
      sizes={SIZES[shape]}
      alt=""
      loading="lazy"
      decoding="async"
      onError={() => setBroken(url)}
    />
  )
}
