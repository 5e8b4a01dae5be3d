import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { TriangleAlert } from 'lucide-react'
import { pages } from '#shared/contract/paths.ts'
import type { Project } from '#shared/contract/projects.ts'
import { grouped } from '#shared/text/numbers.ts'
import { Alert } from '#web/ui/marks.tsx'
import { lostCountQuery } from './lost-count.ts'

/**
 * A notice on the page of a paper: its newest text does not contain some quotes of answers. Renders nothing if there are none.
 */
export function LostPlacesNote({ project, documentId }: { project: Project; documentId: string }) {
  const count = useQuery(lostCountQuery(project.id, documentId)).data ?? 0
  if (count === 0) return null
  return (
    <Alert>
      <TriangleAlert aria-hidden />
      <span>
        The text of this paper changed and no longer contains{' '}
        {count === 1 ? 'one quote of an answer' : `${grouped(count)} quotes of answers`}.{' '}
        <Link to={pages.lostPlaces(project.address)} className="text-link">
          Show the lost places
        </Link>
      </span>
    </Alert>
  )
}
