import { useState } from 'react'
import { pictureSet, PROJECT_IMAGE_WIDTHS } from '#shared/contract/pictures.ts'
import type { Project } from '#shared/contract/projects.ts'
import { Cover } from '#web/ui/cover.tsx'

/**
 * The `sizes` attribute of the project image: `wide` for a card of the project list, `tall` for the overview. On narrow screens
 * both have the full width.
 */
const SIZES = {
  wide: '(width < 48rem) 100vw, 28rem',
  tall: '(width < 48rem) 100vw, 24rem',
}

/**
 * The image of a project. A generated cover is shown if there is no image, if it cannot be loaded, and for the shape 'swatch'.
 */
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
