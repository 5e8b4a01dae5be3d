import { useEffect, useRef } from 'react'

/**
 * Moves to the last page when the current page has lost its rows by deletion or a move. An address with a page beyond
 * the last one does not move. `rowCount` is undefined while unknown.
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
