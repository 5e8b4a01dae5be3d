import { useEffect } from 'react'

/** Goes to the last page from one that lies behind it: an old address, or a page whose rows are all gone. */
export function usePageWithin(
  page: number,
  /** Null while nobody knows. */
  pageCount: number | null,
  onPage: (page: number) => void,
): void {
  const last = pageCount === null ? page : Math.max(1, pageCount)
  useEffect(() => {
    if (page > last) onPage(last)
  }, [page, last, onPage])
}
