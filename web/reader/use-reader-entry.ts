import { useLocation, useNavigate, useRouter } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { FoundPassage } from '#shared/contract/passages.ts'

/** What the reader beside a page shows: a passage of a paper, or all pages if `passage` is null. */
export interface Reading {
  documentId: string
  passage: FoundPassage | null
  /** The title and the URL of the paper, on a page about several papers. */
  paper?: { title: string; address: string }
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    reading?: Reading
  }
}

/**
 * Returns the state of the reader beside a page, and functions to open and close it. `reading` is the shown paper and passage;
 * null while the reader is closed. The state is stored in the entry of the browser history, so that the reader is still open
 * after a reload, and after Back from another page. `open` adds an entry, so that Back closes the reader.
 */
export function useReaderEntry() {
  const reading = useLocation({ select: ({ state }) => state.reading }) ?? null
  const isOpen = reading !== null
  const navigate = useNavigate()
  const { history } = useRouter()
  const open = useCallback(
    (next: Reading) =>
      void navigate({
        to: '.',
        search: (search) => search,
        state: (state) => ({ ...state, reading: next }),
        replace: isOpen,
        resetScroll: false,
      }),
    [navigate, isOpen],
  )
  const close = useCallback(() => history.back(), [history])
  return { reading, open, close }
}

/**
 * Returns whether two passages are equal. Compares their values, because the passage in the browser history is a copy after a
 * reload.
 */
export const isSamePassage = (a: FoundPassage | null, b: FoundPassage | null) => JSON.stringify(a) === JSON.stringify(b)
