import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

/**
 * The title of a quoted paper. A click opens the reader at the quote (FND-23). The URL of the link is the page of the paper,
 * for another tab. `onOpen` is null if the reader cannot show the quote; the click then opens the page of the paper.
 */
export const TitleLink = ({
  to,
  onOpen,
  children,
}: {
  to: string
  onOpen: (() => void) | null
  children: ReactNode
}) => (
  <Link
    to={to}
    onClick={(event) => {
      if (!onOpen || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
      event.preventDefault()
      onOpen()
    }}
  >
    {children}
  </Link>
)
