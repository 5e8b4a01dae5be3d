import { Pager } from '#web/ui/pager.tsx'
import { usePageWithin } from './use-page-within.ts'

/**
 * The pager of a list. Moves to the last page when `page` is beyond it, as after a deletion. Without `limits` the page size
 * cannot be chosen. Renders nothing for a single page.
 */
export function ListPager({
  list,
  page = 1,
  limit,
  onPage,
  ...choice
}: {
  /** The query of the list; `isPlaceholderData`: the data is that of another page. */
  list: { data: { count: number } | undefined; isPlaceholderData: boolean }
  page?: number | undefined
  limit: number
  onPage: (page: number) => void
} & ({ limits: readonly number[]; onLimit: (limit: number) => void } | { limits?: undefined; onLimit?: undefined })) {
  const count = list.data?.count ?? 0
  const pageCount = Math.ceil(count / limit)
  usePageWithin(page, list.data && !list.isPlaceholderData ? pageCount : null, onPage)
  return <Pager page={page} pageCount={pageCount} limit={limit} count={count} onPage={onPage} {...choice} />
}
