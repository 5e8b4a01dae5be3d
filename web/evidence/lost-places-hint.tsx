import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { pages } from '#shared/contract/paths.ts'
import type { Project } from '#shared/contract/projects.ts'
import { counted } from '#web/lib/dates.ts'
import { lostCountQuery } from './lost-count.ts'

/**
 * A link to the list of quotes that the newest texts of their papers do not contain ('lost places'). Renders nothing if there
 * are none.
 */
export function LostPlacesHint({ project }: { project: Project }) {
  const count = useQuery(lostCountQuery(project.id)).data ?? 0
  if (count === 0) return null
  return (
    <p className="text-muted-foreground text-meta mt-4">
      <Link to={pages.lostPlaces(project.address)} className="text-link">
        {counted(count, 'lost place')}
      </Link>{' '}
      of quotes in new texts
    </p>
  )
}
