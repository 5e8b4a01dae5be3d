import { useLocation, useNavigate, useRouter } from '@tanstack/react-router'
import { useCallback } from 'react'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** True if the reader is open beside the page. */
    reader?: boolean
  }
}

/**
 * Adds an entry to the browser history when a page opens its reader, so that Back closes the reader. The caller stores the
 * shown passage in its state. After a reload, `isOpen` is therefore true although the caller has no passage.
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
