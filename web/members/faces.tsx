import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Users } from 'lucide-react'
import { pages } from '#shared/contract/paths.ts'
import type { Project } from '#shared/contract/projects.ts'
import { useFirstAnswers } from '#web/lib/first-answers.ts'
import { Avatar } from '#web/ui/marks.tsx'
import styles from './members.module.css'
import { membersQuery } from './queries.ts'

const SHOWN = 5

/** A link to the members of a project. Shows the pictures of at most five members and the number of the others. */
export function Faces({ project }: { project: Project }) {
  const isShared = project.member_count > 1
  const members = useQuery({ ...membersQuery(project.id), enabled: useFirstAnswers() && isShared })
  const shown = isShared ? (members.data ?? []).slice(0, SHOWN) : []
  const rest = project.member_count - shown.length
  return (
    <Link
      to={pages.people(project.address)}
      className={styles.faces}
      aria-label={isShared ? `${project.member_count} people in this project` : 'People'}
      activeProps={{}}
    >
      <Users aria-hidden data-alone={shown.length === 0 || undefined} />
      {shown.map(({ user_id, name, avatar_url }) => (
        <Avatar key={user_id} quiet name={name} picture={avatar_url} />
      ))}
      {shown.length > 0 && rest > 0 ? <span className={styles.rest}>+{rest}</span> : null}
    </Link>
  )
}
