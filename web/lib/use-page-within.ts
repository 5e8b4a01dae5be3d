import { useEffect } from 'react'

/** Moves to the last page when `page` is beyond it, as after a deletion or with an old link. */
export function usePageWithin(
  page: number,
  /** Null until known. */
  pageCount: number | null,
  onPage: (page: number) => void,
): void {
  const last = pageCount === null ? page : Math.max(1, pageCount)
  useEffect(() => {
    if (page > last) onPage(last)
  }, [page, last, onPage])
}
