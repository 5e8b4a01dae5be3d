import { useState } from 'react'
import type { ReactNode } from 'react'
import { Button } from '#web/ui/button.tsx'

/** Maximum number of rows that are shown at first. */
const SHOWN = 10

/**
 * Returns the first ten rows of a list, and a button that shows all. A list of eleven rows is shown completely, without a
 * button.
 */
export function useFold<T>(rows: readonly T[], label: string): { shown: readonly T[]; more: ReactNode } {
  const [open, setOpen] = useState(false)
  if (rows.length <= SHOWN + 1) return { shown: rows, more: null }
  return {
    shown: open ? rows : rows.slice(0, SHOWN),
    more: (
      <Button size="sm" variant="ghost" className="-mr-2.5 -ml-2.5" aria-expanded={open} onClick={() => setOpen(!open)}>
        {open ? 'Show fewer' : `Show all ${rows.length} ${label}`}
      </Button>
    ),
  }
}
