import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type DocumentRow, documentTitle } from '#shared/contract/documents.ts'
import { api } from '#shared/contract/paths.ts'
import type { Project } from '#shared/contract/projects.ts'
import { messageOf } from '#web/lib/api.ts'
import { toast } from '#web/lib/toasts.tsx'
import { whenDone } from '#web/lib/when-done.ts'
import { Button } from '#web/ui/button.tsx'
import { HeadActions, HeadCount, PageHead } from '#web/ui/page.tsx'
import { useFocusAfterRemoval } from '#web/ui/focus-after-removal.ts'
import { Pager } from '#web/ui/pager.tsx'
import { PaperMarks } from '#web/ui/paper-marks.tsx'
import { Select } from '#web/ui/select.tsx'
import styles from './projects.module.css'
import { UNASSIGNED_SIZES, unassignedDocumentsQuery } from './unassigned-query.ts'
import { useMoveDocument, useReassignDocuments } from './changes.ts'

/** Lists the documents without a project and moves them to projects. Renders nothing if there are none. */
export function UnassignedDocuments({ projects }: { projects: readonly Project[] }) {
  const [page, setPage] = useState(1)
  const [limit, setLimit] = useState<number>(UNASSIGNED_SIZES[0])
  const list = useQuery(unassignedDocumentsQuery(page, limit))
  const moving = useMoveDocument()
  const focusProps = useFocusAfterRemoval<HTMLElement>('li')
  const movingAll = useReassignDocuments()
  const options = projects.map(({ id, name }) => ({ value: id, label: name }))
  const failed = (error: Error) =>
    toast({ title: 'The document could not be moved', description: messageOf(error), destructive: true })
  const moveOne = ({ id, version }: DocumentRow, project_id: string) =>
    whenDone(moving.mutateAsync({ id, project_id, version }), {
      onSuccess: () => toast({ title: 'Document moved' }),
      onError: failed,
    })
  const moveAll = (project_id: string, count: number) => {
    let done = 0
    const onMoved = (moved: number) => void (done = moved)
    whenDone(movingAll.mutateAsync({ from_project_id: null, project_id, onMoved }), {
      onSuccess: (moved) => toast({ title: `Successfully reassigned ${moved.count} documents` }),
      onError: (error) =>
        toast({
          title: `Failed to reassign ${count - done} of ${count} documents`,
          description: messageOf(error),
          destructive: true,
        }),
    })
  }
  if (list.isLoadingError)
    return (
      <section className={styles.unassigned} aria-label="Documents without a project">
        <p className="text-muted-foreground">
          The documents without a project could not be loaded. {messageOf(list.error)}
        </p>
        <Button onClick={() => void list.refetch()}>Retry</Button>
      </section>
    )
  if (!list.data || list.data.count === 0) return null
  const { data: rows, count } = list.data
  const pageCount = Math.ceil(count / limit)
  // Moving documents can empty the current page.
  if (page > pageCount) setPage(pageCount)
  const busy = moving.isPending || movingAll.isPending || options.length === 0
  return (
    <section {...focusProps} className={styles.unassigned} aria-labelledby="unassigned-documents">
      <PageHead>
        <h2 id="unassigned-documents">
          Documents without a project<HeadCount>{count}</HeadCount>
        </h2>
        <HeadActions>
          <Select
            compact
            aria-label="Move all documents to"
            value={undefined}
            placeholder="Move all to…"
            disabled={busy}
            onChange={(id) => moveAll(id, count)}
            options={options}
          />
        </HeadActions>
      </PageHead>
      <ul>
        {rows.map((row) => (
          <li key={row.id}>
            <div className="min-w-0">
              <p className={styles.documentTitle}>
                {documentTitle(row)} <PaperMarks retracted={row.retracted} withoutFile={row.source_url === null} />
              </p>
              {row.source_url === null ? null : (
                <p className="text-muted-foreground text-meta">
                  {row.title?.trim() ? `${row.filename} · ` : ''}
                  <a className="text-link" href={api.documentFile(row.id)} target="_blank" rel="noreferrer">
                    Open PDF
                    <span className="sr-only"> of {documentTitle(row)}, in a new tab</span>
                  </a>
                </p>
              )}
            </div>
            <Select
              compact
              aria-label={`Move ${documentTitle(row)} to`}
              value={undefined}
              placeholder="Move to…"
              disabled={busy}
              onChange={(id) => moveOne(row, id)}
              options={options}
            />
          </li>
        ))}
      </ul>
      <Pager
        page={page}
        pageCount={pageCount}
        limit={limit}
        limits={UNASSIGNED_SIZES}
        count={count}
        onPage={setPage}
        onLimit={(next) => {
          setLimit(next)
          setPage(1)
        }}
      />
    </section>
  )
}
