import { useQuery } from '@tanstack/react-query'
import type { Journal } from '#shared/contract/journals.ts'
import { api } from '#shared/contract/paths.ts'
import { messageOf } from '#web/lib/api.ts'
import { publishedAt, shortDate } from '#web/lib/dates.ts'
import { toast } from '#web/lib/toasts.tsx'
import { useErrorToast } from '#web/lib/use-error-toast.ts'
import { whenDone } from '#web/lib/when-done.ts'
import { Button } from '#web/ui/button.tsx'
import { cn } from '#web/ui/class-names.ts'
import { FieldError } from '#web/ui/field.tsx'
import { Skeleton } from '#web/ui/marks.tsx'
import styles from './journals.module.css'
import { articlesQuery, useJournalCall } from './queries.ts'

/** The latest articles of a journal's feed, or a button that finds the feed. */
export function FeedPreview({ journal }: { journal: Journal }) {
  return (
    <section className={styles.feedPreview} aria-labelledby="feed-preview">
      <h2 id="feed-preview">Latest articles</h2>
      {journal.rss_feed_cut ? (
        <p className={cn(styles.details, 'text-muted-foreground')}>
          Only the person who added this feed sees its articles.
        </p>
      ) : journal.rss_feed_url ? (
        <Articles journal={journal} />
      ) : (
        <NoFeed journal={journal} />
      )}
    </section>
  )
}

function Articles({ journal: { id, rss_feed_url } }: { journal: Journal }) {
  const articles = useQuery(articlesQuery(id, rss_feed_url))
  useErrorToast('RSS Feed Error', articles.error)
  if (articles.error)
    return (
      <div role="alert">
        <FieldError>{messageOf(articles.error)}</FieldError>
        <Button size="sm" className="mt-2" onClick={() => void articles.refetch()}>
          Retry
        </Button>
      </div>
    )
  if (!articles.data)
    return (
      <div role="status" aria-label="Reading the feed..." className="flex flex-col gap-3">
        <Skeleton width="70%" />
        <Skeleton width="90%" />
        <Skeleton width="55%" />
      </div>
    )
  if (articles.data.length === 0)
    return <p className={cn(styles.details, 'text-muted-foreground')}>No articles found in the RSS feed.</p>
  return (
    <ul>
      {articles.data.map((article, index) => (
        // A feed can contain the same link twice, so the index is part of the key.
        <li key={`${article.link} ${index}`}>
          <h3>
            {/^https?:/.test(article.link) ? (
              <a href={article.link} target="_blank" rel="noreferrer noopener">
                {article.title}
              </a>
            ) : (
              article.title
            )}
          </h3>
          {article.pubDate ? (
            <p className={cn(styles.details, 'text-muted-foreground tabular-nums lining-nums')}>
              {shortDate(publishedAt(article.pubDate).toISOString())}
            </p>
          ) : null}
          {article.description ? <p className={styles.excerpt}>{article.description}</p> : null}
        </li>
      ))}
    </ul>
  )
}

function NoFeed({ journal }: { journal: Journal }) {
  const finding = useJournalCall(journal.id, api.adminJournalFindFeed(journal.id), 'POST')
  const find = () =>
    whenDone(finding.mutateAsync(), {
      onSuccess: ({ rss_feed_url }) => toast({ title: 'RSS feed found', description: rss_feed_url ?? undefined }),
      onError: (error) => toast({ title: 'No RSS feed found', description: messageOf(error), destructive: true }),
    })
  return (
    <>
      <p className={cn(styles.details, 'text-muted-foreground')}>
        {journal.homepage_url
          ? 'This journal has no RSS feed yet. Most home pages of journals link to their feed.'
          : 'This journal has no RSS feed yet. Enter the address of the feed or of the home page under Edit.'}
      </p>
      {journal.homepage_url ? (
        <Button size="sm" className="mt-3" disabled={finding.isPending} onClick={find}>
          {finding.isPending ? 'Searching...' : 'Find the feed'}
        </Button>
      ) : null}
    </>
  )
}
