import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { pages } from '#shared/contract/paths.ts'
import type { Project } from '#shared/contract/projects.ts'
import { counted } from '#web/lib/dates.ts'
import { useFirstAnswers } from '#web/lib/first-answers.ts'
import { duplicateCountQuery } from './queries.ts'

/** A link to the groups of suspected duplicates. Renders nothing if the project has none. */
export function DuplicatesHint({ project }: { project: Project }) {
  const count = useQuery({ ...duplicateCountQuery(project.id), enabled: useFirstAnswers() }).data ?? 0
  if (count === 0) return null
  return (
    <p className="text-muted-foreground text-meta mb-3">
      <Link to={pages.duplicates(project.address)} className="text-link">
        {counted(count, 'group')} of duplicates
      </Link>{' '}
      to look at
    </p>
  )
}
