import { useQuery } from '@tanstack/react-query'
import type { Project } from '#shared/contract/projects.ts'
import { messageOf } from '#web/lib/api.ts'
import { publicationDate } from '#web/lib/dates.ts'
import { useErrorToast } from '#web/lib/use-error-toast.ts'
import { Button } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/marks.tsx'
import { recommendationsQuery } from './queries.ts'
import styles from './recommendations.module.css'

const SHOWN = 4

/** The first recommendations of a project, shown on its overview page. */
export function RecommendedPanel({ project }: { project: Project }) {
  const list = useQuery(recommendationsQuery(project.id))
  useErrorToast('Error loading recommendations', list.error)
  if (list.isLoadingError)
    return (
      <div className="border-t border-border py-3 text-muted-foreground">
        <p>{messageOf(list.error)}</p>
        <Button size="sm" onClick={() => void list.refetch()}>
          Retry
        </Button>
      </div>
    )
  if (!list.data)
    return (
      <div
        className="border-t border-border py-3 text-muted-foreground"
        role="status"
        aria-label="Loading recommendations"
      >
        <Skeleton height="2.75rem" />
      </div>
    )
  const rows = list.data.data.filter(({ status, document_id }) => status === 'pending' && !document_id).slice(0, SHOWN)
  if (rows.length === 0)
    return (
      <p className="border-t border-border py-3 text-muted-foreground">
        Papers recommended for the research question are listed here.
      </p>
    )
  return (
    <ul className={styles.list}>
      {rows.map(({ id, title, publication_date: date, doi_link, link }) => {
        const address = doi_link ?? link
        return (
          <li key={id}>
            <h3>
              {address ? (
                <a href={address} target="_blank" rel="noopener noreferrer">
                  {title}
                </a>
              ) : (
                title
              )}
            </h3>
            {date ? <p className="tabular-nums lining-nums">{publicationDate(date)}</p> : null}
          </li>
        )
      })}
    </ul>
  )
}
