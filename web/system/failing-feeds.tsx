import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { FEED_FAILED } from '#shared/contract/feeds.ts'
import { FAILING_FEEDS_PAGE_SIZE } from '#shared/contract/system.ts'
import type { FailingFeed } from '#shared/contract/system.ts'
import { EmptyRow, LoadingRows } from '#web/admin/index.ts'
import { ListPager } from '#web/lib/list-pager.tsx'
import { messageOf } from '#web/lib/api.ts'
import { counted, shortDateAndTime } from '#web/lib/dates.ts'
import { LoadFailed } from '#web/lib/load-failed.tsx'
import { toast } from '#web/lib/toasts.tsx'
import { whenDone } from '#web/lib/when-done.ts'
import { Button } from '#web/ui/button.tsx'
import { cn } from '#web/ui/class-names.ts'
import { ActionsHead, cells, DataTable } from '#web/ui/data-table.tsx'
import { failingFeedsQuery, useTryFeed } from './queries.ts'

/** The list of followed feeds that cannot be read. A button for each reads the feed at once. */
export function FailingFeeds() {
  const [page, setPage] = useState(1)
  const list = useQuery(failingFeedsQuery(page))
  const { data, error, isLoadingError, refetch } = list
  if (isLoadingError)
    return <LoadFailed title="The feeds could not be loaded" error={error} onRetry={() => void refetch()} />
  return (
    <>
      <DataTable aria-busy={!data}>
        <thead>
          <tr>
            <th>Feed</th>
            <th>Failures</th>
            <th>Last success</th>
            <th>Next reading</th>
            <ActionsHead />
          </tr>
        </thead>
        <tbody>
          {data ? null : <LoadingRows columns={5} rows={1} />}
          {data?.count === 0 ? <EmptyRow columns={5}>All followed feeds can be read.</EmptyRow> : null}
          {data?.data.map((feed) => (
            <tr key={feed.id}>
              <td className={cn(cells.wide, cells.text)}>
                <b>{feed.journals.join(', ') || feed.url}</b>
                <p>{feed.url}</p>
                <p>
                  {feed.last_error} Followed by {counted(feed.followers, 'person').replace('persons', 'people')}.
                </p>
              </td>
              <td className="tabular-nums lining-nums" data-label="Failures">
                {feed.failures}
              </td>
              <td className="tabular-nums lining-nums" data-label="Last success">
                {feed.last_fetched_at ? shortDateAndTime(feed.last_fetched_at) : 'Never'}
              </td>
              <td className="tabular-nums lining-nums" data-label="Next">
                {shortDateAndTime(feed.next_fetch_at)}
              </td>
              <td className={cells.end}>
                <TryNow feed={feed} />
              </td>
            </tr>
          ))}
        </tbody>
      </DataTable>
      <ListPager list={list} page={page} limit={FAILING_FEEDS_PAGE_SIZE} onPage={setPage} />
    </>
  )
}

function TryNow({ feed }: { feed: FailingFeed }) {
  const trying = useTryFeed()
  const name = feed.journals.join(', ') || feed.url
  const failed = (description: string) => toast({ title: 'RSS Feed Error', description, destructive: true })
  const tryNow = () =>
    whenDone(trying.mutateAsync(feed.id), {
      onSuccess: ({ last_error, article_count }) =>
        last_error === null
          ? toast({ title: 'The feed was read', description: `${name}: ${counted(article_count, 'article')}` })
          : failed(`${name}: ${FEED_FAILED}`),
      onError: (error) => failed(`${name}: ${messageOf(error)}`),
    })
  return (
    <Button size="sm" variant="ghost" disabled={trying.isPending} aria-label={`Try now: ${name}`} onClick={tryNow}>
      {trying.isPending ? 'Trying...' : 'Try now'}
    </Button>
  )
}
