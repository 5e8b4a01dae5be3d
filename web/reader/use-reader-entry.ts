import { useLocation, useNavigate, useRouter } from '@tanstack/react-router'
import { useCallback } from 'react'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The reader is open beside the page. */
    reader?: boolean
  }
}

/**
 * Gives the open reader of a page an entry in the history, so that Back closes it and the page stays, with its scroll position.
 * The page stores what the reader shows. `isOpen` also is true after a reload, when the page shows nothing in the reader.
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
