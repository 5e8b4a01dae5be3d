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
 * State of the reader beside a page. It is stored in the entry of the browser history, so that the reader is still open after a
 * reload, and after Back from another page. Opening the reader adds an entry, so that Back closes it; with `isInPlace` it changes
 * the current entry.
 */
export function useReaderEntry({ isInPlace = false }: { isInPlace?: boolean } = {}) {
  const reading = useLocation({ select: ({ state }) => state.reading }) ?? null
  const isOpen = reading !== null
  const navigate = useNavigate()
  const { history } = useRouter()
  const change = useCallback(
    (next: Reading | undefined, replace: boolean) =>
      void navigate({
        to: '.',
        search: (search) => search,
        state: ({ reading: _former, ...state }) => (next ? { ...state, reading: next } : state),
        replace,
        resetScroll: false,
      }),
    [navigate],
  )
  const open = useCallback((next: Reading) => change(next, isInPlace || isOpen), [change, isInPlace, isOpen])
  const close = useCallback(() => (isInPlace ? change(undefined, true) : history.back()), [change, history, isInPlace])
  return { reading, open, close }
}

/** Returns whether two passages are equal. The passage of a reader that was open before a reload is a copy. */
export const isSamePassage = (a: FoundPassage | null, b: FoundPassage | null) => JSON.stringify(a) === JSON.stringify(b)
