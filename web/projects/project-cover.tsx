import type { Project } from '#shared/projects.ts'
import { Cover } from '#web/ui/cover.tsx'

/** The project's own picture, or else the cover made from its name. */
export function ProjectCover({
  project,
  shape,
}: {
  project: Pick<Project, 'name' | 'hero_image'>
  shape: 'wide' | 'tall' | 'swatch'
}) {
  return project.hero_image && shape !== 'swatch' ? (
    <img src={project.hero_image} alt="" />
  ) : (
    <Cover name={project.name} shape={shape} />
  )
}
