import { useEffect, useRef } from 'react'

/**
 * Calls `toLastPage` when the current page has become empty, by deleted or moved documents. A page that was empty from the start,
 * because its number is too high, does not call it. `rowCount` is undefined while unknown.
 */
export function useLastPage(page: number, rowCount: number | undefined, toLastPage: () => void): void {
  const filledPage = useRef(0)
  useEffect(() => {
    if (rowCount === undefined) return
    if (rowCount > 0) filledPage.current = page
    else if (filledPage.current === page) {
      filledPage.current = 0
      toLastPage()
    }
  }, [page, rowCount, toLastPage])
}
