import { useCallback, useState } from 'react'
import type { ReactNode } from 'react'

/**
 * Returns the dialog, page header or main element around a component as `container`; null until it is found. Render `marker`
 * next to the trigger of a menu or popover, and the menu or popover into `container`, so that screen readers can reach it by
 * landmark navigation.
 */
export function useLandmark(): { container: HTMLElement | null; marker: ReactNode } {
  const [container, setContainer] = useState<HTMLElement | null>(null)
  const find = useCallback((mark: HTMLElement | null) => {
    if (mark) setContainer(mark.closest<HTMLElement>('[role=dialog], main, header'))
  }, [])
  return { container, marker: <span ref={find} hidden /> }
}
