import { useEffect } from 'react'

/** Calls `onPage` with the last page if `page` is higher than `pageCount`, for example after a deletion or with an old link. */
export function usePageWithin(
  page: number,
  /** Null while unknown. */
  pageCount: number | null,
  onPage: (page: number) => void,
): void {
  const last = pageCount === null ? page : Math.max(1, pageCount)
  useEffect(() => {
    if (page > last) onPage(last)
  }, [page, last, onPage])
}
