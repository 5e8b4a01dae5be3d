import { useEffect, useRef } from 'react'

/**
 * Calls `toLastPage` if all documents of the current page were deleted or moved. Does not call it for a page that was empty
 * from the start, because its number is too high. `rowCount` is undefined while it is unknown.
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
