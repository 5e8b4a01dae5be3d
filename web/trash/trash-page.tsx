import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api, pages } from '#shared/contract/paths.ts'
import { TRASH_DAYS, TRASH_SHOWN } from '#shared/contract/trash.ts'
import { messageOf } from '#web/lib/api.ts'
import { confirm } from '#web/lib/confirm.tsx'
import { LoadFailed } from '#web/lib/load-failed.tsx'
import { grouped } from '#shared/text/numbers.ts'
import { toast } from '#web/lib/toasts.tsx'
import { useTitle } from '#web/lib/use-title.ts'
import { Button } from '#web/ui/button.tsx'
import { cn } from '#web/ui/class-names.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { useFocusAfterRemoval } from '#web/ui/focus-after-removal.ts'
import { Waiting } from '#web/ui/marks.tsx'
import { HeadActions, HeadCount, Page, PageHead } from '#web/ui/page.tsx'
import { DeletedDocumentRow, DeletedProjectRow } from './deleted-rows.tsx'
import { removeForGood, trashQuery } from './queries.ts'
import styles from './trash.module.css'

/** The page with the items deleted in the last thirty days. Buttons restore them or delete them permanently. */
export function TrashPage() {
  useTitle('Recently deleted')
  const [limit, setLimit] = useState<number>(TRASH_SHOWN.first)
  const list = useQuery(trashQuery(limit))
  const count = list.data ? list.data.projects.length + list.data.document_count : 0
  const emptyAll = async () => {
    // Items that are deleted while the question is open stay. Both lists begin with their latest item.
    const latest = [list.data?.projects[0], list.data?.documents[0]].map((item) => item?.deleted_at ?? '')
    const before = latest.toSorted().at(-1)
    const title = 'Delete everything here permanently?'
    const about = `All ${grouped(count)} and their files. This cannot be undone.`
    if (!(await confirm({ title, about, action: 'Delete everything permanently' }))) return
    await removeForGood(api.trash({ before })).then(
      () => toast({ title: 'Deleted permanently' }),
      (error: unknown) => toast({ title: 'Error deleting', description: messageOf(error), destructive: true }),
    )
  }
  return (
    <Page {...useFocusAfterRemoval('li')}>
      <Link to={pages.projects()} className="back-link">
        ← Back to projects
      </Link>
      <PageHead className="mt-3">
        <h1>Recently deleted{count > 0 ? <HeadCount>{count}</HeadCount> : null}</h1>
        {count > 0 ? (
          <HeadActions>
            <Button variant="danger" onClick={() => void emptyAll()}>
              Delete everything permanently
            </Button>
          </HeadActions>
        ) : null}
      </PageHead>
      {list.isPending ? (
        <Waiting>Loading deleted items...</Waiting>
      ) : list.isLoadingError ? (
        <LoadFailed
          title="The deleted items could not be loaded"
          error={list.error}
          onRetry={() => void list.refetch()}
        />
      ) : count === 0 ? (
        <EmptyState
          title="No deleted items."
          about={`Deleted projects and documents stay here for ${TRASH_DAYS} days and can be restored. After that, they and their files are deleted permanently.`}
        />
      ) : (
        <>
          <p className={cn(styles.details, 'text-muted-foreground')}>
            Deleted items stay here for {TRASH_DAYS} days and can be restored. After that, they and their files are
            deleted permanently.
          </p>
          {list.data.projects.length > 0 ? (
            <section className={styles.section} aria-labelledby="deleted-projects">
              <h2 id="deleted-projects">Projects</h2>
              <ul>
                {list.data.projects.map((project) => (
                  <DeletedProjectRow key={project.id} project={project} />
                ))}
              </ul>
            </section>
          ) : null}
          {list.data.documents.length > 0 ? (
            <section className={styles.section} aria-labelledby="deleted-documents">
              <h2 id="deleted-documents">Documents</h2>
              <ul>
                {list.data.documents.map((document) => (
                  <DeletedDocumentRow key={document.id} document={document} />
                ))}
              </ul>
            </section>
          ) : null}
          {list.data.document_count > list.data.documents.length && limit < TRASH_SHOWN.most ? (
            <Button
              className="mt-3"
              disabled={list.isFetching}
              onClick={() => setLimit(Math.min(limit * 4, TRASH_SHOWN.most))}
            >
              Show more
            </Button>
          ) : null}
        </>
      )}
    </Page>
  )
}
