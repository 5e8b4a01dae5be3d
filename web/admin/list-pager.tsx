import { usePageWithin } from '#web/lib/use-page-within.ts'
import { Pager } from '#web/ui/pager.tsx'

const noChoice = () => {}

/**
 * The pager of a list of the admin area. Moves to the last page when `page` is beyond it, as after a deletion. Without
 * `limits` the page size cannot be chosen. Renders nothing for a single page.
 */
export function ListPager({
  list,
  page = 1,
  limit,
  limits,
  onPage,
  onLimit = noChoice,
}: {
  /** The query of the list; `isPlaceholderData`: the data is that of another page. */
  list: { data: { count: number } | undefined; isPlaceholderData: boolean }
  page?: number | undefined
  limit: number
  limits?: readonly number[]
  onPage: (page: number) => void
  onLimit?: (limit: number) => void
}) {
  const count = list.data?.count ?? 0
  const pageCount = Math.ceil(count / limit)
  usePageWithin(page, list.data && !list.isPlaceholderData ? pageCount : null, onPage)
  return (
    <Pager
      page={page}
      pageCount={pageCount}
      limit={limit}
      limits={limits ?? [limit]}
      count={count}
      onPage={onPage}
      onLimit={onLimit}
    />
  )
}
