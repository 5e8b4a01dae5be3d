import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { readOpenAlexKey } from '#shared/contract/journals.ts'
import type { Journal } from '#shared/contract/journals.ts'
import { pages } from '#shared/contract/paths.ts'
import { ApiError } from '#web/lib/api.ts'
import { LoadFailed } from '#web/lib/load-failed.tsx'
import { useErrorToast } from '#web/lib/use-error-toast.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { Button } from '#web/ui/button.tsx'
import { cn } from '#web/ui/class-names.ts'
import { Badge, Skeleton } from '#web/ui/marks.tsx'
import { HeadActions, Notice, Page, PageHead } from '#web/ui/page.tsx'
import { AdoptDialog } from './adopt-dialog.tsx'
import { EditedFields } from './edited-fields.tsx'
import { FeedPreview } from './feed-preview.tsx'
import { JournalFacts } from './journal-facts.tsx'
import { JournalForm } from './journal-form.tsx'
import styles from './journals.module.css'
import { excludedQuery, journalQuery } from './queries.ts'
import { useJournalActions } from './use-journal-actions.ts'

const LOAD_FAILED = 'Failed to load journal details'

/** The page of a journal of the catalog: its data, its actions and the articles of its feed. */
export function JournalPage({ id }: { id: string }) {
  const found = useQuery(journalQuery(id))
  const isMissing = found.error instanceof ApiError && found.error.status === 404
  useTitle(isMissing ? 'Journal not found' : (found.data?.name ?? 'Journal'))
  useErrorToast(LOAD_FAILED, isMissing ? null : found.error)
  return (
    <Page>
      <Link className="back-link" to={pages.adminJournals()}>
        ← Back to journals
      </Link>
      {isMissing ? (
        <Notice role="alert">
          <h1>Journal not found</h1>
          <p>It was deleted, or the address is not correct.</p>
        </Notice>
      ) : found.data ? (
        <Whole journal={found.data} />
      ) : found.error ? (
        <LoadFailed title={LOAD_FAILED} error={found.error} onRetry={() => void found.refetch()} />
      ) : (
        <PageHead role="status" aria-label="Loading...">
          <Skeleton width="40%" height="2rem" />
        </PageHead>
      )}
    </Page>
  )
}

function Whole({ journal }: { journal: Journal }) {
  const [editing, setEditing] = useState(false)
  const [adopting, setAdopting] = useState(false)
  const navigate = useNavigate()
  const excluded = useQuery(excludedQuery)
  const key = readOpenAlexKey(journal.openalex_id)
  const entry = key ? excluded.data?.find(({ openalex_id }) => openalex_id === key) : undefined
  const actions = useJournalActions(journal, () => void navigate({ to: pages.adminJournals() }))
  return (
    <>
      <PageHead>
        <h1>{journal.name}</h1>
        {journal.personal ? (
          <HeadActions>
            <Button variant="primary" onClick={() => setAdopting(true)}>
              Adopt
            </Button>
          </HeadActions>
        ) : editing ? null : (
          <HeadActions>
            <Button disabled={actions.refreshing} onClick={actions.refresh}>
              {actions.refreshing ? 'Refreshing...' : 'Refresh from OpenAlex'}
            </Button>
            <Button variant="primary" onClick={() => setEditing(true)}>
              Edit
            </Button>
          </HeadActions>
        )}
      </PageHead>
      <p className="-mt-2 mb-5 flex gap-2 empty:hidden">
        {entry ? <Badge tone="alarm">Excluded</Badge> : null}
        {journal.user_added ? <Badge>User-added</Badge> : null}
        {journal.personal ? <Badge>Personal</Badge> : null}
        {journal.is_open_access ? <Badge tone="quiet">Open access</Badge> : null}
      </p>
      <EditedFields journal={journal} />
      {journal.personal ? (
        <p className={cn(styles.details, 'text-muted-foreground mb-5')}>
          Only the person who added this journal sees it, its feed and its articles. Adopt it to offer it to everyone.
        </p>
      ) : null}
      {editing ? (
        <JournalForm journal={journal} onDone={() => setEditing(false)} />
      ) : (
        <>
          <JournalFacts journal={journal} />
          <FeedPreview journal={journal} />
          <section className={styles.actionSections} aria-label="Exclude or delete">
            {journal.personal ? null : (
              <div>
                <h2>{entry ? 'This journal is excluded' : 'Exclude this journal'}</h2>
                <p className={cn(styles.details, 'text-muted-foreground')}>
                  {entry
                    ? `${entry.reason ?? 'No reason given'}. It appears in no list, and updates do not change it.`
                    : 'An excluded journal appears in no list, and updates do not change it. You can undo this.'}
                </p>
                <Button disabled={actions.excluding} onClick={() => actions.setExcluded(entry)}>
                  {entry ? 'Remove from exclusion list' : actions.excluding ? 'Excluding...' : 'Exclude'}
                </Button>
              </div>
            )}
            <div>
              <h2>Delete this journal</h2>
              <p className={cn(styles.details, 'text-muted-foreground')}>
                Subscriptions to its feed end. Papers keep its name. The next update may add it again.
              </p>
              <Button variant="danger" disabled={actions.deleting} onClick={() => void actions.remove()}>
                {actions.deleting ? 'Deleting...' : 'Delete'}
              </Button>
            </div>
          </section>
        </>
      )}
      {journal.personal ? <AdoptDialog journal={journal} open={adopting} onOpenChange={setAdopting} /> : null}
    </>
  )
}
