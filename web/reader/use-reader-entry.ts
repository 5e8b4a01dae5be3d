import { useLocation, useNavigate, useRouter } from '@tanstack/react-router'
import { useCallback } from 'react'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The reader is open beside the page. */
    reader?: boolean
  }
}

/**
 * Adds an entry to the history when a page opens its reader, so that Back closes the reader and the page keeps its scroll
 * position. The page itself stores the passage, so after a reload `isOpen` is true and the page has no passage.
 */
export function useReaderEntry() {
  const isOpen = useLocation({ select: ({ state }) => state.reader === true })
  const navigate = useNavigate()
  const { history } = useRouter()
  const open = useCallback(
    () =>
      void navigate({
        to: '.',
        search: (search) => search,
        state: (state) => ({ ...state, reader: true }),
        replace: isOpen,
        resetScroll: false,
      }),
    [navigate, isOpen],
  )
  const close = useCallback(() => history.back(), [history])
  return { isOpen, open, close }
}
