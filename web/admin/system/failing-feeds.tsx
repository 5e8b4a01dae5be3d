import { useQuery } from '@tanstack/react-query'
import { counted, shortDateAndTime } from '#web/lib/dates.ts'
import { EmptyRow, LoadFailed, LoadingRows } from '../table-states.tsx'
import { failingFeedsQuery } from './queries.ts'

/** The feeds that people follow and that cannot be read. */
export function FailingFeeds() {
  const { data, error, refetch } = useQuery(failingFeedsQuery)
  if (error) return <LoadFailed title="The feeds could not be loaded" error={error} onRetry={() => void refetch()} />
  return (
    <table className="admin-table" aria-busy={!data}>
      <thead>
        <tr>
          <th>Feed</th>
          <th>Failures</th>
          <th>Last read well</th>
          <th>Next reading</th>
        </tr>
      </thead>
      <tbody>
        {data ? null : <LoadingRows columns={4} rows={2} />}
        {data?.count === 0 ? <EmptyRow columns={4}>Every feed that is followed can be read.</EmptyRow> : null}
        {data?.data.map((feed) => (
          <tr key={feed.id}>
            <td className="whole words">
              <b>{feed.journals.join(', ') || feed.url}</b>
              <p>{feed.url}</p>
              <p>
                {feed.last_error} Followed by {counted(feed.followers, 'person').replace('persons', 'people')}.
              </p>
            </td>
            <td className="num" data-label="Failures">
              {feed.failures}
            </td>
            <td className="num" data-label="Read well">
              {feed.last_fetched_at ? shortDateAndTime(feed.last_fetched_at) : 'Never'}
            </td>
            <td className="num" data-label="Next">
              {shortDateAndTime(feed.next_fetch_at)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
