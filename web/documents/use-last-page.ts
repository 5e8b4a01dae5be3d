import { useEffect, useRef } from 'react'

/**
 * Goes to the last page when the page now shown has lost its rows, because they were deleted or moved. An address that
 * names a page beyond the last one stays. `rowCount` is undefined while it is not known.
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
