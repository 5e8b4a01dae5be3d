import { useCallback, useState } from 'react'
import type { ReactNode } from 'react'

/**
 * Finds the dialog or landmark (page header or main) around a component. Floating content rendered into this `container` stays
 * reachable by landmark navigation of screen readers. Render `marker` next to the trigger.
 */
export function useLandmark(): { container: HTMLElement | null; marker: ReactNode } {
  const [container, setContainer] = useState<HTMLElement | null>(null)
  const find = useCallback((mark: HTMLElement | null) => {
    if (mark) setContainer(mark.closest<HTMLElement>('[role=dialog], main, header'))
  }, [])
  return { container, marker: <span ref={find} hidden /> }
}
