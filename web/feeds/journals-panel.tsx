import { useQuery } from '@tanstack/react-query'
import { ChevronDown, Search } from 'lucide-react'
import { useDeferredValue, useId, useState } from 'react'
import { FEED_FAILED } from '#shared/contract/feeds.ts'
import type { Subscription } from '#shared/contract/feeds.ts'
import type { JournalOption } from '#shared/contract/journals.ts'
import { messageOf } from '#web/lib/api.ts'
import { counted, shortDateAndTime } from '#web/lib/dates.ts'
import { useMay } from '#web/lib/rights.tsx'
import { toast } from '#web/lib/toasts.tsx'
import { whenDone } from '#web/lib/when-done.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { cn } from '#web/ui/class-names.ts'
import { Input } from '#web/ui/field.tsx'
import { Badge } from '#web/ui/marks.tsx'
import styles from './feeds.module.css'
import { feedJournalsQuery, isWaiting, useFollow, useTryFeed } from './queries.ts'

interface Line {
  id: string
  name: string
  mark?: string | undefined
  followed: Subscription | undefined
}

/**
 * Returns the label of a journal that a user added; undefined for other journals. The label is a warning, because any user can
 * add a journal with the name of a known one.
 */
const markOf = ({ personal, user_added }: JournalOption) =>
  personal ? 'Only you' : user_added ? 'User-added' : undefined

/** The journals that have a feed, each with a checkbox to follow it. Collapsed on small screens. */
export function JournalsPanel({
  projectId,
  followed: loaded,
}: {
  projectId: string
  followed: readonly Subscription[] | undefined
}) {
  const followed = loaded ?? []
  const [words, setWords] = useState('')
  const [chosen, setOpen] = useState<boolean>()
  // Open when the project follows no journal yet.
  const open = chosen ?? loaded?.length === 0
  const search = useDeferredValue(words.trim())
  const mayEdit = useMay('edit')
  const journals = useQuery({ ...feedJournalsQuery(search), enabled: mayEdit })
  const listId = useId()
  const byId = new Map(followed.map((one) => [one.journal_id, one]))
  const lines: Line[] = ((mayEdit && journals.data) || []).map((one) => ({
    id: one.id,
    name: one.name,
    mark: markOf(one),
    followed: byId.get(one.id),
  }))
  // A long catalog is truncated; followed journals are always included.
  for (const one of followed)
    if (!lines.some(({ id }) => id === one.journal_id) && one.journal_name.toLowerCase().includes(search.toLowerCase()))
      lines.unshift({ id: one.journal_id, name: one.journal_name, followed: one })
  return (
    <aside className={styles.journals} aria-label="Journals" data-open={open || undefined}>
      <h2>
        Journals<span>{followed.length} followed</span>
      </h2>
      <button
        className={styles.toggle}
        type="button"
        aria-expanded={open}
        aria-controls={listId}
        onClick={() => setOpen(!open)}
      >
        Journals<span>{followed.length} followed</span>
        <ChevronDown aria-hidden />
      </button>
      <div className={styles.journalList} id={listId}>
        {mayEdit || followed.length > 0 ? (
          <Input
            icon={<Search aria-hidden />}
            aria-label="Search journals"
            placeholder="Search journals..."
            value={words}
            onChange={(event) => setWords(event.target.value)}
          />
        ) : null}
        {journals.isLoadingError ? (
          <p className={styles.emptyNote}>
            {messageOf(journals.error)} <Button onClick={() => void journals.refetch()}>Retry</Button>
          </p>
        ) : lines.length === 0 && !journals.isLoading ? (
          <p className={styles.emptyNote}>
            {search ? 'No journals found.' : mayEdit ? 'No journal has a feed yet.' : 'No journal is followed yet.'}
          </p>
        ) : (
          <ul>
            {lines.map((line) => (
              <JournalLine
                key={line.id}
                projectId={projectId}
                line={line}
                // Keeps the panel open after the first selection.
                onFollow={() => setOpen(open)}
              />
            ))}
          </ul>
        )}
      </div>
    </aside>
  )
}

function JournalLine({
  projectId,
  line: { id: journalId, name, mark, followed },
  onFollow,
}: {
  projectId: string
  line: Line
  onFollow: () => void
}) {
  const id = useId()
  const follow = useFollow(projectId, journalId)
  const checked = follow.isPending ? follow.variables : followed !== undefined
  const onChange = (next: boolean) => {
    onFollow()
    follow.mutate(next)
  }
  const mayEdit = useMay('edit')
  return (
    <li data-followed={checked || undefined}>
      {mayEdit ? <Checkbox id={id} checked={checked} onChange={onChange} /> : <span />}
      <span className={styles.journalName}>
        {mayEdit ? <label htmlFor={id}>{name}</label> : name}
        {mark ? <Badge tone="quiet">{mark}</Badge> : null}
      </span>
      <span className={styles.articleCount}>
        {followed && isWaiting(followed) ? '…' : (followed?.article_count ?? '')}
      </span>
      {followed?.last_error ? <Failed feed={followed} /> : null}
    </li>
  )
}

/** The reason why a feed could not be read, the time of the next attempt, and a retry button. */
function Failed({ feed }: { feed: Subscription }) {
  const mayEdit = useMay('edit')
  const trying = useTryFeed(feed.project_id)
  const failed = (description: string) => toast({ title: 'RSS Feed Error', description, destructive: true })
  const tryNow = () =>
    whenDone(trying.mutateAsync(feed.journal_id), {
      onSuccess: ({ last_error, article_count }) =>
        last_error === null
          ? toast({
              title: 'The feed was read',
              description: `${feed.journal_name}: ${counted(article_count, 'article')}`,
            })
          : failed(`${feed.journal_name}: ${FEED_FAILED}`),
      onError: (error) => failed(`${feed.journal_name}: ${messageOf(error)}`),
    })
  return (
    <p className={styles.failure}>
      {feed.last_error}
      {feed.next_fetch_at && !trying.isPending ? ` Next try: ${shortDateAndTime(feed.next_fetch_at)}.` : ''}{' '}
      {mayEdit ? (
        <button
          type="button"
          className={cn(styles.retry, 'text-link')}
          disabled={trying.isPending}
          aria-label={`Try now: ${feed.journal_name}`}
          onClick={tryNow}
        >
          {trying.isPending ? 'Trying...' : 'Try now'}
        </button>
      ) : null}
    </p>
  )
}
