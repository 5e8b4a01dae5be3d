import { Pager } from '#web/ui/pager.tsx'
import { usePageWithin } from './use-page-within.ts'

/**
 * The pager of a list. If `page` is higher than the number of pages, for example after a deletion, it moves to the last page.
 * Without `limits`, the number of rows per page cannot be chosen. Renders nothing if there is only one page.
 */
export function ListPager({
  list,
  page = 1,
  limit,
  onPage,
  ...choice
}: {
  /** The query of the list. `isPlaceholderData`: the data is from the previous page while this page loads. */
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
