import { useEffect, useRef } from 'react'

/**
 * Calls `toLastPage` if the current page of a list becomes empty because all its documents were deleted or moved. Does not call
 * it if `page` is too high from the start, so that the page was already empty when it was opened. `rowCount` is undefined while
 * the number of rows is unknown.
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
